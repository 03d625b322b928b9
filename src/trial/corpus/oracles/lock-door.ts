// The hidden oracle of lock-door: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// open, wrong, shut
const at = (second: number, typed: string) => ({ second, typed });
expect(lockDoor("0007", [at(1, "7"), at(2, "0007"), at(3, "007")])).toEqual(["wrong", "open", "wrong"]);
expect(lockDoor("0007", [at(1, "a"), at(2, "b"), at(40, "c"), at(41, "0007"), at(99, "0007"), at(100, "0007")])).toEqual(["wrong", "wrong", "wrong", "shut", "shut", "open"]);
expect(lockDoor("0007", [at(0, "a"), at(0, "a"), at(0, "0007"), at(0, "a"), at(0, "a"), at(0, "a"), at(59, "0007"), at(60, "a"), at(60, "a"), at(60, "0007")])).toEqual(["wrong", "wrong", "open", "wrong", "wrong", "wrong", "shut", "wrong", "wrong", "open"]);

// the same as a machine written from the other side
const attempt = fc.tuple(fc.nat(25), fc.constantFrom("5555", "no"));
fc.assert(
  fc.property(fc.array(attempt, { maxLength: 30 }), (steps) => {
    let second = 0;
    const attempts = steps.map(([gap, typed]) => ({ second: (second += gap), typed }));
    const wrongAt: number[] = [];
    let locked: number | undefined;
    const expected = attempts.map((each) => {
      if (locked !== undefined && each.second - locked < 60) return "shut";
      locked = undefined;
      if (each.typed === "5555") {
        wrongAt.length = 0;
        return "open";
      }
      wrongAt.push(each.second);
      if (wrongAt.length === 3) locked = wrongAt.splice(0).at(-1);
      return "wrong";
    });
    expect(lockDoor("5555", attempts)).toEqual(expected);
  }),
);

// what is refused
for (const code of ["12 4", "abcd", "99999", "-123", "1.23"]) {
  expect(() => lockDoor(code, [])).toThrow(BadCode);
  expect(() => lockDoor(code, [])).toThrow(/^the code must be four digits$/);
}
for (const seconds of [[1, 0], [0, 0, 0, 9, 8], [3, 4, 3]]) {
  const attempts = seconds.map((second) => ({ second, typed: "no" }));
  expect(() => lockDoor("1111", attempts)).toThrow(TimeWentBack);
  expect(() => lockDoor("1111", attempts)).toThrow("time went back to " + seconds.at(-1));
}
`;
