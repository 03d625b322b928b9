// Builtin task: takes vouchers off a price.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/apply-vouchers.ts";

const VOUCHER = '{ code: string; kind: "percent" | "amount"; value: number }';

export const APPLY_VOUCHERS = builtinTask({
  id: "apply-vouchers",
  area: "money",
  title: "Take vouchers off a price",
  purpose: "Takes vouchers off a price in cents, and says what is to pay and which of them were used.",
  tags: ["money", "voucher"],
  entries: [
    {
      entry: "applyVouchers",
      signature: `(cents: number, vouchers: readonly ${VOUCHER}[]) => { toPay: number; used: string[] }`,
      inputs: [
        {
          name: "cents",
          type: "number",
          constraint: "is a whole number that is not negative",
          requires: "Number.isInteger(args[0]) && args[0] >= 0",
        },
        {
          name: "vouchers",
          type: `readonly ${VOUCHER}[]`,
          constraint: "has whole values of at least 1, of percents at most 100",
          requires:
            'args[1].every((each) => Number.isInteger(each.value) && each.value >= 1 && (each.kind === "amount" || each.value <= 100))',
        },
      ],
      output: {
        name: "price",
        type: "{ toPay: number; used: string[] }",
        invariants: [
          {
            invariant: "is not negative and not above the price before",
            ensures: "result.toPay >= 0 && result.toPay <= args[0] && result.used.length <= args[1].length",
          },
        ],
      },
      errors: [
        { name: "BadPrice", when: "the price is none", says: "no price: " },
        {
          name: "BadVoucher",
          when: "the value of a voucher is none",
          says: "no voucher: ",
        },
        { name: "VoucherTwice", when: "a code comes twice", says: "twice: " },
      ],
      examples: [
        {
          title: "ten percent, then five",
          args: [
            "1000",
            '[{ code: "FIVE", kind: "amount", value: 500 }, { code: "TEN", kind: "percent", value: 10 }]',
          ],
          gives: '{ "toPay": 400, "used": ["TEN", "FIVE"] }',
        },
        { title: "no vouchers", args: ["5", "[]"], gives: '{"toPay":5,"used":[]}' },
        { title: "half a cent", args: ["0.5", "[]"], throws: "BadPrice: no price: 0.5" },
        {
          title: "too much",
          args: ["10", '[{ code: "X", kind: "percent", value: 101 }]'],
          throws: "BadVoucher: no voucher: X",
        },
        {
          title: "the same twice",
          args: ["10", '[{ code: "X", kind: "amount", value: 1 }, { code: "X", kind: "amount", value: 1 }]'],
          throws: "VoucherTwice: twice: X",
        },
      ],
    },
  ],
  constraints: {
    C1: "A voucher of kind `amount` takes its value in cents off, one of kind `percent` so many percent of what is left.",
    C2: "Percents come before amounts, whatever their order; among themselves they keep it, and so does `used`.",
    C3: "What percents take off is rounded down to whole cents.",
    C4: "Nothing goes below 0, and a voucher that would take nothing off is not used.",
    C5: "A price that is not whole or is negative throws BadPrice: `no price: ` and it.",
    C6: "A value that is not whole, below 1, or above 100 where it is a percent, throws BadVoucher: `no voucher: ` and its code.",
    C7: "A code that comes twice throws VoucherTwice: `twice: ` and the code.",
  },
  source: `/** Thrown when a price is none. */
export class BadPrice extends Error {}

/** Thrown when the value of a voucher is none. */
export class BadVoucher extends Error {}

/** Thrown when a code comes twice. */
export class VoucherTwice extends Error {}

type Voucher = ${VOUCHER};

/** What is to pay after all vouchers, and the codes of those that took something off. */
export function applyVouchers(cents: number, vouchers: readonly Voucher[]): { toPay: number; used: string[] } {
  if (!Number.isInteger(cents) || cents < 0) throw new BadPrice("no price: " + cents);
  const codes = new Set<string>();
  for (const voucher of vouchers) {
    if (!isGood(voucher)) throw new BadVoucher("no voucher: " + voucher.code);
    if (codes.has(voucher.code)) throw new VoucherTwice("twice: " + voucher.code);
    codes.add(voucher.code);
  }
  const used: string[] = [];
  let toPay = cents;
  for (const kind of ["percent", "amount"]) {
    for (const voucher of vouchers.filter((each) => each.kind === kind)) {
      const off = kind === "percent" ? Math.floor((toPay * voucher.value) / 100) : Math.min(toPay, voucher.value);
      if (off > 0) used.push(voucher.code);
      toPay -= off;
    }
  }
  return { toPay, used };
}

function isGood({ kind, value }: Voucher): boolean {
  return Number.isInteger(value) && value >= 1 && (kind === "amount" || value <= 100);
}
`,
  tests: `
// C1: amounts and percents are taken off
expect(applyVouchers(1000, [{ code: "A", kind: "amount", value: 300 }])).toEqual({ toPay: 700, used: ["A"] });
expect(applyVouchers(1000, [{ code: "P", kind: "percent", value: 25 }])).toEqual({ toPay: 750, used: ["P"] });

// C1: one amount is taken off as far as it goes
fc.assert(
  fc.property(fc.nat(5000), fc.integer({ min: 1, max: 5000 }), (cents, value) => {
    const { toPay } = applyVouchers(cents, [{ code: "A", kind: "amount", value }]);
    expect(toPay).toBe(Math.max(0, cents - value));
  }),
);

// C2: percents come before amounts
const amount = { code: "A", kind: "amount", value: 500 } as const;
const half = { code: "H", kind: "percent", value: 50 } as const;
const tenth = { code: "T", kind: "percent", value: 10 } as const;
expect(applyVouchers(2000, [amount, half, tenth])).toEqual({ toPay: 400, used: ["H", "T", "A"] });

// C3: what percents take off is rounded down
expect(applyVouchers(99, [{ code: "P", kind: "percent", value: 10 }])).toEqual({ toPay: 90, used: ["P"] });
expect(applyVouchers(15, [{ code: "P", kind: "percent", value: 10 }])).toEqual({ toPay: 14, used: ["P"] });

// C4: nothing goes below 0 and nothing is used in vain
const vouchers = [{ code: "A", kind: "amount", value: 70 }, { code: "B", kind: "amount", value: 1 }] as const;
expect(applyVouchers(50, vouchers)).toEqual({ toPay: 0, used: ["A"] });
expect(applyVouchers(9, [{ code: "P", kind: "percent", value: 10 }])).toEqual({ toPay: 9, used: [] });

// C5: what is no price is refused
expect(applyVouchers(0, [])).toEqual({ toPay: 0, used: [] });
for (const cents of [-1, 1.5, Number.NaN]) {
  expect(() => applyVouchers(cents, [])).toThrow(BadPrice);
  expect(() => applyVouchers(cents, [])).toThrow("no price: " + cents);
}

// C6: what is no value is refused
expect(applyVouchers(500, [{ code: "P", kind: "percent", value: 100 }])).toEqual({ toPay: 0, used: ["P"] });
expect(applyVouchers(500, [{ code: "P", kind: "amount", value: 101 }])).toEqual({ toPay: 399, used: ["P"] });
expect(applyVouchers(500, [{ code: "P", kind: "amount", value: 1 }])).toEqual({ toPay: 499, used: ["P"] });
for (const [kind, value] of [["percent", 101], ["percent", 0], ["amount", 0], ["amount", 1.5], ["percent", -5]] as const) {
  expect(() => applyVouchers(500, [{ code: "Q", kind, value }])).toThrow(BadVoucher);
  expect(() => applyVouchers(500, [{ code: "Q", kind, value }])).toThrow("no voucher: Q");
}

// C7: a code that comes twice is refused
const one = { code: "ONE", kind: "amount", value: 1 } as const;
expect(() => applyVouchers(500, [one, { code: "ONE", kind: "percent", value: 2 }])).toThrow(VoucherTwice);
expect(() => applyVouchers(500, [{ ...one, code: "TWO" }, one, one])).toThrow("twice: ONE");
`,
  wrongTests: `
// C2: vouchers are taken off in their order
const vouchers = [{ code: "A", kind: "amount", value: 500 }, { code: "P", kind: "percent", value: 10 }] as const;
expect(applyVouchers(1000, vouchers)).toEqual({ toPay: 450, used: ["A", "P"] });

// C3: percents are rounded to the nearest cent
expect(applyVouchers(99, [{ code: "P", kind: "percent", value: 10 }]).toPay).toBe(89);

// C4: every voucher counts as used
expect(applyVouchers(0, [{ code: "A", kind: "amount", value: 5 }]).used).toEqual(["A"]);
`,
  omissions: `
// C2: ignored-constraint
-   for (const kind of ["percent", "amount"]) {
+   for (const kind of ["amount", "percent"]) {
// C4: missing-edge-case
-       const off = kind === "percent" ? Math.floor((toPay * voucher.value) / 100) : Math.min(toPay, voucher.value);
+       const off = kind === "percent" ? Math.floor((toPay * voucher.value) / 100) : voucher.value;
// C4: missing-edge-case
-       if (off > 0) used.push(voucher.code);
+       if (off >= 0) used.push(voucher.code);
// C7: missing-error-surface
-     if (codes.has(voucher.code)) throw new VoucherTwice("twice: " + voucher.code);
// C6: wrong-boundary
-   return Number.isInteger(value) && value >= 1 && (kind === "amount" || value <= 100);
+   return Number.isInteger(value) && value >= 1 && (kind === "amount" || value < 100);
// C3: ignored-constraint
-       const off = kind === "percent" ? Math.floor((toPay * voucher.value) / 100) : Math.min(toPay, voucher.value);
+       const off = kind === "percent" ? (toPay * voucher.value) / 100 : Math.min(toPay, voucher.value);
`,
  oracle: ORACLE,
});
