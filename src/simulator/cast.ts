// Who behaves how, as a person spells it: `cheat/skip-tests+slow`, or by role `proposer=lazy,challenger=honest`.
import { Role } from "../domain/artifact/role.ts";
import { CupelError } from "../domain/error.ts";
import { oneOf } from "../domain/one-of.ts";
import { NUMBERED_BEHAVIOURS, PLAIN_BEHAVIOURS } from "./behaviours.ts";
import { type Cheat, LISTED_BY } from "./cheats/port.ts";
import { playCheat } from "./play-cheat.ts";
import type { Behaviour } from "./port.ts";

export interface SimulatedCast {
  /** As it was spelled. */
  readonly spelling: string;
  behavioursOf(role: Role): readonly Behaviour[];
}

/** Those that are named for no role hold for all that are not named. */
export function readCast(spelling: string, cheats: readonly Cheat[]): SimulatedCast {
  const own = new Map<Role, readonly Behaviour[]>();
  let others: readonly Behaviour[] | undefined;
  for (const part of spelling.split(",")) {
    const [left = "", right, ...more] = part.split("=");
    if (more.length > 0) throw twice(part, "one role and what it does, such as proposer=lazy");
    const behaviours = (right ?? left).split("+").map((name) => behaviourNamed(name.trim(), cheats));
    if (right === undefined) {
      if (others !== undefined) throw twice(part, "one entry for all roles that are not named");
      others = behaviours;
    } else {
      const role = oneOf(Role.options, left.trim(), "role");
      if (own.has(role)) throw twice(part, `one entry for the ${role}`);
      own.set(role, behaviours);
    }
  }
  return { spelling, behavioursOf: (role) => own.get(role) ?? others ?? [] };
}

function behaviourNamed(name: string, cheats: readonly Cheat[]): Behaviour {
  const [kind = "", ...rest] = name.split("/");
  const numbered = NUMBERED_BEHAVIOURS[kind];
  if (numbered !== undefined) return numbered.of(numberOf(name, rest, numbered));
  const plain = new Map(PLAIN_BEHAVIOURS.map((each) => [each.name, each]));
  const played = new Map(
    cheats.flatMap((cheat) => [
      [`cheat/${cheat.name}`, () => playCheat(cheat, "cheat")],
      [`twin/${cheat.name}`, () => playCheat(cheat, "twin")],
    ]),
  );
  const known = [...plain.keys(), ...Object.keys(NUMBERED_BEHAVIOURS), ...played.keys()];
  const found = oneOf(known, name, "way to behave", LISTED_BY);
  return plain.get(found) ?? played.get(found)?.() ?? never(found);
}

function numberOf(
  name: string,
  rest: readonly string[],
  { unless, most }: { unless: number; most: number },
): number {
  if (rest.length === 0) return unless;
  const value = Number(rest.join("/"));
  if (rest.join("") !== "" && value >= 0 && value <= most) return value;
  throw new CupelError("usage", `${JSON.stringify(name)} is no way to behave`, {
    expected: `a number from 0 to ${most} behind the slash, or none: ${unless} is what holds then`,
  });
}

function twice(part: string, expected: string): CupelError {
  return new CupelError("usage", `${JSON.stringify(part)} is one too many in the names of simulated agents`, {
    expected,
    hint: "simulator:proposer=cheat/skip-tests+slow,challenger=honest",
  });
}

function never(name: string): never {
  throw new Error(`${name} is listed and not there`);
}
