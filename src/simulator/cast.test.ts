// Who behaves how, as people spell it; what they misspell is told with the nearest name.
import { describe, expect, test } from "vitest";
import type { Role } from "../domain/artifact/role.ts";
import { readCast } from "./cast.ts";
import type { Cheat } from "./cheats/port.ts";

const CHEAT: Cheat = {
  name: "skip-tests",
  family: "tests",
  does: "skips",
  twinDoes: "does not",
  cheat: (work) => work,
  twin: (work) => work,
  refusedBy: ["green"],
};

function namesOf(spelling: string, role: Role): string {
  return readCast(spelling, [CHEAT])
    .behavioursOf(role)
    .map(({ name }) => name)
    .join(" ");
}

describe("a cast", () => {
  test.each([
    ["honest", "proposer", "honest"],
    ["cheat/skip-tests", "builder", "cheat/skip-tests"],
    ["lazy+slow/20", "tests", "lazy slow/20"],
    ["flaky", "impl", "flaky/0.3"],
    ["proposer=cheat/skip-tests+slow,challenger=honest", "proposer", "cheat/skip-tests slow/500"],
    ["proposer=cheat/skip-tests+slow,challenger=honest", "challenger", "honest"],
    ["proposer=cheat/skip-tests+slow,challenger=honest", "arbiter", ""],
    ["twin/skip-tests,arbiter=silent", "builder", "twin/skip-tests"],
    ["twin/skip-tests, arbiter = silent", "arbiter", "silent"],
  ] as const)("%s: the %s is %s", (spelling, role, names) => {
    expect(namesOf(spelling, role)).toBe(names);
  });

  test.each([
    ["hones", 'there is no way to behave "hones"', "did you mean honest?"],
    ["cheat/skip-test", 'there is no way to behave "cheat/skip-test"', "did you mean cheat/skip-tests?"],
    ["proposr=lazy", 'there is no role "proposr"', "did you mean proposer?"],
    ["lazy,honest", '"honest" is one too many', "simulator:"],
    ["impl=lazy,impl=honest", '"impl=honest" is one too many', "simulator:"],
    ["flaky/2", '"flaky/2" is no way to behave', undefined],
    ["", 'there is no way to behave ""', undefined],
  ])("%j is refused", (spelling, message, hint) => {
    let thrown: unknown;
    try {
      readCast(spelling, [CHEAT]);
    } catch (error) {
      thrown = error;
    }
    expect(String(thrown)).toContain(message);
    if (hint !== undefined) expect(thrown).toHaveProperty("hint", expect.stringContaining(hint));
  });
});
