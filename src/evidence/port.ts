// What a gate is: it looks at a module, and it knows how to spoil one so that it must refuse it.
import type { Finding } from "../domain/evidence/gate-verdict.ts";
import type { GateName } from "../domain/evidence/gate.ts";
import type { Facts } from "./facts.ts";

export type Figures = Readonly<Record<string, number>>;

/** What a gate saw, before anybody asks whether it could have said no. */
export type Look =
  | {
      kind: "looked";
      looked: number;
      findings: Finding[];
      evidence?: unknown;
      summary: string;
      /** What was counted, for whoever wants numbers. */
      figures?: Figures;
    }
  /** Derived by the harness, never claimed. */
  | { kind: "not-applicable"; derivedFrom: string }
  | { kind: "error"; message: string };

/** A module with a defect that the gate must refuse. */
export type Plant =
  | {
      kind: "planted";
      what: string;
      facts: Facts;
      /** Where told, only findings of each of these kinds together are the refusal; others could have come by chance. */
      refusedBy?: readonly ((finding: Finding) => boolean)[];
    }
  /** Then the gate cannot pass. */
  | { kind: "impossible"; why: string };

export interface GateDefinition {
  name: GateName;
  look(facts: Facts): Promise<Look>;
  plant(facts: Facts): Promise<Plant>;
  /** Starts what takes long for the look, before it is the gate's turn. */
  early?: (facts: Facts) => Promise<unknown>;
}
