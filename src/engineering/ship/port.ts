// What the door of the factory needs, and what it is asked to judge.
import type { BlindnessCertificate } from "../../domain/evidence/blindness-certificate.ts";
import type { Assignment, Protocol } from "../../protocols/port.ts";
import type { VerdictMemory } from "../../evidence/verdict-memory.ts";
import type { EngineeringPorts } from "../port.ts";
import type { Provisions } from "../provisions.ts";

export interface ShipPorts extends Pick<
  EngineeringPorts,
  "runId" | "fence" | "store" | "hub" | "toolchain" | "index" | "workplace" | "now"
> {
  /** Cupel's own version and the like, beside those of the toolchain, for proofs. */
  versions: Readonly<Record<string, string>>;
  /** Where answers about mutants and planted defects are kept from run to run; others may use it at the same time. */
  memory: string;
  /** What gates have said in this process; without it every gate looks each time. */
  verdicts?: VerdictMemory;
  /** How long a ship that died keeps others waiting; some seconds unless told. */
  leaseMs?: number;
  /** Told of each step that is done, for whoever watches. */
  onStep?: (step: ShipStep) => void;
}

/** In this order. What happened before `sealed` has not happened; what comes after it will. */
export type ShipStep =
  | "checked"
  | "opened"
  | "judged"
  | "built"
  | "recorded"
  | "leased"
  | "sealed"
  | "projected"
  | "committed"
  | "merged"
  | "indexed"
  | "finished";

/** One module before the door. */
export interface ShipOrder {
  assignment: Pick<Assignment, "task" | "version" | "folder" | "dependencies" | "rigor">;
  protocol: Pick<Protocol, "debated" | "gates">;
  /** What it is built upon; what has shipped, unless told. */
  provisions?: Provisions;
  /** Who could see whom; asked for only where the protocol has barriers. */
  certify?: () => Promise<BlindnessCertificate>;
  signal: AbortSignal;
}
