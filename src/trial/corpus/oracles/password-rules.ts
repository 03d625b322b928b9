// The hidden oracle of password-rules: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = String.raw`
// good ones
for (const password of ["Zebra42green", "aB3aB3aB3a", "1Lower and UPPER", "x".concat("Yz9".repeat(21)), "Aa1" + "\u{1F680}\u{1F680}zzyyxx"]) {
  expect(brokenRules(password, "nobody")).toEqual([]);
}

// each rule alone
for (const [password, rule] of [
  ["Short1Aaa", "length"],
  ["Emoji1A\u{1F680}\u{1F680}", "length"],
  ["LongPass1".repeat(7) + "ab", "length"],
  ["NoDigitsHere", "digit"],
  ["no capitals 1", "cases"],
  ["NO SMALL 1234", "cases"],
  ["Booook keeper 1", "repeats"],
  ["Row of 000 is bad", "repeats"],
  ["My name is Lee 5", "user"],
  ["LEEward 12345", "user"],
] as const) {
  expect(brokenRules(password, "lee")).toEqual([rule]);
}

// several at once
expect(brokenRules("leee", "Lee")).toEqual(["length", "digit", "cases", "repeats", "user"]);
expect(brokenRules("", "")).toEqual(["length", "digit", "cases"]);
expect(brokenRules("1111111111", "11")).toEqual(["cases", "repeats", "user"]);

// lengths by characters
fc.assert(
  fc.property(fc.integer({ min: 0, max: 90 }), (more) => {
    const password = "Aa1" + Array.from({ length: more }, (_, index) => (index % 2 === 0 ? "\u{1F34B}" : "-")).join("");
    expect(brokenRules(password, "").includes("length")).toBe(more + 3 < 10 || more + 3 > 64);
  }),
);
`;
