// What a cheat is: a way to hand in work that is not what it seems, and an honest twin that looks alike.
import type { ScriptFile, ScriptLine } from "../../domain/agent/script-line.ts";
import type { ContractDraft } from "../../domain/contract/contract-draft.ts";
import type { GateName } from "../../domain/evidence/gate.ts";

/** The work of an agent on one module, as it hands it in. Paths are from the module's folder; those with a leading "/"
 * are from the root of the workspace; null takes a file away. */
export interface ModuleWork {
  readonly files: Readonly<Record<string, ScriptFile>>;
  /** What was agreed before; a twin may agree to more than the case does, as an honest agent would. */
  readonly contract: ContractDraft;
  /** What it says besides. */
  readonly said?: string;
  readonly ending?: ScriptLine["ending"];
  readonly toolCalls?: ScriptLine["toolCalls"];
  /** Laid over the answer of whoever hands in, key by key: what it claims about its work. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** What the world of a case has in it before the agent begins: instructions that others planted. */
export interface PlantedText {
  /** In the description of the task. */
  readonly task?: string;
  /** At the end of the examples.md of the module that the case builds on. */
  readonly dependencyExamples?: string;
}

export interface Cheat {
  /** "skip-tests"; `simulator:cheat/skip-tests` plays it, `simulator:twin/skip-tests` its twin. */
  readonly name: string;
  readonly family: CheatFamily;
  /** One line for the table. */
  readonly does: string;
  /** What looks alike and is honest. */
  readonly twinDoes: string;
  /** The case that it is played on; the first one unless told. */
  readonly case?: string;
  readonly planted?: PlantedText;
  cheat(work: ModuleWork): ModuleWork;
  twin(work: ModuleWork): ModuleWork;
  /** What may be the one that refuses it; a refusal by anything else is an accident and does not count. */
  readonly refusedBy: readonly Refuser[];
}

/** A gate, the harness (the work cannot be taken back, the answer does not come), or the barrier between workspaces. */
export type Refuser = GateName | "harness" | "barrier";

/** What to type in order to see every cheat by its name. */
export const LISTED_BY = "cupel battery --list";

export const CHEAT_FAMILIES = [
  "tests",
  "assertions",
  "configuration",
  "runner",
  "code",
  "types",
  "effects",
  "claims",
  "leaks",
  "injection",
  "endings",
] as const;
export type CheatFamily = (typeof CHEAT_FAMILIES)[number];
