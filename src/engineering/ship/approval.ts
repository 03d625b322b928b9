// Whether a candidate may come to the door at all: its contract is the locked one, and somebody who may has approved it.
import type { z } from "zod";
import type { ArtifactStatus } from "../../domain/artifact/artifact-envelope.ts";
import { MicroModuleContract } from "../../domain/contract/contract.ts";
import { contractLock } from "../../domain/contract/fingerprint.ts";
import { Adjudication } from "../../domain/debate/debate-records.ts";
import type { Proposal } from "../../domain/debate/debate-records.ts";
import { CupelError } from "../../domain/error.ts";
import { parse } from "../../domain/parse.ts";
import { moduleIdOf } from "../../domain/refs.ts";
import type { Candidate } from "../../protocols/outcome.ts";
import type { ArtifactRow } from "../../store/port.ts";
import type { Transition } from "../../store/ships.ts";
import type { StateStore } from "../../store/state-store.ts";
import type { ShipOrder } from "./port.ts";

export interface Approval {
  /** `id@version` of the locked contract. */
  contractRef: string;
  /** What was debated; null where nothing was. */
  implementation: string | null;
  /** What shipping it changes: debated things are SHIPPED with it. */
  transitions: Transition[];
}

/** Throws whenever a protocol has sent something here that it should not have. */
export async function assertApproved(
  store: StateStore,
  { protocol }: Pick<ShipOrder, "protocol">,
  candidate: Candidate,
): Promise<Approval> {
  const contract = await lockedContract(store, candidate);
  const { artifact_id, version, status } = contract.envelope;
  const contractSteps: Transition[] =
    status === "ADJUDICATED" ? [{ artifactId: artifact_id, from: status, to: "SHIPPED" }] : [];
  const contractRef = `${artifact_id}@${version}`;
  const { proposal, override } = candidate;
  if (proposal === null) {
    if (protocol.debated && override === null) throw undebated(candidate, "nothing was proposed and debated");
    return { contractRef, implementation: null, transitions: contractSteps };
  }
  const { envelope } = await store.artifacts.get(proposal.target_artifact_id);
  if (override === null && protocol.debated) await assertAdjudicated(store, proposal, candidate);
  const steps = stepsToShipped(envelope.artifact_id, envelope.status);
  if (override === null && protocol.debated && envelope.status !== "ADJUDICATED")
    throw undebated(candidate, `${envelope.artifact_id} is ${envelope.status}`);
  return {
    contractRef,
    implementation: envelope.artifact_id,
    transitions: [...steps, ...contractSteps.filter(({ artifactId }) => artifactId !== envelope.artifact_id)],
  };
}

async function lockedContract(store: StateStore, { contract, contractRef }: Candidate): Promise<ArtifactRow> {
  const id = contractRef.includes("@") ? moduleIdOf(contractRef) : contractRef;
  const row = await store.artifacts.get(id);
  const [locked] = await recordsIn(store, row, MicroModuleContract);
  if (row.envelope.artifact_type !== "CONTRACT" || locked === undefined)
    throw new CupelError("invalid_input", `${contractRef} is not a locked contract`, {
      expected: "the artifact of a contract",
      hint: `cupel store show ${id}`,
    });
  const [expected, found] = [contractLock(locked), contractLock(contract)];
  if (expected === found) return row;
  throw new CupelError("invalid_input", `the contract is not the one that was locked as ${contractRef}`, {
    expected: `a contract with the lock ${expected}, not ${found}`,
    hint: `cupel store show ${id}`,
  });
}

/** The newest word of an arbiter about it counts. */
async function assertAdjudicated(store: StateStore, proposal: Proposal, candidate: Candidate): Promise<void> {
  const rows = await store.artifacts.query({ type: "ADJUDICATION" });
  const ids = [proposal.target_artifact_id, proposal.proposal_id];
  for (const row of rows.toReversed()) {
    const [adjudication] = await recordsIn(store, row, Adjudication);
    if (adjudication === undefined || !ids.includes(adjudication.target_artifact_id)) continue;
    if (adjudication.ship_directive === "SHIP") return;
    throw undebated(candidate, `${adjudication.adjudication_id} says ${adjudication.decision}`);
  }
  throw undebated(candidate, `nobody has adjudicated ${proposal.target_artifact_id}`);
}

/** Which file of a body holds the record is up to whoever wrote it. */
async function recordsIn<S extends z.ZodType>(
  store: StateStore,
  { body }: ArtifactRow,
  schema: S,
): Promise<z.output<S>[]> {
  const found: z.output<S>[] = [];
  for (const [path, ref] of Object.entries(body)) {
    if (!path.endsWith(".json")) continue;
    const parsed = parse(schema, jsonIn(await store.payloads.get(ref)));
    if (parsed.kind === "ok") found.push(parsed.value);
  }
  return found;
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

const WAY: readonly ArtifactStatus[] = ["DRAFT", "CHALLENGED", "ADJUDICATED", "SHIPPED"];

/** A person's override takes the place of the rest of the debate; every step of it is recorded all the same. */
export function stepsToShipped(artifactId: string, status: ArtifactStatus): Transition[] {
  const left = WAY.slice(WAY.indexOf(status));
  return left.slice(1).map((to, index) => ({ artifactId, from: left[index] ?? status, to }));
}

function undebated({ contract }: Candidate, why: string): CupelError {
  return new CupelError(
    "illegal_transition",
    `${contract.module_id}@${contract.module_version} cannot ship: ${why}`,
    {
      expected: "an adjudication that says SHIP, a person's override, or a protocol without a debate",
      hint: "cupel inbox",
    },
  );
}
