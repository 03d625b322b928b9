// What an agent of a role must not see of a case: looked for in what its tools told it.
import type { Role } from "../../domain/artifact/role.ts";
import type { Files } from "../../toolchains/port.ts";
import type { SimulatedCase } from "../port.ts";

/** Roles that write blind to each other, and the side of the case that each must not see. */
const BLIND_TO: Readonly<Partial<Record<Role, "sources" | "tests">>> = { tests: "sources", impl: "tests" };

/** Lines that nobody would write by chance: of sealed modules, and of the other side. */
export function secretsFor(
  role: Role,
  about: SimulatedCase,
  dependencies: readonly SimulatedCase[],
): string[] {
  const blindTo = BLIND_TO[role];
  return [
    ...dependencies.flatMap(({ sources, tests }) => [...tellingLines(sources), ...tellingLines(tests)]),
    ...(blindTo === undefined ? [] : tellingLines(about[blindTo])),
  ];
}

const SHORTEST = 30;

/** Imports, declarations and comments are in every skeleton. */
function tellingLines(files: Files): string[] {
  return Object.values(files)
    .flatMap((text) => text.split("\n"))
    .map((line) => line.trim())
    .filter((line) => line.length >= SHORTEST && !/^(import|export|\/\*|\/\/)/.test(line));
}
