// The hidden oracle of map-limited: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// order and number of calls
const work = async (item: string) => {
  await new Promise((resolve) => setTimeout(resolve, Number(item)));
  return "n" + item;
};
expect(await mapLimited(["9", "1", "5", "0"], 3, work)).toEqual(["n9", "n1", "n5", "n0"]);
expect(await mapLimited([], 1, work)).toEqual([]);
expect(await mapLimited(["1"], 100, work)).toEqual(["n1"]);

// as many as allowed, and no more
await fc.assert(
  fc.asyncProperty(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 6 }), async (count, limit) => {
    let [now, most] = [0, 0];
    const work = async (item: string) => {
      now += 1;
      most = Math.max(most, now);
      for (let step = 0; step < 5; step += 1) await Promise.resolve();
      now -= 1;
      return item;
    };
    const items = Array.from({ length: count }, (_, index) => "i" + index);
    expect(await mapLimited(items, limit, work)).toEqual(items);
    expect(most).toBe(Math.min(count, limit));
  }),
);

// a failure ends it
const begun: string[] = [];
const work = async (item: string) => {
  begun.push(item);
  await new Promise((resolve) => setTimeout(resolve, item === "long" ? 10 : 2));
  if (item === "x") throw new TypeError("inner");
  return item;
};
const error: unknown = await mapLimited(["long", "x", "later", "last"], 2, work).catch((each: unknown) => each);
expect(error).toBeInstanceOf(WorkFailed);
expect(error).toMatchObject({ message: "failed at x", cause: { message: "inner" } });
await new Promise((resolve) => setTimeout(resolve, 25));
expect(begun).toEqual(["long", "x"]);

// no limit
for (const limit of [0, -5, 0.5, Number.POSITIVE_INFINITY]) {
  const work = vi.fn(async (item: string) => item);
  await expect(mapLimited(["a", "b"], limit, work)).rejects.toBeInstanceOf(BadLimit);
  await expect(mapLimited(["a", "b"], limit, work)).rejects.toThrow("no limit: " + limit);
  expect(work.mock.calls.length).toBe(0);
}
`;
