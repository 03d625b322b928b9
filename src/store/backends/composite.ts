// Puts several backends into one tree: each path goes to the backend with the longest prefix, and unknown places are refused.
import { join } from "node:path";
import { CupelError } from "../../domain/error.ts";
import { FilesystemBackend } from "./filesystem.ts";
import { ImmutableBackend } from "./immutable.ts";
import type { IsFrozen } from "./immutable.ts";
import { OpaqueBackend } from "./opaque.ts";
import type { IsSealed } from "./opaque.ts";
import type {
  Backend,
  DeleteResult,
  EditResult,
  FileInfo,
  GlobResult,
  GrepResult,
  LsResult,
  ReadRawResult,
  ReadResult,
  WriteResult,
} from "./port.ts";
import { isFolder, respelled, rootStays } from "./refusal.ts";
import { byPath, globIn, grepIn } from "./search.ts";
import { below, virtualPath } from "./virtual-path.ts";

export interface StateStoreOptions {
  /** The folder that holds `project/`, `artifacts/`, `modules/` and so on. */
  root: string;
  isSealed: IsSealed;
  /** Asked with paths of the whole tree, for example `/artifacts/core/CTR-0a1b2c3d/1.0.0`. */
  isFrozen: IsFrozen;
}

/** The state store as one tree. `code_index/` is missing on purpose: the index keeps its files to itself. */
export function stateStoreRoutes({ root, isSealed, isFrozen }: StateStoreOptions): CompositeBackend {
  const files = (name: string): Backend => new FilesystemBackend(join(root, name));
  const frozen = (name: string): Backend =>
    new ImmutableBackend(files(name), (path) => isFrozen(path === "/" ? `/${name}` : `/${name}${path}`));
  const sealedIsFrozen: IsFrozen = (path) => {
    const [, moduleId, version, ...rest] = path.split("/");
    if (moduleId === undefined || version === undefined || rest.length > 0) return false;
    return isSealed(moduleId, version);
  };
  return new CompositeBackend({
    "/project": files("project"),
    "/artifacts": frozen("artifacts"),
    "/modules": new OpaqueBackend(new ImmutableBackend(frozen("modules"), sealedIsFrozen), isSealed, "/"),
    "/debates": frozen("debates"),
    "/context_packs": new ImmutableBackend(files("context_packs"), "write-once"),
    "/exceptions": files("exceptions"),
    "/escalations": files("escalations"),
  });
}

export class CompositeBackend implements Backend {
  /** Longest prefix first. */
  readonly #mounts: readonly Mount[];

  constructor(routes: Readonly<Record<string, Backend>>) {
    const mounts = Object.entries(routes).map(([prefix, backend]) => mounted(prefix, backend));
    this.#mounts = mounts.toSorted((a, b) => b.segments.length - a.segments.length);
  }

  async ls(path: string): Promise<LsResult> {
    const place = virtualPath(path);
    if (place.kind === "refused") return { error: place.reason };
    const mountPoints = this.#mountPointsIn(place.segments);
    const mount = this.#mountOf(place.segments);
    if (mount === undefined && mountPoints.length > 0) return { files: mountPoints };
    const listed: LsResult = await this.#route<LsResult>(path, (inner, at) => inner.ls(at));
    const { files, ...rest } = listed;
    if (files === undefined && mountPoints.length > 0) return { files: mountPoints };
    if (files === undefined || mount === undefined) return rest;
    const own = files.map((file) => ({ ...file, path: `${mount.prefix}${file.path}` }));
    const hidden = new Set(mountPoints.map((file) => file.path));
    const shown = own.filter((file) => !hidden.has(file.path) && !hidden.has(`${file.path}/`));
    return { ...rest, files: [...shown, ...mountPoints].toSorted(byPath) };
  }

  read(path: string, offset?: number, limit?: number): Promise<ReadResult> {
    return this.#route(path, (inner, at) => inner.read(at, offset, limit));
  }

  readRaw(path: string): Promise<ReadRawResult> {
    return this.#route(path, (inner, at) => inner.readRaw(at));
  }

  write(path: string, content: string): Promise<WriteResult> {
    return this.#route(path, (inner, at) => inner.write(at, content));
  }

  edit(path: string, oldText: string, newText: string, all?: boolean): Promise<EditResult> {
    return this.#route(path, (inner, at) => inner.edit(at, oldText, newText, all));
  }

  async grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Promise<GrepResult> {
    return grepIn(this, pattern, path, glob, maxCount);
  }

  async glob(pattern: string, path?: string): Promise<GlobResult> {
    return globIn(this, pattern, path);
  }

  async delete(path: string): Promise<DeleteResult> {
    const place = virtualPath(path);
    if (place.kind === "ok" && this.#holdsMount(place.segments)) return { error: rootStays(place.path) };
    return this.#route<DeleteResult>(path, (inner, at) => inner.delete(at));
  }

  async #route<R extends { error?: string; path?: string }>(
    path: string,
    work: (inner: Backend, at: string) => Promise<R>,
  ): Promise<R | { error: string }> {
    const place = virtualPath(path);
    if (place.kind === "refused") return { error: place.reason };
    const mount = this.#mountOf(place.segments);
    if (mount === undefined) {
      const error = this.#holdsMount(place.segments) ? isFolder(path) : this.#unknown(place.path);
      return { error };
    }
    const at = `/${place.segments.slice(mount.segments.length).join("/")}`;
    const result = await work(mount.backend, at);
    if (result.error !== undefined) return { ...result, error: respelled(result.error, at, path) };
    return result.path === undefined ? result : { ...result, path: `${mount.prefix}${result.path}` };
  }

  #mountOf(segments: readonly string[]): Mount | undefined {
    return this.#mounts.find((mount) => startsWith(segments, mount.segments));
  }

  #holdsMount(segments: readonly string[]): boolean {
    return this.#mounts.some((mount) => startsWith(mount.segments, segments));
  }

  /** Mount points show as folders, also on the way to them. */
  #mountPointsIn(segments: readonly string[]): FileInfo[] {
    const names = this.#mounts
      .filter((mount) => startsWith(mount.segments, segments))
      .flatMap((mount) => mount.segments.slice(segments.length, segments.length + 1));
    const folder = `/${segments.join("/")}`;
    return [...new Set(names)]
      .map((name) => ({ path: `${below(folder, name)}/`, is_dir: true }))
      .toSorted(byPath);
  }

  #unknown(path: string): string {
    const known = this.#mounts.map((mount) => `${mount.prefix}/`).toSorted();
    return `'${path}' lies in no known part of the store; use a path below ${known.join(", ")}`;
  }
}

interface Mount {
  /** Without a slash at its end, so that the root's is empty. */
  prefix: string;
  segments: readonly string[];
  backend: Backend;
}

function mounted(prefix: string, backend: Backend): Mount {
  const place = virtualPath(prefix);
  if (place.kind === "ok" && place.path === prefix) {
    return { prefix: prefix === "/" ? "" : prefix, segments: place.segments, backend };
  }
  throw new CupelError("usage", `cannot mount a backend at "${prefix}"`, {
    expected: 'a plain absolute path such as "/modules"',
  });
}

function startsWith(segments: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((segment, index) => segments[index] === segment);
}
