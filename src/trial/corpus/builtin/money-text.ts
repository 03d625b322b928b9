// Builtin task: amounts as people write them, read and written.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/money-text.ts";

const FORM = String.raw`/^-?(?:0|[1-9]\d{0,2}(?:,\d{3}){0,3})\.\d\d$/`;

export const MONEY_TEXT = builtinTask({
  id: "money-text",
  area: "money",
  title: "Amounts as text",
  purpose: "Reads amounts such as `1,234.50` as cents, and writes cents as such amounts.",
  tags: ["money", "format"],
  entries: [
    {
      entry: "readMoney",
      signature: "(text: string) => number",
      inputs: [
        {
          name: "text",
          type: "string",
          constraint: "is an amount",
          requires: `${FORM}.test(args[0]) && args[0] !== "-0.00"`,
        },
      ],
      output: {
        name: "read",
        type: "number",
        invariants: [
          { invariant: "is a whole number", ensures: "Number.isInteger(result) && !Object.is(result, -0)" },
        ],
      },
      errors: [
        {
          name: "BadMoney",
          when: "the text is no amount",
          says: "no amount: ",
        },
      ],
      examples: [
        { title: "an amount", args: ['"1,234.50"'], gives: "123450" },
        { title: "nothing", args: ['"0.00"'], gives: "0" },
        { title: "one digit behind the point", args: ['"1.5"'], throws: 'BadMoney: no amount: "1.5"' },
      ],
    },
    {
      entry: "writeMoney",
      signature: "(cents: number) => string",
      inputs: [
        {
          name: "cents",
          type: "number",
          constraint: "is a whole number of at most 14 digits",
          requires: "Number.isInteger(args[0]) && Math.abs(args[0]) < 100000000000000",
        },
      ],
      output: {
        name: "written",
        type: "string",
        invariants: [{ invariant: "is an amount", ensures: `${FORM}.test(result)` }],
      },
      errors: [{ name: "BadCents", when: "the cents are none", says: "no cents: " }],
      examples: [
        { title: "less than nothing", args: ["-5"], gives: '"-0.05"' },
        { title: "half a cent", args: ["0.5"], throws: "BadCents: no cents: 0.5" },
      ],
    },
  ],
  constraints: {
    C1: "An amount has two digits behind a point; `1.50` is 150 cents.",
    C2: "Before the point, commas part groups of three digits from the right, without exception: `1,234.00`, never `1234.00`.",
    C3: "An amount below zero begins with a minus sign; zero never does, so `-0.00` is no amount.",
    C4: "There is at least one digit before the point, no 0 in front of another digit, and at most 12 digits.",
    C5: "Any other text throws BadMoney: `no amount: ` and the text as JSON.",
    C6: "writeMoney writes what readMoney reads; cents that are not whole or have more than 14 digits throw BadCents: `no cents: ` and them.",
  },
  source: String.raw`/** Thrown when a text is no amount. */
export class BadMoney extends Error {}

/** Thrown when a number is none of cents. */
export class BadCents extends Error {}

/** The cents of an amount such as "1,234.50". */
export function readMoney(text: string): number {
  const isAmount = /^-?(?:0|[1-9]\d{0,2}(?:,\d{3}){0,3})\.\d\d$/.test(text);
  if (!isAmount || text === "-0.00") throw new BadMoney("no amount: " + JSON.stringify(text));
  return Number(text.replaceAll(/[,.]/g, ""));
}

/** Cents as an amount such as "1,234.50". */
export function writeMoney(cents: number): string {
  if (!Number.isInteger(cents) || Math.abs(cents) >= 1e14) throw new BadCents("no cents: " + cents);
  const digits = String(Math.abs(cents)).padStart(3, "0");
  const whole = digits.slice(0, -2).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return (cents < 0 ? "-" : "") + whole + "." + digits.slice(-2);
}
`,
  tests: `
// C1: two digits stand behind the point
expect(readMoney("1.50")).toBe(150);
expect(writeMoney(150)).toBe("1.50");
expect(writeMoney(99)).toBe("0.99");
for (const text of ["1.5", "1", "1.500", "1,50"]) expect(() => readMoney(text)).toThrow(BadMoney);

// C2: groups of three are parted by commas
expect(readMoney("1,234,567.89")).toBe(123456789);
expect(writeMoney(123456789)).toBe("1,234,567.89");
expect(writeMoney(99999)).toBe("999.99");
for (const text of ["1234.00", "12,34.00", "1,2345.00", ",123.00"]) expect(() => readMoney(text)).toThrow(BadMoney);

// C3: a minus sign stands in front, and never before zero
expect(readMoney("-12.05")).toBe(-1205);
expect(readMoney("0.00")).toBe(0);
expect(writeMoney(-7)).toBe("-0.07");
expect(writeMoney(-0)).toBe("0.00");
expect(() => readMoney("-0.00")).toThrow(BadMoney);

// C4: no more and no fewer digits than needed
expect(readMoney("999,999,999,999.99")).toBe(99999999999999);
for (const text of [".50", "01.00", "00.00", "1,000,000,000,000.00"]) expect(() => readMoney(text)).toThrow(BadMoney);

// C5: the message shows the text as JSON
for (const text of ["", "ten", " 1.00", "+1.00", "1.00 ", "--1.00"]) {
  expect(() => readMoney(text)).toThrow(BadMoney);
  expect(() => readMoney(text)).toThrow("no amount: " + JSON.stringify(text));
}

// C6: what is written is read again
fc.assert(
  fc.property(fc.integer({ min: -99_999_999_999_999, max: 99_999_999_999_999 }), (cents) => {
    expect(readMoney(writeMoney(cents))).toBe(cents);
  }),
);

// C6: what are no cents is refused
expect(writeMoney(-99_999_999_999_999)).toBe("-999,999,999,999.99");
for (const cents of [0.5, 1e14, -1e14, Number.NaN]) {
  expect(() => writeMoney(cents)).toThrow(BadCents);
  expect(() => writeMoney(cents)).toThrow("no cents: " + cents);
}
`,
  wrongTests: `
// C2: commas may be left out
expect(readMoney("1234.00")).toBe(123400);

// C3: minus zero is zero
expect(readMoney("-0.00")).toBe(0);

// C1: whole amounts have no point
expect(writeMoney(500)).toBe("5");
`,
  omissions: String.raw`
// C3: missing-edge-case
-   if (!isAmount || text === "-0.00") throw new BadMoney("no amount: " + JSON.stringify(text));
+   if (!isAmount) throw new BadMoney("no amount: " + JSON.stringify(text));
// C2: ignored-constraint
-   const whole = digits.slice(0, -2).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
+   const whole = digits.slice(0, -2);
// C4: wrong-boundary
-   const isAmount = /^-?(?:0|[1-9]\d{0,2}(?:,\d{3}){0,3})\.\d\d$/.test(text);
+   const isAmount = /^-?(?:0|[1-9]\d{0,2}(?:,\d{3}){0,4})\.\d\d$/.test(text);
// C6: missing-error-surface
-   if (!Number.isInteger(cents) || Math.abs(cents) >= 1e14) throw new BadCents("no cents: " + cents);
+   if (Number.isNaN(cents)) throw new BadCents("no cents: " + cents);
// C1: wrong-boundary
-   const digits = String(Math.abs(cents)).padStart(3, "0");
+   const digits = String(Math.abs(cents)).padStart(2, "0");
// C3: missing-edge-case
-   const digits = String(Math.abs(cents)).padStart(3, "0");
+   const digits = String(cents).padStart(3, "0");
// C3: swapped-arguments
-   return (cents < 0 ? "-" : "") + whole + "." + digits.slice(-2);
+   return (cents < 0 ? "" : "-") + whole + "." + digits.slice(-2);
`,
  oracle: ORACLE,
});
