// Everything that a ship will put into the store, ready to be put there at once. Until then nothing has happened.
import { slugify } from "../../domain/task/slug.ts";
import { ProofBundle } from "../../domain/evidence/proof-bundle.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import type { ShipRecord } from "../../domain/run/ship-record.ts";
import type { Candidate } from "../../protocols/outcome.ts";
import { newArtifactId } from "../../store/artifacts.ts";
import type { NewArtifact } from "../../store/artifacts.ts";
import { storeFiles } from "../../store/modules.ts";
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
  const { candidate, approval, files, packages, proof, log, before } = judgement;
  const { contract } = candidate;
  const { task, folder, dependencies } = order.assignment;
  const module = `${contract.module_id}@${contract.module_version}`;
  const at = ports.now();
  const shipId = newArtifactId("SHIP_EVIDENCE");
  const direct = dependencies.map(({ ref }) => ref);

  const evidence = shipEvidence({
    shipId,
    candidate,
    protocol: order.protocol,
    verifiedAt: at,
    logRef: await store.payloads.put(json(log)),
    lockRef: await store.payloads.put(json(await lockOf(ports, direct, contract.packages))),
    versions: proof.versions,
  });
  const bundle = json(parseOrThrow(ProofBundle, proof, "the proof"));
  const made = {
    pillar: slugify(task.context.pillar.name),
    createdBy: { role: "harness" as const, run_id: runId },
    contextPackRef: null,
    inputs: [{ ref: approval.contractRef, purpose: "the locked contract" }],
    outputs: [{ ref: module, purpose: "what it belongs to" }],
  };
  const artifact = (type: NewArtifact["type"], body: NewArtifact["body"], id = newArtifactId(type)) =>
    store.artifacts.prepare({ ...made, type, body }, id);
  const shipped = await artifact("SHIP_EVIDENCE", { [SHIP]: json(evidence) }, shipId);
  const examples = await artifact("EXAMPLES", { [EXAMPLES]: files[EXAMPLES] ?? "" });
  // The bundle holds the code, so it lies behind the module's seal; the artifact says which one it is.
  const proven = await artifact("PROOF_BUNDLE", {
    "proof.json": json({ module, bundle: await store.payloads.put(bundle), verdicts: proof.verdicts }),
  });

  const refOf = ({ envelope }: typeof shipped) => `${envelope.artifact_id}@${envelope.version}`;
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
      dependencies: direct,
      implementation: approval.implementation,
      artifacts: [...new Set(touched)],
      entry: indexEntry(contract, refs, notesOf(order, candidate)),
    },
    files: await storeFiles(store.payloads, {
      ...storedPaths(files),
      ...packages,
      [SHIP]: json(evidence),
      [LOG]: json(log),
      [PROOF]: bundle,
    }),
    artifacts,
    transitions,
    contributions: [
      contributionOf(ports, "SHIP_EVIDENCE", refOf(shipped), task.task_id),
      contributionOf(ports, "PROOF_BUNDLE", refOf(proven), task.task_id),
    ],
    events: [
      ...judgement.reported.map(({ verdict }) => ({
        kind: "gate_verdict_recorded" as const,
        ...event,
        verdict,
      })),
      { kind: "module_shipped" as const, ...event, shipRef: shipId },
    ],
  };
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

/** Whether what is sealed under a version is what a candidate holds. */
export async function isSealedAlike(ports: ShipPorts, module: string, files: Files): Promise<boolean> {
  const sealed = await ports.store.modules.contents(module);
  const generated = (path: string) =>
    path === SHIP || path === LOG || /^(?:package|proof|types)\//.test(path);
  const before = Object.entries(sealed).filter(([path]) => !generated(path));
  const now = storedPaths(files);
  return (
    before.length === Object.keys(now).length &&
    before.every(([path, bytes]) => now[path] === bytes.toString("utf8"))
  );
}
