// What both blind writers are told: the specification, what adversaries taught, and names of the other side's work.
import { type Echoes, filterEchoes } from "../../domain/blind/echoes.ts";
import { hardeningHints } from "../../domain/blind/hints.ts";
import type { HardeningHint } from "../../domain/blind/hints.ts";
import { present } from "../present.ts";
import type { BlindState } from "./state.ts";

export interface ToldBlind {
  phase: "propose" | "revise";
  findings: readonly string[];
  /** What came by letter while they wrote. */
  letters?: readonly string[];
  /** Which side is spoken to; it hears the other one. */
  side: "tests" | "impl";
}

export function blindInput(state: BlindState, { phase, findings, letters = [], side }: ToldBlind) {
  const types = present(state.types, "types");
  const heard = echoesFor(side, state);
  return {
    phase,
    type_name: types.typeName,
    constructors: types.constructors,
    functions: [...state.functions],
    hints: [...hintsOf(state), ...letters.map(letterHint)],
    echoes: heard,
    findings: phase === "revise" ? [...findings] : [],
  };
}

function hintsOf({ adversary, fixedHoles, mutation }: BlindState): HardeningHint[] {
  const holes = [...fixedHoles, ...(adversary?.output.holes ?? [])];
  return hardeningHints({ holes, gaps: mutation?.gaps ?? [] });
}

function letterHint(text: string): HardeningHint {
  return {
    context: text,
    guidance: "Make sure that what you write holds against it.",
    source: "type_adversary",
  };
}

function echoesFor(side: "tests" | "impl", state: BlindState): Echoes | null {
  const { echoes } = heardSoFar(state);
  const theirs: Echoes = side === "tests" ? { ...echoes, fromTests: [] } : { ...echoes, fromImpl: [] };
  return theirs.fromImpl.length + theirs.fromTests.length === 0 ? null : theirs;
}

/** Everything both sides have said so far, after the filter. */
export function heardSoFar({ suites, impls, functions }: Pick<BlindState, "suites" | "impls" | "functions">) {
  const said: Echoes = {
    fromImpl: impls.flatMap(({ says }) => says),
    fromTests: suites.flatMap(({ properties }) =>
      properties.map(({ name, coversSketch }) => coversSketch ?? name),
    ),
  };
  return filterEchoes(said, functions);
}
