// The hidden oracle of group-bursts: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// bursts by hand
const run = (times: number[], quiet: number) => {
  const left = [...times];
  return groupBursts(times.map((time) => async () => "t" + time), () => left.shift() ?? Number.NaN, quiet);
};
expect(await run([1, 2, 3, 50, 51, 99], 40)).toEqual([["t1", "t2", "t3"], ["t50", "t51"], ["t99"]]);
expect(await run([0, 5, 10], 5)).toEqual([["t0"], ["t5"], ["t10"]]);
expect(await run([-20, -16, -11, -6], 5)).toEqual([["t-20", "t-16"], ["t-11"], ["t-6"]]);
expect(await run([3], 1)).toEqual([["t3"]]);
expect(await run([], 1)).toEqual([]);

// times are taken when a message has come
let time = 0;
const slow = async () => {
  await Promise.resolve();
  time += 30;
  return "s" + time;
};
const asked: number[] = [];
const clock = () => {
  asked.push(time);
  return time;
};
expect(await groupBursts([slow, slow], clock, 31)).toEqual([["s30", "s60"]]);
expect(asked).toEqual([30, 60]);

// bursts are cut where the gap is long enough
await fc.assert(
  fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1 }), fc.integer({ min: 1, max: 9 }), async (gaps, quiet) => {
    let sum = 0;
    const times = gaps.map((gap) => (sum += gap));
    const expected = times.reduce<string[][]>((bursts, at, index) => {
      const isNew = index === 0 || at - (times[index - 1] ?? 0) >= quiet;
      return isNew ? [...bursts, [index + ""]] : [...bursts.slice(0, -1), [...(bursts.at(-1) ?? []), index + ""]];
    }, []);
    const left = [...times];
    const messages = times.map((_, index) => async () => index + "");
    expect(await groupBursts(messages, () => left.shift() ?? 0, quiet)).toEqual(expected);
  }),
);

// what is refused
const one = async () => "m";
for (const quiet of [0, -7, Number.NaN]) {
  const spy = vi.fn(one);
  await expect(groupBursts([spy], () => 1, quiet)).rejects.toBeInstanceOf(BadQuiet);
  await expect(groupBursts([], () => 1, quiet)).rejects.toThrow("no quiet time: " + quiet);
  expect(spy.mock.calls.length).toBe(0);
}
for (const second of [9, Number.NaN, Number.POSITIVE_INFINITY]) {
  const times = [10, second];
  await expect(groupBursts([one, one], () => times.shift() ?? 0, 3)).rejects.toBeInstanceOf(BadClock);
  const again = [10, second];
  await expect(groupBursts([one, one], () => again.shift() ?? 0, 3)).rejects.toThrow("no time: " + second);
}
`;
