// The hidden oracle of retry-work: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// first, later, last
for (const needed of [1, 2, 5]) {
  const waits: number[] = [];
  const seen: number[] = [];
  const work = async (attempt: number) => {
    seen.push(attempt);
    if (attempt < needed) throw new Error("wait");
    return "r" + attempt;
  };
  const sleep = async (milliseconds: number) => {
    waits.push(milliseconds);
  };
  expect(await retryWork(work, 5, sleep)).toBe("r" + needed);
  expect(seen).toEqual(Array.from({ length: needed }, (_, index) => index + 1));
  expect(waits).toEqual([100, 200, 400, 800].slice(0, needed - 1));
}

// giving up
await fc.assert(
  fc.asyncProperty(fc.integer({ min: 1, max: 10 }), async (tries) => {
    const log: string[] = [];
    const work = async (attempt: number): Promise<string> => {
      log.push("w" + attempt);
      throw new Error("e" + attempt);
    };
    const sleep = async (milliseconds: number) => {
      log.push("s" + milliseconds);
    };
    const error: unknown = await retryWork(work, tries, sleep).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(GaveUp);
    expect(error).toMatchObject({ message: "gave up after " + tries + " tries", cause: { message: "e" + tries } });
    const waits = [0, 100, 200, 400, 800, 1000, 1000, 1000, 1000, 1000];
    expect(log).toEqual(waits.slice(0, tries).flatMap((wait, at) => (at === 0 ? ["w1"] : ["s" + wait, "w" + (at + 1)])));
  }),
);

// no tries
for (const tries of [0, -2, 2.5, 11, 99]) {
  const work = vi.fn(async () => "x");
  await expect(retryWork(work, tries, async () => {})).rejects.toBeInstanceOf(BadTries);
  await expect(retryWork(work, tries, async () => {})).rejects.toThrow("no number of tries: " + tries);
  expect(work.mock.calls.length).toBe(0);
}
`;
