// What every corpus of a trial gives: tasks with a specification, a contract, a solution that is right, and a hidden oracle.
import type { ContractDraft } from "../../domain/contract/contract-draft.ts";
import type { CaseExample } from "../../simulator/port.ts";
import type { Files } from "../../toolchains/port.ts";

export const AREAS = [
  "parsing",
  "data structures",
  "dates",
  "money",
  "text",
  "async",
  "state machines",
  "validation",
  "small algorithms",
  "effects",
] as const;
export type Area = (typeof AREAS)[number];

export interface CorpusTask {
  /** Lower-case words with hyphens: also the folder of its module. */
  readonly id: string;
  /** What it is about, or where it comes from. */
  readonly area: string;
  readonly title: string;
  /** Markdown that an engineer could build it from; it names every constraint. */
  readonly spec: string;
  /** The file that callers import. */
  readonly entry: string;
  readonly contract: ContractDraft;
  /** What a worker may see. */
  readonly examples: readonly CaseExample[];
  /** Right by the oracle; files below src/. */
  readonly reference: Files;
  /** A test suite that no worker sees, to be run with the sources alone; files below test/ that import ../src/index.ts. */
  readonly oracle: Files;
}

export interface Corpus {
  readonly name: string;
  tasks(): readonly CorpusTask[];
}
