// Who could see whom while a module was made: looks for the canaries of its thread's workspaces in each of the others, in
// every prompt and transcript, in the records and in what came to the hub.
import { z } from "zod";
import type { BlindnessCertificate } from "../../domain/evidence/blindness-certificate.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { isCallEnd, type RunEvent } from "../../domain/run/run-event.ts";
import type { ArtifactRow } from "../../store/port.ts";
import { certify } from "../../workshop/blindness/certify.ts";
import type { ScanTarget } from "../../workshop/blindness/scan.ts";
import { toText } from "../../workshop/git/byte-path.ts";
import { readTree } from "../../workshop/git/objects.ts";
import { watchedWorkspaces } from "../../workshop/workspace/watched.ts";
import type { EngineeringPorts, Making } from "../port.ts";

type CertifyPorts = Pick<EngineeringPorts, "runId" | "store" | "hub" | "sandbox" | "now">;
type Thread = Pick<Making, "thread" | "pillar"> & {
  assignment: Pick<Making["assignment"], "task" | "module" | "folder">;
};

/** Asked again it looks again: what has leaked meanwhile is found then. */
export async function certifyThread(ports: CertifyPorts, making: Thread): Promise<BlindnessCertificate> {
  const watched = watchedWorkspaces(ports.hub, making.thread);
  const artifacts = await ports.store.artifacts.query({ pillar: making.pillar });
  return certify({
    runId: ports.runId,
    commands: await commandsOf(ports, making.thread, artifacts, watched.length),
    workspaces: watched.map(({ record: { id, role, canary } }) => ({ id, role, canary })),
    targets: [
      ...watched.map(({ record: { id }, tree }): ScanTarget => ({
        kind: "workspace",
        name: id,
        owner: id,
        source: { directory: tree },
      })),
      ...(await spokenIn(ports, making)),
      { kind: "artifact", name: "the records", source: { entries: bodiesOf(ports, artifacts) } },
      ...watched.flatMap(({ record: { id, taken } }): ScanTarget[] =>
        taken === null ? [] : [repositoryTarget(ports, making, id, taken.commit)],
      ),
    ],
    now: ports.now(),
  });
}

function repositoryTarget(
  { hub }: CertifyPorts,
  { assignment }: Thread,
  id: string,
  commit: string,
): ScanTarget {
  const entries = filesAt(hub.gitDir, `${commit}:modules/${assignment.folder}`);
  return { kind: "repository", name: `what was taken from ${id}`, source: { entries } };
}

async function* filesAt(gitDir: string, tree: string): AsyncGenerator<{ path: string; bytes: Uint8Array }> {
  for await (const { path, content } of readTree(gitDir, tree, ({ mode }) => mode !== SUBMODULE))
    yield { path: toText(path), bytes: content };
}

const SUBMODULE = "160000";

/** Every call on this module that has an end: what it was told, and what it said and did. */
async function spokenIn({ store, runId }: CertifyPorts, { assignment }: Thread): Promise<ScanTarget[]> {
  const targets: ScanTarget[] = [];
  for await (const event of eventsOf(store, runId)) {
    if (!isCallEnd(event)) continue;
    if (event.task !== assignment.task.task_id || event.transcriptRef === null) continue;
    if (event.module !== null && event.module !== assignment.module.module_id) continue;
    const text = (await store.payloads.get(event.transcriptRef)).toString("utf8");
    const name = `${event.role} at ${event.node}, attempt ${event.attempt}, event ${event.seq}`;
    targets.push({ kind: "transcript", name, source: { text } });
    const told = toldIn(text);
    if (told !== "") targets.push({ kind: "prompt", name, source: { text: told } });
  }
  return targets;
}

const Line = z.looseObject({ kind: z.string(), text: z.string().optional() });

function toldIn(transcript: string): string {
  return transcript
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => parseOrThrow(Line, JSON.parse(line), "a line of a transcript"))
    .flatMap(({ kind, text }) => (kind === "system" || kind === "prompt" ? [text ?? ""] : []))
    .join("\n");
}

const PAGE = 500;

async function* eventsOf(store: CertifyPorts["store"], runId: string): AsyncGenerator<RunEvent> {
  for (let after = 0; ;) {
    const page = await store.journal.read(after, PAGE, runId);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.seq;
  }
}

async function* bodiesOf(
  { store }: CertifyPorts,
  artifacts: readonly ArtifactRow[],
): AsyncGenerator<{ path: string; bytes: Uint8Array }> {
  for (const { envelope, body } of artifacts)
    for (const [path, ref] of Object.entries(body))
      yield { path: `${envelope.artifact_id}/${path}`, bytes: await store.payloads.get(ref) };
}

/**
 * Commands that agents had the harness run. Where nothing keeps a command in its place, each agent counts as one besides:
 * what it ran by its own means, nobody has counted.
 */
async function commandsOf(
  { store, sandbox }: CertifyPorts,
  thread: string,
  artifacts: readonly ArtifactRow[],
  agents: number,
): Promise<{ bubblewrap: number; none: number }> {
  let runs = 0;
  for (const { envelope } of artifacts) {
    if (envelope.artifact_type !== "CONTEXT_PACK" || envelope.notes !== thread) continue;
    const tries = await store.packAudit.list(envelope.artifact_id);
    runs += tries.filter(({ operation }) => operation === "run_tests" || operation === "build").length;
  }
  return sandbox.level === "none" ? { bubblewrap: 0, none: runs + agents } : { bubblewrap: runs, none: 0 };
}
