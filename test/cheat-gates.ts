// Judges the work of a cheat or a twin by the gates of the ship door alone, without a run around it.
import { debate } from "../src/protocols/debate/protocol.ts";
import type { Cheat } from "../src/simulator/cheats/port.ts";
import { EVERY_CASE } from "../src/simulator/cases/every-case.ts";
import { workOf } from "../src/simulator/play-cheat.ts";
import { blockersOf, verdictsOn } from "./case-gates.ts";

/** Only what gates alone can judge: another part of the factory refuses the rest, on a real run. */
export function isForGates({ case: on, refusedBy }: Cheat): boolean {
  return on === "split-grams" && refusedBy.some((each) => each !== "harness" && each !== "barrier");
}

/** The gates that block it, with the first finding of each. */
export async function blockedBy(cheat: Cheat, as: "cheat" | "twin"): Promise<string[]> {
  const about = EVERY_CASE.find(({ name }) => name === cheat.case);
  if (about === undefined) throw new Error(`there is no case ${cheat.case}`);
  const honest = workOf(about);
  if (as === "twin") return blockersOf(await verdictsOn(about, cheat.twin(honest), debate.gates));
  // The others may refuse it as well; whether these do is what is asked.
  const asked = debate.gates.filter((gate) => cheat.refusedBy.includes(gate));
  return blockersOf(await verdictsOn(about, cheat.cheat(honest), asked));
}
