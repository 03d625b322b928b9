// What two blind agents may hear of each other: names that both were given anyway, and nothing else.
import { z } from "zod";
import { Text } from "../refs.ts";
import type { FunctionSpec } from "./function-spec.ts";
import { sketchesOf } from "./function-spec.ts";

export const Echoes = z.strictObject({
  /** Functions that the implementer works on. */
  fromImpl: z.array(Text),
  /** Sketched properties that the testers assert. */
  fromTests: z.array(Text),
});
export type Echoes = z.infer<typeof Echoes>;

export interface Heard {
  echoes: Echoes;
  /** How many words did not stand in the specification; each could have been a message. */
  dropped: number;
}

/** Names come out as the specification writes them and in its order, so that not even the order tells anything. */
export function filterEchoes(said: Echoes, functions: readonly FunctionSpec[]): Heard {
  const names = functions.map(({ name }) => name);
  const sketches = sketchesOf(functions).map(({ name }) => name);
  const fromImpl = names.filter((name) => said.fromImpl.includes(name));
  const fromTests = sketches.filter((name) => said.fromTests.includes(name));
  return {
    echoes: { fromImpl, fromTests },
    dropped: strange(said.fromImpl, names) + strange(said.fromTests, sketches),
  };
}

function strange(words: readonly string[], known: readonly string[]): number {
  return words.filter((word) => !known.includes(word)).length;
}
