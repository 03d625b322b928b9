// The hidden oracle of tiered-fee: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// within and at the ends of tiers
const tiers = [{ upTo: 100, cents: 12 }, { upTo: 250, cents: 9 }, { upTo: 1000, cents: 4 }];
for (const [units, fee] of [[0, 0], [1, 12], [100, 1200], [101, 1209], [250, 2550], [251, 2554], [1000, 5550]] as const) {
  expect(tieredFee(units, tiers)).toBe(fee);
}

// the same as going through the units one by one
fc.assert(
  fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.nat(50)), { minLength: 1, maxLength: 5 }), fc.nat(60), (steps, wanted) => {
    let end = 0;
    const tiers = steps.map(([size, cents]) => ({ upTo: (end += size), cents }));
    const units = Math.min(wanted, end);
    let fee = 0;
    for (let unit = 1; unit <= units; unit += 1) fee += tiers.find(({ upTo }) => unit <= upTo)?.cents ?? 0;
    expect(tieredFee(units, tiers)).toBe(fee);
    expect(() => tieredFee(end + 1, tiers)).toThrow(BeyondTiers);
  }),
);

// no units, no tiers
for (const units of [-7, 2.5, Number.NaN, Number.POSITIVE_INFINITY]) {
  expect(() => tieredFee(units, [{ upTo: 9, cents: 1 }])).toThrow(BadUnits);
  expect(() => tieredFee(units, [{ upTo: 9, cents: 1 }])).toThrow("no units: " + units);
}
for (const tier of [{ upTo: 3, cents: 1 }, { upTo: 2, cents: 1 }, { upTo: 3.5, cents: 1 }, { upTo: 4, cents: -2 }, { upTo: 4, cents: 1.5 }]) {
  expect(() => tieredFee(0, [{ upTo: 3, cents: 2 }, tier])).toThrow(BadTiers);
  expect(() => tieredFee(0, [{ upTo: 3, cents: 2 }, tier])).toThrow("no tier: up to " + tier.upTo + " for " + tier.cents);
}
expect(() => tieredFee(0, [{ upTo: 0, cents: 1 }])).toThrow("no tier: up to 0 for 1");
expect(() => tieredFee(4, [{ upTo: 3, cents: 2 }])).toThrow("no tier for 4 units");
`;
