// What a reviewer thinks of a thing: what is wrong it sees with its sensitivity, what is right it lets pass with its specificity.
import { chance } from "../../domain/chance.ts";
import type { Draw } from "./draw-code.ts";

/** `of` names what is looked at and how often that was done before. */
export function findsFault({ task, seed, parameters }: Draw, of: string, isWrong: boolean): boolean {
  const drawn = chance(seed, `${task.id} reviewer ${of}`)();
  return isWrong ? drawn < parameters.sensitivity : drawn >= parameters.specificity;
}
