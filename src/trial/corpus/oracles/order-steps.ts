// The hidden oracle of order-steps: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// by hand
const step = (name: string, ...after: string[]) => ({ name, after });
expect(orderSteps([step("z"), step("y", "z"), step("x", "y")])).toEqual(["z", "y", "x"]);
expect(orderSteps([step("d", "b", "c"), step("c", "a"), step("b", "a"), step("a")])).toEqual(["a", "b", "c", "d"]);
expect(orderSteps([step("m"), step("B"), step("a", "m")])).toEqual(["B", "m", "a"]);
expect(orderSteps([step("only")])).toEqual(["only"]);
expect(orderSteps([step("k", "j", "j"), step("j")])).toEqual(["j", "k"]);

// the next one is always the first that can come
const names = ["a", "b", "c", "d", "e", "f"];
fc.assert(
  fc.property(fc.array(fc.tuple(fc.nat(5), fc.nat(5)), { maxLength: 10 }), fc.shuffledSubarray(names, { minLength: 6 }), (pairs, ranks) => {
    const steps = ranks.map((name, index) => ({
      name,
      after: pairs.filter(([to, from]) => to === index && from < index).map(([, from]) => ranks[from] ?? ""),
    }));
    const order = orderSteps(steps);
    order.forEach((name, place) => {
      const done = order.slice(0, place);
      const ready = steps.filter((each) => !done.includes(each.name) && each.after.every((one) => done.includes(one)));
      expect(name).toBe(ready.map((each) => each.name).toSorted()[0]);
    });
    expect(order.length).toBe(6);
  }),
);

// what is refused
const step = (name: string, ...after: string[]) => ({ name, after });
expect(() => orderSteps([step("p"), step("p", "p")])).toThrow(StepTwice);
expect(() => orderSteps([step("q"), step("p"), step("q")])).toThrow("two steps are called q");
expect(() => orderSteps([step("p", "q", "r"), step("q")])).toThrow(UnknownStep);
expect(() => orderSteps([step("p", "r")])).toThrow("p waits for r, which is no step");
expect(() => orderSteps([step("p", "q"), step("q", "p"), step("a")])).toThrow(Circle);
expect(() => orderSteps([step("q", "p"), step("p", "q"), step("a"), step("r", "a")])).toThrow(/^a circle of p, q$/);
expect(() => orderSteps([step("p", "p")])).toThrow(/^a circle of p$/);
`;
