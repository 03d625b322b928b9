// What the making of end-to-end tests is given to work with, and what comes out.
import type { Rigor } from "../../domain/evidence/rigor.ts";
import type { E2eSuite } from "../../domain/evidence/e2e-suite.ts";
import type { EngineeringPorts } from "../../engineering/port.ts";
import type { WholeProduct } from "./whole-product.ts";

export interface E2ePorts extends Pick<
  EngineeringPorts,
  "runId" | "fence" | "store" | "graphs" | "hub" | "sandbox" | "toolchain" | "ask" | "workplace" | "now"
> {
  rigor: Pick<Rigor, "layers" | "secondsPerTest" | "forbidden">;
  /** Told of each step that is done, for whoever watches. */
  onStep?: (step: E2eStep) => void;
}

/** In this order; each may be done again. */
export type E2eStep = "looked" | "asked" | "written" | "examined" | "kept" | "committed" | "told" | "halted";

/** What each step is given. */
export interface E2eWork {
  ports: E2ePorts;
  product: WholeProduct;
}

export type E2eOutcome =
  /** The rigor asks for none, or there is nothing yet that could be tried as a whole. */
  | { kind: "not-due" }
  | { kind: "accepted"; suite: E2eSuite }
  /** A person is asked under this id. */
  | { kind: "halted"; why: string; question: string }
  | { kind: "stopped"; why: string };
