// The hidden oracle of parse-duration: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// each part alone
expect(parseDuration("1h")).toBe(3600);
expect(parseDuration("1m")).toBe(60);
expect(parseDuration("59s")).toBe(59);
expect(parseDuration("0s")).toBe(0);

// parts together, with a blank and without
expect(parseDuration("2h 15m")).toBe(8100);
expect(parseDuration("2h15m10s")).toBe(8110);
expect(parseDuration("1h 1s")).toBe(3601);
expect(parseDuration("10h 75m 61s")).toBe(40561);

// seconds come back in any spelling
fc.assert(
  fc.property(fc.nat(50), fc.nat(200), fc.nat(200), fc.boolean(), (h, m, s, blank) => {
    const text = [h + "h", m + "m", s + "s"].join(blank ? " " : "");
    expect(parseDuration(text)).toBe((h * 60 + m) * 60 + s);
  }),
);

// what is no duration
const others = ["", " ", "12", "m", "1d", "1 h", "2s 1m", "1h 2h", "1h  1m", "2m  1s", " 3m", " 4s", "3m ", "1,5h"];
for (const text of others) {
  expect(() => parseDuration(text)).toThrow(BadDuration);
  expect(() => parseDuration(text)).toThrow("no duration: " + JSON.stringify(text));
}
`;
