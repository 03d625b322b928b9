// What the solo protocol remembers between two nodes.
import { z } from "zod";
import { MicroModuleContract } from "../../domain/contract/contract.ts";
import { EvidenceReport } from "../../domain/debate/debate-records.ts";
import { PersonsWord } from "../../domain/people/ship-evidence.ts";
import { Text } from "../../domain/refs.ts";
import { stateKey } from "../../graph/define-graph.ts";
import type { StateOf, UpdateOf } from "../../graph/port.ts";
import { Ended } from "../outcome.ts";

export const soloState = {
  /** Calls of all roles; scripts and recordings tell calls apart by it. */
  asked: stateKey({ schema: z.int().nonnegative(), initial: () => 0 }),
  contract: stateKey({ schema: MicroModuleContract.nullable(), initial: () => null }),
  contractRef: stateKey({ schema: Text.nullable(), initial: () => null }),
  commit: stateKey({ schema: Text.nullable(), initial: () => null }),
  evidence: stateKey({ schema: EvidenceReport.nullable(), initial: () => null }),
  findings: stateKey({ schema: z.array(Text), initial: () => [] }),
  /** Drafts and builds that came back; the rigor says how many may. */
  repairs: stateKey({ schema: z.int().nonnegative(), initial: () => 0 }),
  override: stateKey({ schema: PersonsWord.nullable(), initial: () => null }),
  outcome: stateKey({ schema: Ended.nullable(), initial: () => null }),
};

export type SoloState = StateOf<typeof soloState>;
export type SoloUpdate = UpdateOf<typeof soloState>;
