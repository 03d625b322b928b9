// Makes a workspace: a fresh repository with one commit whose tree is exactly what was granted, and a canary in it.
import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isVisible, staysInside } from "../../domain/artifact/context-pack.ts";
import type { Role } from "../../domain/artifact/role.ts";
import { environmentError, hasCode } from "../../domain/environment-error.ts";
import { CupelError } from "../../domain/error.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { accessTo, covers, GitId, WorkspaceId } from "../../domain/run/workspace-record.ts";
import type { PathGrant, WorkspaceRecord } from "../../domain/run/workspace-record.ts";
import { CANARY_FILE, makeCanary } from "../blindness/canary.ts";
import { isText, toBytePath, toText } from "../git/byte-path.ts";
import type { BytePath } from "../git/byte-path.ts";
import type { TreeEntry } from "../git/objects.ts";
import type { Sandbox } from "../sandbox/port.ts";
import { blobId, recordBaseline } from "./baseline.ts";
import { fillRepository } from "./fill.ts";
import { thisProcess } from "./holder.ts";
import { placesIn, placesOf, UNFINISHED, workspacesDirectory } from "./places.ts";
import type { Workshop, WorkspacePlaces } from "./places.ts";
import { writeRecord } from "./record-file.ts";

export interface WorkspaceRequest {
  id: WorkspaceId;
  runId: string;
  role: Role;
  /** A commit in the hub. */
  base: string;
  /** What of the base the agent gets; nothing else of it is in the workspace in any form. */
  grants: readonly PathGrant[];
  /** Shipped modules that the work uses, by name: types, contract, examples and ship evidence, nothing else. */
  dependencies?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Files and folders that are nobody's work, such as caches. */
  scratch?: readonly string[];
}

export interface Workspace {
  record: WorkspaceRecord;
  places: WorkspacePlaces;
}

export async function createWorkspace(
  workshop: Workshop,
  sandbox: Pick<Sandbox, "handOver">,
  request: WorkspaceRequest,
): Promise<Workspace> {
  const canary = makeCanary();
  const record = newRecord(request, canary.token);
  const handedIn = dependencyFiles(request.dependencies ?? {});
  const places = reserve(workshop, record);
  try {
    const { root, files } = await fillRepository(workshop, places.tree, {
      base: record.base,
      isGranted: (entry) => isGranted(entry, record),
      handedIn,
    });
    // Beside the commit, not in it: what agents commit is kept, and the canary stays where it is.
    writeFileSync(join(places.tree, CANARY_FILE), canary.text);
    files.set(toBytePath(CANARY_FILE), { mode: "100644", id: blobId(Buffer.from(canary.text), record.base) });
    await sandbox.handOver(places.tree);
    recordBaseline(places.baseline, places.tree, files);
    const open: WorkspaceRecord = { ...record, state: "open", root };
    writeRecord(places.record, open);
    return { record: open, places };
  } catch (error) {
    rmSync(places.directory, { recursive: true, force: true });
    throw environmentError(places.directory, error);
  }
}

function newRecord(request: WorkspaceRequest, canary: string): WorkspaceRecord {
  for (const { path } of request.grants) {
    if (path !== "" && !staysInside(path.replace(/\/$/, ""))) throw badPath(path);
  }
  return {
    id: parseOrThrow(WorkspaceId, request.id, "the id of a workspace"),
    runId: request.runId,
    role: request.role,
    base: parseOrThrow(GitId, request.base, "the base of a workspace"),
    grants: [...request.grants],
    scratch: [...(request.scratch ?? [])],
    canary,
    holder: thisProcess(),
    state: "creating",
    root: null,
    taken: null,
    pending: null,
    createdAt: new Date().toISOString(),
  };
}

/** Compiled code is readable code: of a dependency only what its contract opens may lie in a workspace. */
function dependencyFiles(dependencies: NonNullable<WorkspaceRequest["dependencies"]>): Map<BytePath, Buffer> {
  const files = new Map<BytePath, Buffer>();
  for (const [name, content] of Object.entries(dependencies)) {
    if (!staysInside(name) || name.includes("/")) throw badPath(name);
    for (const [path, text] of Object.entries(content)) {
      if (!isVisible("CONTRACT_ONLY", path)) {
        throw new CupelError("usage", `${path} of the module ${name} must not lie in a workspace`, {
          expected: "contract.json, examples.md, ship.json or a file in types/",
        });
      }
      files.set(toBytePath(`modules/${name}/${path}`), Buffer.from(text));
    }
  }
  return files;
}

/** From its first moment a workspace has a record, so that a crash leaves nothing that `cupel clean` cannot name. */
function reserve({ project }: Workshop, record: WorkspaceRecord): WorkspacePlaces {
  const parent = workspacesDirectory(project);
  const places = placesOf(project, record.id);
  const making = placesIn(join(parent, `${UNFINISHED}${randomUUID()}`));
  try {
    mkdirSync(making.tree, { recursive: true });
    // Nobody looks for it before it has its name.
    writeFileSync(making.record, JSON.stringify(record));
    renameSync(making.directory, places.directory);
  } catch (cause) {
    rmSync(making.directory, { recursive: true, force: true });
    if (!hasCode(cause, "ENOTEMPTY", "EEXIST")) throw environmentError(places.directory, cause);
    throw new CupelError("already_exists", `there is a workspace ${record.id} already`, {
      hint: "cupel clean --dry-run",
      cause,
    });
  }
  return places;
}

/** Of a submodule there is no content to grant. */
function isGranted({ path, mode }: TreeEntry, { grants, scratch }: WorkspaceRecord): boolean {
  const text = toText(path);
  if (text === CANARY_FILE) return false;
  if (mode === SUBMODULE || accessTo(grants, text) === undefined) return false;
  if (scratch.some((folder) => covers(folder, text))) return false;
  if (isText(path)) return true;
  throw new CupelError(
    "usage",
    `the name ${JSON.stringify(text)} is not UTF-8, so no agent can be given it`,
    {
      hint: "rename the file, or leave its folder out of what is granted",
    },
  );
}

const SUBMODULE = "160000";

function badPath(path: string): CupelError {
  return new CupelError("usage", `${JSON.stringify(path)} is not a path inside the project`, {
    expected: "names with / between them, no . or .. among them",
  });
}
