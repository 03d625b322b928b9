// What the product loop is given to work with, and what it gives back: an approved specification, or why there is none yet.
import type { SearchCodeIndex } from "../agents/tools/code-index-tool.ts";
import type { WebSearch } from "../agents/tools/web-search.ts";
import type { ProductSpec } from "../domain/product/product-spec.ts";
import type { AskRole } from "../engineering/port.ts";
import type { Graphs } from "../graph/graphs-port.ts";
import type { Fence, Question } from "../store/port.ts";
import type { StateStore } from "../store/state-store.ts";

export interface ProductPorts {
  runId: string;
  /** Of the run; every write to the store carries it. */
  fence: Fence;
  store: StateStore;
  graphs: Graphs;
  ask: AskRole;
  search: WebSearch;
  searchCodeIndex: SearchCodeIndex;
  /** Takes secrets out of whatever is kept. */
  redact: <T>(value: T) => T;
  /** Where the researcher's files lie, round by round. */
  workplace: string;
  /** A folder of documents that the person brought along; it need not be there. */
  documents: string;
  source: ProductSource;
  now: () => Date;
}

/** What a person hands over: what they want in their own words, or a specification that is finished already. */
export type ProductSource = {
  /** How the person calls the file. */
  name: string;
  hash: string;
} & ({ kind: "text"; text: string } | { kind: "spec"; spec: unknown });

export type ProductOutcome =
  | {
      kind: "approved";
      spec: ProductSpec;
      /** `SPEC-0a1b2c3d@1.0.0`. */
      artifact: string;
      by: string;
      /** The person has changed the source since; what counts is what was approved. */
      sourceChanged: boolean;
    }
  | { kind: "waiting"; question: Question; sourceChanged: boolean }
  /** `next` is what to do or type now. */
  | { kind: "stopped"; why: string; next: string };
