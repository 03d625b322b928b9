// The hidden oracle of apply-vouchers: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// several vouchers
const a = { code: "a", kind: "amount", value: 250 } as const;
const p = { code: "p", kind: "percent", value: 20 } as const;
const q = { code: "q", kind: "percent", value: 50 } as const;
expect(applyVouchers(1000, [a, p])).toEqual({ toPay: 550, used: ["p", "a"] });
expect(applyVouchers(1000, [q, a, p])).toEqual({ toPay: 150, used: ["q", "p", "a"] });
expect(applyVouchers(300, [a, q, p])).toEqual({ toPay: 0, used: ["q", "p", "a"] });
expect(applyVouchers(200, [a, { ...a, code: "b" }])).toEqual({ toPay: 0, used: ["a"] });

// small prices
expect(applyVouchers(3, [{ code: "t", kind: "percent", value: 33 }])).toEqual({ toPay: 3, used: [] });
expect(applyVouchers(199, [{ code: "t", kind: "percent", value: 50 }])).toEqual({ toPay: 100, used: ["t"] });
expect(applyVouchers(1, [{ code: "t", kind: "percent", value: 100 }])).toEqual({ toPay: 0, used: ["t"] });

// percents first, always
const voucher = fc.record({ kind: fc.constantFrom("percent" as const, "amount" as const), value: fc.integer({ min: 1, max: 100 }) });
fc.assert(
  fc.property(fc.nat(3000), fc.array(voucher, { maxLength: 5 }), (cents, list) => {
    const vouchers = list.map((each, index) => ({ ...each, code: "v" + index }));
    let left = cents;
    const used: string[] = [];
    for (const { code, kind, value } of [...vouchers.filter((v) => v.kind === "percent"), ...vouchers.filter((v) => v.kind === "amount")]) {
      const next = kind === "percent" ? left - Math.floor((left * value) / 100) : Math.max(0, left - value);
      if (next !== left) used.push(code);
      left = next;
    }
    expect(applyVouchers(cents, vouchers)).toEqual({ toPay: left, used });
  }),
);

// what is refused
for (const cents of [-100, 0.01, Number.POSITIVE_INFINITY]) expect(() => applyVouchers(cents, [])).toThrow(BadPrice);
expect(() => applyVouchers(-3, [])).toThrow("no price: -3");
for (const [kind, value] of [["percent", 200], ["percent", 0], ["amount", -1], ["percent", 2.5]] as const) {
  expect(() => applyVouchers(9, [a_(kind, value)])).toThrow(BadVoucher);
  expect(() => applyVouchers(9, [a_(kind, value)])).toThrow("no voucher: z");
}
expect(() => applyVouchers(9, [a_("amount", 1), a_("percent", 1)])).toThrow(VoucherTwice);
expect(() => applyVouchers(9, [a_("amount", 1), a_("amount", 1)])).toThrow("twice: z");
function a_(kind: "percent" | "amount", value: number) {
  return { code: "z", kind, value };
}
`;
