// Everything that a ship will put into the store, ready to be put there at once. Until then nothing has happened.
import { slugify } from "../../domain/task/slug.ts";
import { ProofBundle } from "../../domain/evidence/proof-bundle.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import type { ShipRecord } from "../../domain/run/ship-record.ts";
import type { Candidate } from "../../protocols/outcome.ts";
import { newArtifactId } from "../../store/artifacts.ts";
import type { NewArtifact } from "../../store/artifacts.ts";
import { storeFiles } from "../../store/modules.ts";
import type { ArtifactRow } from "../../store/port.ts";
import type { Transition } from "../../store/ships.ts";
import type { ExecutionLog } from "../../domain/people/ship-evidence.ts";
import type { Reported } from "../../evidence/verify.ts";
import type { Files } from "../../toolchains/port.ts";
import { stepsToShipped } from "./approval.ts";
import type { Approval } from "./approval.ts";
import { CONTRACT, EXAMPLES, SHIP } from "./module-files.ts";
import type { ShipOrder, ShipPorts } from "./port.ts";
import { contributionOf, indexEntry, notesOf, shipEvidence } from "./records.ts";
import type { PreparedShip } from "./seal.ts";
import { verdictEvents } from "./verdict-events.ts";
import { LOG, PROOF, storedPaths } from "./store-files.ts";

export interface Judgement {
  candidate: Candidate;
  approval: Approval;
  /** The version that it follows. */
  before: ShipRecord | undefined;
  files: Files;
  /** Compiled, in the places of the store. */
  packages: Files;
  proof: ProofBundle;
  log: ExecutionLog;
  reported: readonly Reported[];
}

export async function prepareShip(
  ports: ShipPorts,
  order: ShipOrder,
  judgement: Judgement,
): Promise<PreparedShip> {
  const { store, runId } = ports;
  const { candidate, approval, files, packages, log, before } = judgement;
  const { task, folder, dependencies } = order.assignment;
  const at = ports.now();
  const { module, shipped, examples, proven, texts } = await prepareArtifacts(ports, order, judgement, at);
  const shipId = shipped.envelope.artifact_id;
  const transitions = [
    ...approval.transitions,
    // They were debated together with the code.
    ...(approval.implementation === null ? [] : stepsToShipped(examples.envelope.artifact_id, "DRAFT")),
    ...(await deprecation(ports, before)),
  ];
  const artifacts = [shipped, examples, proven];
  const touched = [
    ...artifacts.map(({ envelope }) => envelope.artifact_id),
    ...transitions.map(({ artifactId }) => artifactId),
  ];
  const refs = {
    contract_ref: approval.contractRef,
    examples_ref: refOf(examples),
    ship_ref: refOf(shipped),
  };
  const event = { at: at.toISOString(), runId, task: task.task_id, module };
  return {
    record: {
      module,
      folder,
      task: task.task_id,
      runId,
      shipId,
      shippedAt: at.toISOString(),
      dependencies: dependencies.map(({ ref }) => ref),
      implementation: approval.implementation,
      artifacts: [...new Set(touched)],
      entry: indexEntry(candidate.contract, refs, notesOf(order, candidate)),
    },
    files: await storeFiles(store.payloads, {
      ...storedPaths(files),
      ...packages,
      ...texts,
      [LOG]: json(log),
    }),
    artifacts,
    transitions,
    contributions: [
      contributionOf(ports, "SHIP_EVIDENCE", refOf(shipped), task.task_id),
      contributionOf(ports, "PROOF_BUNDLE", refOf(proven), task.task_id),
    ],
    events: [
      ...verdictEvents(
        ports,
        order,
        { contract: candidate.contract, during: "ship", reported: judgement.reported },
        at,
      ),
      { kind: "module_shipped" as const, ...event, shipRef: shipId },
    ],
  };
}

interface Prepared {
  module: string;
  shipped: ArtifactRow;
  examples: ArtifactRow;
  proven: ArtifactRow;
  /** Of the module's own record, too. */
  texts: Files;
}

async function prepareArtifacts(
  ports: ShipPorts,
  { assignment, protocol }: ShipOrder,
  { candidate, approval, files, proof, log }: Judgement,
  at: Date,
): Promise<Prepared> {
  const { store, runId } = ports;
  const { contract } = candidate;
  const module = `${contract.module_id}@${contract.module_version}`;
  const shipId = newArtifactId("SHIP_EVIDENCE");
  const direct = assignment.dependencies.map(({ ref }) => ref);
  const evidence = shipEvidence({
    shipId,
    candidate,
    protocol,
    verifiedAt: at,
    logRef: await store.payloads.put(json(log)),
    lockRef: await store.payloads.put(json(await lockOf(ports, direct, contract.packages))),
    versions: proof.versions,
  });
  const texts = { [SHIP]: json(evidence), [PROOF]: json(parseOrThrow(ProofBundle, proof, "the proof")) };
  const made = {
    pillar: slugify(assignment.task.context.pillar.name),
    createdBy: { role: "harness" as const, run_id: runId },
    contextPackRef: null,
    inputs: [{ ref: approval.contractRef, purpose: "the locked contract" }],
    outputs: [{ ref: module, purpose: "what it belongs to" }],
  };
  const artifact = (type: NewArtifact["type"], body: NewArtifact["body"], id = newArtifactId(type)) =>
    store.artifacts.prepare({ ...made, type, body }, id);
  // The bundle holds the code, so it lies behind the module's seal; the artifact says which one it is.
  const bundle = await store.payloads.put(texts[PROOF] ?? "");
  return {
    module,
    shipped: await artifact("SHIP_EVIDENCE", { [SHIP]: texts[SHIP] ?? "" }, shipId),
    examples: await artifact("EXAMPLES", { [EXAMPLES]: files[EXAMPLES] ?? "" }),
    proven: await artifact("PROOF_BUNDLE", {
      "proof.json": json({ module, bundle, verdicts: proof.verdicts }),
    }),
    texts,
  };
}

function refOf({ envelope }: ArtifactRow): string {
  return `${envelope.artifact_id}@${envelope.version}`;
}

/** Where the next version of something has shipped, the one before is not for new work. */
async function deprecation({ store }: ShipPorts, before: ShipRecord | undefined): Promise<Transition[]> {
  const id = before?.implementation;
  if (id === undefined || id === null) return [];
  const { status } = (await store.artifacts.get(id)).envelope;
  return status === "SHIPPED" ? [{ artifactId: id, from: status, to: "DEPRECATED" }] : [];
}

/** The exact code that it was tested with. */
async function lockOf(
  { store }: ShipPorts,
  direct: readonly string[],
  packages: readonly string[],
): Promise<unknown> {
  const modules = await Promise.all(direct.map((ref) => store.modules.get(ref)));
  const dependencies = modules.map(({ moduleId, version, files }) => ({
    module: `${moduleId}@${version}`,
    contract: files[CONTRACT],
    files: Object.entries(files).filter(([path]) => path.startsWith("package/")),
  }));
  return { dependencies, packages };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
