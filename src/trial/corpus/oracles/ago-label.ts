// The hidden oracle of ago-label: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// labels at many distances
vi.useFakeTimers({ now: 1_700_000_000_000 });
onTestFinished(() => void vi.useRealTimers());
for (const [seconds, label] of [[0, "just now"], [59, "just now"], [60, "1 minute ago"], [119, "1 minute ago"], [120, "2 minutes ago"], [3599, "59 minutes ago"], [3600, "1 hour ago"], [7200, "2 hours ago"], [86_399, "23 hours ago"], [86_400, "1 day ago"], [172_800, "2 days ago"], [31_535_999, "364 days ago"], [31_536_000, "long ago"], [1_000_000_000, "long ago"]] as const) {
  expect(agoLabel(1_700_000_000_000 - seconds * 1000)).toBe(label);
}

// numbers never round up
vi.useFakeTimers({ now: 1_700_000_000_000 });
onTestFinished(() => void vi.useRealTimers());
fc.assert(
  fc.property(fc.integer({ min: 0, max: 31_535_999_999 }), (past) => {
    const [days, hours, minutes] = [86_400_000, 3_600_000, 60_000].map((size) => Math.floor(past / size));
    const label = agoLabel(1_700_000_000_000 - past);
    const [count = 0, unit = ""] = days !== 0 ? [days, "day"] : hours !== 0 ? [hours, "hour"] : [minutes, "minute"];
    expect(label).toBe(count === 0 ? "just now" : count + " " + unit + (count === 1 ? " ago" : "s ago"));
  }),
);

// ahead, and no moments
vi.useFakeTimers({ now: 1_700_000_000_000 });
onTestFinished(() => void vi.useRealTimers());
for (const moment of [1_700_000_000_001, 1_700_000_060_000, 9_000_000_000_000]) {
  expect(() => agoLabel(moment)).toThrow(NotYet);
  expect(() => agoLabel(moment)).toThrow("not yet: " + moment);
}
for (const moment of [-1, -1e12, 1.5, Number.POSITIVE_INFINITY, 2 ** 60]) {
  expect(() => agoLabel(moment)).toThrow(BadMoment);
  expect(() => agoLabel(moment)).toThrow("no moment: " + moment);
}
`;
