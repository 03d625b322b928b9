// The modules of the sample product, as honest agents would write them.
import { example } from "../src/simulator/cases/module-sketch.ts";
import { sample, type SampleModule } from "./invoice-samples.ts";

const PARSE_AMOUNT = sample({
  name: "parse-amount",
  purpose: "Reads an amount of money such as 12.30 and gives it in cents.",
  tags: ["money", "parse"],
  entry: "parseAmount",
  signature: "(text: string) => number",
  inputs: [
    {
      name: "text",
      type: "string",
      constraint: "is one to nine digits, a dot and two digits",
      requires: String.raw`/^\d{1,9}\.\d{2}$/.test(args[0])`,
    },
  ],
  output: {
    name: "cents",
    type: "number",
    invariant: "is a whole number that is not negative",
    ensures: "Number.isInteger(result) && result >= 0",
  },
  error: {
    name: "BadAmount",
    when: "the text is no amount",
    throws: 'error.message.startsWith("no amount")',
  },
  files: {
    "src/index.ts": String.raw`/** Thrown when the text is no amount. */
export class BadAmount extends Error {}

/** The cents of an amount such as "12.30". */
export function parseAmount(text: string): number {
  const parts = /^(\d{1,9})\.(\d{2})$/.exec(text);
  if (parts === null) throw new BadAmount("no amount: " + JSON.stringify(text));
  return Number(parts[1]) * 100 + Number(parts[2]);
}
`,
    "test/parse-amount.test.ts": String.raw`import fc from "fast-check";
import { expect, test } from "vitest";
import { BadAmount, parseAmount } from "../src/index.ts";

test.each([
  ["12.30", 1230],
  ["0.05", 5],
  ["7.00", 700],
  ["123456789.99", 12345678999],
])("%s is %d cents", (text, cents) => {
  expect(parseAmount(text)).toBe(cents);
});

test.each(["", "12", "12.3", "12.345", "x12.30", "12.30x", "1234567890.00", ".50", "12,30"])(
  "%j is no amount",
  (text) => {
    expect(() => parseAmount(text)).toThrow(BadAmount);
    expect(() => parseAmount(text)).toThrow("no amount: " + JSON.stringify(text));
  },
);

test("every amount comes back", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99999999999 }), (cents) => {
      const text = Math.floor(cents / 100) + "." + String(cents % 100).padStart(2, "0");
      expect(parseAmount(text)).toBe(cents);
    }),
  );
});
`,
    "examples.md": [
      example("parseAmount", "parse-amount", "an amount in cents", 'parseAmount("12.30")', "json", "1230"),
      example(
        "parseAmount",
        "parse-amount",
        "a text that is none",
        'parseAmount("12,30")',
        "error",
        'BadAmount: no amount: "12,30"',
      ),
    ].join("\n"),
  },
});

const NET_TOTAL = sample({
  name: "net-total",
  purpose: "Adds up amounts of money and gives their sum in cents.",
  dependsOn: ["parse-amount"],
  tags: ["money", "sum"],
  entry: "netTotal",
  signature: "(amounts: readonly string[]) => number",
  inputs: [
    {
      name: "amounts",
      type: "readonly string[]",
      constraint: "is not empty",
      requires: "args[0].length > 0",
    },
  ],
  output: {
    name: "total",
    type: "number",
    invariant: "is a whole number that is not negative",
    ensures: "Number.isInteger(result) && result >= 0",
  },
  error: {
    name: "NoAmounts",
    when: "there is nothing to add up",
    throws: 'error.message === "nothing to add up"',
  },
  files: {
    "src/index.ts": `import { parseAmount } from "#modules/parse-amount";

/** Thrown when there is nothing to add up. */
export class NoAmounts extends Error {}

/** The sum of amounts such as "12.30", in cents. */
export function netTotal(amounts: readonly string[]): number {
  if (amounts.length === 0) throw new NoAmounts("nothing to add up");
  return amounts.reduce((total, amount) => total + parseAmount(amount), 0);
}
`,
    "test/net-total.test.ts": `import fc from "fast-check";
import { expect, test } from "vitest";
import { netTotal, NoAmounts } from "../src/index.ts";

test.each([
  [["12.30"], 1230],
  [["0.05", "0.10", "1.00"], 115],
  [["3.00", "3.00"], 600],
])("%j is %d cents", (amounts, total) => {
  expect(netTotal(amounts)).toBe(total);
});

test("nothing has no total", () => {
  expect(() => netTotal([])).toThrow(NoAmounts);
  expect(() => netTotal([])).toThrow("nothing to add up");
});

test("the total is the sum of the cents", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 99999 }), { minLength: 1, maxLength: 8 }), (cents) => {
      const amounts = cents.map((each) => (each / 100).toFixed(2));
      expect(netTotal(amounts)).toBe(cents.reduce((sum, each) => sum + each, 0));
    }),
  );
});
`,
    "test/net-total.integration.test.ts": `import { expect, test } from "vitest";
import { netTotal } from "../src/index.ts";

test("an amount that is none is told", () => {
  expect(() => netTotal(["1.00", "x"])).toThrow("no amount");
});
`,
    "examples.md": [
      example("netTotal", "net-total", "a sum in cents", 'netTotal(["1.00", "2.50"])', "json", "350"),
      example("netTotal", "net-total", "nothing", "netTotal([])", "error", "NoAmounts: nothing to add up"),
    ].join("\n"),
  },
});

const VAT = sample({
  name: "vat",
  purpose: "Gives the value-added tax on an amount of money in whole cents.",
  dependsOn: ["parse-amount"],
  tags: ["money", "tax"],
  entry: "vat",
  signature: "(amount: string, percent: number) => number",
  inputs: [
    { name: "amount", type: "string" },
    {
      name: "percent",
      type: "number",
      constraint: "is from 0 to 100",
      requires: "args[1] >= 0 && args[1] <= 100",
    },
  ],
  output: {
    name: "tax",
    type: "number",
    invariant: "is a whole number that is not negative",
    ensures: "Number.isInteger(result) && result >= 0",
  },
  error: {
    name: "BadRate",
    when: "the percentage is below 0 or above 100",
    throws: 'error.message.startsWith("no rate")',
  },
  files: {
    "src/index.ts": `import { parseAmount } from "#modules/parse-amount";

/** Thrown when the percentage is below 0 or above 100. */
export class BadRate extends Error {}

/** The tax on an amount such as "12.30" in cents, rounded to the nearest one. */
export function vat(amount: string, percent: number): number {
  if (!(percent >= 0 && percent <= 100)) throw new BadRate("no rate: " + percent);
  return Math.round((parseAmount(amount) * percent) / 100);
}
`,
    "test/vat.test.ts": `import fc from "fast-check";
import { expect, test } from "vitest";
import { BadRate, vat } from "../src/index.ts";

test.each([
  ["100.00", 19, 1900],
  ["0.10", 19, 2],
  ["0.01", 19, 0],
  ["10.00", 0, 0],
  ["10.00", 100, 1000],
])("the tax on %s at %d percent is %d cents", (amount, percent, tax) => {
  expect(vat(amount, percent)).toBe(tax);
});

test.each([-0.5, 100.5, Number.NaN])("%d is no rate", (percent) => {
  expect(() => vat("1.00", percent)).toThrow(BadRate);
  expect(() => vat("1.00", percent)).toThrow("no rate: " + percent);
});

test("a percentage of a hundred is itself", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), (percent) => {
      expect(vat("100.00", percent)).toBe(percent * 100);
    }),
  );
});
`,
    "test/vat.integration.test.ts": `import { expect, test } from "vitest";
import { vat } from "../src/index.ts";

test("an amount that is none is told", () => {
  expect(() => vat("x", 19)).toThrow("no amount");
});
`,
    "examples.md": [
      example("vat", "vat", "the tax in cents", 'vat("100.00", 19)', "json", "1900"),
      example("vat", "vat", "a rate that is none", 'vat("100.00", 101)', "error", "BadRate: no rate: 101"),
    ].join("\n"),
  },
});

const INVOICE_LINE = sample({
  name: "invoice-line",
  purpose: "Writes one line of an invoice with its net sum and its tax.",
  dependsOn: ["net-total", "vat"],
  tags: ["invoice", "text"],
  entry: "invoiceLine",
  signature: "(title: string, amount: string, percent: number) => string",
  inputs: [
    { name: "title", type: "string", constraint: "is not blank", requires: 'args[0].trim() !== ""' },
    { name: "amount", type: "string" },
    { name: "percent", type: "number" },
  ],
  output: {
    name: "line",
    type: "string",
    invariant: "begins with the title",
    ensures: "result.startsWith(args[0])",
  },
  error: {
    name: "BlankTitle",
    when: "the title is blank",
    throws: 'error.message === "a line needs a title"',
  },
  files: {
    "src/index.ts": `import { netTotal } from "#modules/net-total";
import { vat } from "#modules/vat";

/** Thrown when the title is blank. */
export class BlankTitle extends Error {}

/** One line of an invoice, such as "Paper: 10.00 + 1.90". */
export function invoiceLine(title: string, amount: string, percent: number): string {
  if (title.trim() === "") throw new BlankTitle("a line needs a title");
  return title + ": " + money(netTotal([amount])) + " + " + money(vat(amount, percent));
}

function money(cents: number): string {
  return (cents / 100).toFixed(2);
}
`,
    "test/invoice-line.test.ts": `import fc from "fast-check";
import { expect, test } from "vitest";
import { BlankTitle, invoiceLine } from "../src/index.ts";

test.each([
  ["Paper", "10.00", 19, "Paper: 10.00 + 1.90"],
  ["Ink", "0.50", 7, "Ink: 0.50 + 0.04"],
])("%s at %s and %d percent", (title, amount, percent, line) => {
  expect(invoiceLine(title, amount, percent)).toBe(line);
});

test.each(["", "  "])("%j is no title", (title) => {
  expect(() => invoiceLine(title, "1.00", 19)).toThrow(BlankTitle);
  expect(() => invoiceLine(title, "1.00", 19)).toThrow("a line needs a title");
});

test("the tax on a hundred is the percentage", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), (percent) => {
      expect(invoiceLine("Paper", "100.00", percent)).toBe("Paper: 100.00 + " + percent + ".00");
    }),
  );
});
`,
    "test/invoice-line.integration.test.ts": `import { expect, test } from "vitest";
import { invoiceLine } from "../src/index.ts";

test("what the parts refuse is refused", () => {
  expect(() => invoiceLine("Paper", "x", 19)).toThrow("no amount");
  expect(() => invoiceLine("Paper", "1.00", 101)).toThrow("no rate");
});
`,
    "examples.md": [
      example(
        "invoiceLine",
        "invoice-line",
        "a line",
        'invoiceLine("Paper", "10.00", 19)',
        "json",
        '"Paper: 10.00 + 1.90"',
      ),
      example(
        "invoiceLine",
        "invoice-line",
        "no title",
        'invoiceLine(" ", "10.00", 19)',
        "error",
        "BlankTitle: a line needs a title",
      ),
    ].join("\n"),
  },
});

const INITIALS = sample({
  name: "initials",
  purpose: "Gives the initials of a name in capital letters.",
  tags: ["names", "text"],
  entry: "initials",
  signature: "(name: string) => string",
  inputs: [{ name: "name", type: "string", constraint: "is not blank", requires: 'args[0].trim() !== ""' }],
  output: {
    name: "letters",
    type: "string",
    invariant: "has one letter for each word",
    ensures: String.raw`result.length === args[0].trim().split(/\s+/).length`,
  },
  error: { name: "BlankName", when: "the name is blank", throws: 'error.message === "a name is needed"' },
  files: {
    "src/index.ts": String.raw`/** Thrown when the name is blank. */
export class BlankName extends Error {}

/** The initials of a name such as "ada lovelace". */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  if (words[0] === "") throw new BlankName("a name is needed");
  return words.map((word) => word.charAt(0).toUpperCase()).join("");
}
`,
    "test/initials.test.ts": String.raw`import fc from "fast-check";
import { expect, test } from "vitest";
import { BlankName, initials } from "../src/index.ts";

test.each([
  ["ada lovelace", "AL"],
  ["  Grace   Brewster Hopper ", "GBH"],
  ["x", "X"],
])("the initials of %j are %s", (name, letters) => {
  expect(initials(name)).toBe(letters);
});

test.each(["", "  "])("%j has none", (name) => {
  expect(() => initials(name)).toThrow(BlankName);
  expect(() => initials(name)).toThrow("a name is needed");
});

test("there is one letter for each word", () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(words, (list) => {
      expect(initials(list.join(" "))).toHaveLength(list.length);
    }),
  );
});
`,
    "examples.md": [
      example("initials", "initials", "two words", 'initials("ada lovelace")', "json", '"AL"'),
      example("initials", "initials", "no name", 'initials(" ")', "error", "BlankName: a name is needed"),
    ].join("\n"),
  },
});

/** In the order of the plan. */
export const INVOICE: readonly SampleModule[] = [PARSE_AMOUNT, NET_TOTAL, VAT, INVOICE_LINE, INITIALS];
