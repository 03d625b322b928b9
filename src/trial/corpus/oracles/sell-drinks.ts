// The hidden oracle of sell-drinks: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// whole days at the machine
const coin = (cents: number) => ({ kind: "coin" as const, cents });
const buy = { kind: "buy" as const };
const cancel = { kind: "cancel" as const };
expect(sellDrinks(120, 2, [coin(100), buy, coin(20), buy, buy])).toEqual(["100 in", "20 missing", "120 in", "drink, 0 back", "120 missing"]);
expect(sellDrinks(60, 1, [coin(200), buy, buy, coin(30), coin(10), cancel])).toEqual(["200 in", "drink, 140 back", "sold out", "30 refused", "10 in", "10 back"]);
expect(sellDrinks(30, 5, [cancel, coin(50), cancel, cancel])).toEqual(["0 back", "50 in", "50 back", "0 back"]);
expect(sellDrinks(10, 1, [coin(10), buy, coin(20), buy, coin(20), cancel])).toEqual(["10 in", "drink, 0 back", "20 in", "sold out", "40 in", "40 back"]);

// no cent is lost
const step = fc.oneof(fc.constantFrom(5, 10, 20, 50, 100, 200, 300).map(coin_), fc.constantFrom({ kind: "buy" as const }, { kind: "cancel" as const }));
fc.assert(
  fc.property(fc.integer({ min: 1, max: 30 }), fc.nat(3), fc.array(step, { maxLength: 25 }), (tens, stock, steps) => {
    const answers = sellDrinks(tens * 10, stock, [...steps, { kind: "cancel" }]);
    const sold = answers.filter((each) => each.startsWith("drink")).length;
    const taken = steps.reduce((sum, each, at) => (each.kind === "coin" && answers[at]?.endsWith(" in") ? sum + each.cents : sum), 0);
    const back = answers.reduce((sum, each) => sum + Number(/([0-9]+) back$/.exec(each)?.[1] ?? 0), 0);
    expect(taken).toBe(back + sold * tens * 10);
    expect(sold).toBeLessThanOrEqual(stock);
  }),
);
function coin_(cents: number) {
  return { kind: "coin" as const, cents };
}

// what is refused
for (const price of [5, 101, 1020, -20, 0]) {
  expect(() => sellDrinks(price, 3, [])).toThrow(BadPrice);
  expect(() => sellDrinks(price, 3, [])).toThrow("no price: " + price);
}
for (const stock of [-2, 1.5]) {
  expect(() => sellDrinks(100, stock, [])).toThrow(BadStock);
  expect(() => sellDrinks(100, stock, [])).toThrow("no stock: " + stock);
}
expect(sellDrinks(1000, 1, [{ kind: "buy" }])).toEqual(["1000 missing"]);
`;
