// The hidden oracle of money-text: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// amounts read
for (const [text, cents] of [["0.01", 1], ["10.00", 1000], ["-100.10", -10010], ["12,345.67", 1234567], ["-1,000,000.00", -100000000]] as const) {
  expect(readMoney(text)).toBe(cents);
}

// amounts written
for (const [cents, text] of [[0, "0.00"], [5, "0.05"], [-50, "-0.50"], [100000, "1,000.00"], [-123456, "-1,234.56"], [99999999, "999,999.99"]] as const) {
  expect(writeMoney(cents)).toBe(text);
}

// both ways
fc.assert(
  fc.property(fc.integer({ min: -1e9, max: 1e9 }), (cents) => {
    const text = writeMoney(cents);
    expect(text).toMatch(/^-?(0|[1-9][0-9]{0,2})(,[0-9]{3})*[.][0-9]{2}$/);
    expect(Number(text.replaceAll(",", ""))).toBeCloseTo(cents / 100, 5);
    expect(readMoney(text)).toBe(cents);
  }),
);

// no amounts
for (const text of ["5", "5.0", "5.000", "1000.00", "1,00.00", "0,100.00", "007.00", "-0.00", "- 1.00", "1.00-", "1_000.00", "9,999,999,999,999.00"]) {
  expect(() => readMoney(text)).toThrow(BadMoney);
  expect(() => readMoney(text)).toThrow("no amount: " + JSON.stringify(text));
}

// no cents
for (const cents of [1.5, -0.1, 1e14, 2 ** 60, Number.NEGATIVE_INFINITY]) {
  expect(() => writeMoney(cents)).toThrow(BadCents);
  expect(() => writeMoney(cents)).toThrow("no cents: " + cents);
}
`;
