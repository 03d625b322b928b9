// The workspace as an agent's file tools see it: its own module at the root, dependencies below `/modules` as far as their
// contracts open them, and everything else of any module sealed. Every access is on the audit trail, granted or refused.
import type { FileBackend } from "../../agents/tools/file-backend.ts";
import { isVisible } from "../../domain/artifact/context-pack.ts";
import { preview } from "../../domain/parse.ts";
import type { Backend, FileInfo, LsResult, ReadRawResult } from "../../store/backends/port.ts";
import { isFolder, sealedError } from "../../store/backends/refusal.ts";
import { byPath, globIn, grepIn, nameOf } from "../../store/backends/search.ts";
import { below, virtualPath } from "../../store/backends/virtual-path.ts";

export interface ViewedModules {
  /** The folder of the module at hand. */
  own: string;
  /** The folders of its dependencies. */
  dependencies: readonly string[];
  /** Where agents know their own folder by another name than `/modules/<own>`. */
  ownAs?: string;
}

/** Nothing is handed out or changed that could not be noted. */
export type NoteAccess = (operation: string, path: string, granted: boolean, reason: string) => Promise<void>;

/** `files` is the `modules/` folder of the workspace: what lies beside it is nobody's business. */
export function workspaceView(files: Backend, modules: ViewedModules, note: NoteAccess): FileBackend {
  const list = (path: string): Promise<LsResult> => listing(files, modules, path);
  const raw = async (path: string): Promise<ReadRawResult> => {
    const place = placeOf(path, modules);
    return place.kind === "file" ? files.readRaw(place.real) : { error: refusal(place, path) };
  };
  const at = async <R extends object>(
    operation: "read" | "readRaw" | "write" | "edit",
    path: string,
    work: (real: string) => Promise<R & { error?: string; path?: string }>,
  ): Promise<R | { error: string }> => {
    const place = placeOf(path, modules, operation === "write" || operation === "edit" ? "change" : "see");
    const error = place.kind === "file" ? undefined : refusal(place, path);
    await note(operation, shown(path), error === undefined, error ?? "granted by the context pack");
    if (place.kind !== "file" || error !== undefined) return { error: error ?? "" };
    const result = await work(place.real);
    const said = result.error?.split(`'${place.real}'`).join(`'${path}'`);
    return {
      ...result,
      ...(said === undefined ? {} : { error: said }),
      ...(result.path === undefined ? {} : { path }),
    };
  };
  const search = async <R extends { error?: string }>(
    operation: "ls" | "grep" | "glob",
    path: string,
    work: () => Promise<R>,
  ): Promise<R> => {
    const result = await work();
    const sealed = placeOf(path, modules, "list").kind === "sealed";
    const reason = sealed ? sealedError(path) : (result.error ?? "what is sealed is left out");
    await note(operation, shown(path), !sealed && result.error === undefined, reason);
    return result;
  };
  return {
    ls: (path) => search("ls", path, () => list(path)),
    read: (path, offset, limit) => at("read", path, (real) => files.read(real, offset, limit)),
    readRaw: (path) => at("readRaw", path, (real) => files.readRaw(real)),
    write: (path, content) => at("write", path, (real) => files.write(real, content)),
    edit: (path, oldText, newText, all) =>
      at("edit", path, (real) => files.edit(real, oldText, newText, all)),
    grep: (pattern, path, glob, most) =>
      search("grep", path ?? "/", () => grepIn({ ls: list, readRaw: raw }, pattern, path, glob, most)),
    glob: (pattern, path) =>
      search("glob", path ?? "/", () => globIn({ ls: list, readRaw: raw }, pattern, path)),
  };
}

type Place =
  | { kind: "file"; real: string }
  /** A folder that is listed as it is, or as far as a contract opens it. */
  | { kind: "folder"; real: string; open: "all" | "contract"; rest: readonly string[] }
  | { kind: "modules" }
  | { kind: "sealed" }
  | { kind: "refused"; reason: string };

/** Decided from the path alone, so that no answer tells whether something sealed is there. */
function placeOf(
  path: string,
  { own, dependencies, ownAs }: ViewedModules,
  to: "see" | "list" | "change" = "see",
): Place {
  const asked = virtualPath(path);
  if (asked.kind === "refused") return { kind: "refused", reason: asked.reason };
  const [first, folder, ...rest] = asked.segments;
  if (first !== undefined && first === ownAs) return ownPlace(path, own, asked.segments.slice(1), to);
  if (first !== "modules" || folder === own) {
    const inside = first === "modules" ? rest : asked.segments;
    return ownPlace(path, own, inside, to);
  }
  if (folder === undefined) return { kind: "modules" };
  if (!dependencies.includes(folder)) return { kind: "sealed" };
  if (to === "change") return { kind: "sealed" };
  const real = `/${[folder, ...rest].join("/")}`;
  if (to === "see" && isOpen(rest, false)) return { kind: "file", real };
  if (rest.length === 0 || isOpen(rest, true)) return { kind: "folder", real, open: "contract", rest };
  return { kind: "sealed" };
}

/** What the harness answers for. */
const NOT_THE_AGENTS = new Set(["contract.json", "ship.json"]);

function ownPlace(
  path: string,
  own: string,
  inside: readonly string[],
  to: "see" | "list" | "change",
): Place {
  if (inside.length === 0) return { kind: "folder", real: `/${own}`, open: "all", rest: [] };
  const [name = ""] = inside;
  if (to === "change" && inside.length === 1 && NOT_THE_AGENTS.has(name)) {
    const reason = `'${path}' is the harness's and cannot be changed; what the contract says is settled before`;
    return { kind: "refused", reason };
  }
  return { kind: "file", real: `/${[own, ...inside].join("/")}` };
}

function refusal(place: Exclude<Place, { kind: "file" }>, path: string): string {
  switch (place.kind) {
    case "sealed":
      return sealedError(path);
    case "refused":
      return place.reason;
    case "folder":
    case "modules":
      return isFolder(path);
  }
}

async function listing(files: Backend, modules: ViewedModules, path: string): Promise<LsResult> {
  const place = placeOf(path, modules, "list");
  const asked = virtualPath(path);
  if (asked.kind === "refused") return { error: asked.reason };
  if (place.kind === "refused") return { error: place.reason };
  if (place.kind === "sealed") return { files: [] };
  if (place.kind === "modules") {
    const folders = [modules.own, ...modules.dependencies];
    return { files: folders.map((name) => ({ path: `/modules/${name}/`, is_dir: true })).toSorted(byPath) };
  }
  const { files: found, ...rest } = await files.ls(place.real);
  if (found === undefined) return rest;
  const inContract = place.kind === "folder" && place.open === "contract";
  const entries = found.flatMap((info): FileInfo[] => {
    const name = nameOf(info);
    if (inContract && !isOpen([...place.rest, name], info.is_dir === true)) return [];
    // The names of dependencies stand there instead.
    if (asked.segments.length === 0 && name === "modules") return [];
    return [{ ...info, path: `${below(asked.path, name)}${info.is_dir === true ? "/" : ""}` }];
  });
  if (asked.segments.length === 0) entries.push({ path: "/modules/", is_dir: true });
  return { ...rest, files: entries.toSorted(byPath) };
}

function isOpen(segments: readonly string[], isDirectory: boolean): boolean {
  const path = segments.join("/");
  return isVisible("CONTRACT_ONLY", isDirectory ? `${path}/any` : path);
}

function shown(path: unknown): string {
  const place = virtualPath(path);
  return place.kind === "ok" ? place.path : preview(path);
}
