// The state store as one agent may see it: its context pack decides what can be read, found and changed, and every access
// is noted, granted or refused.
import type { ContextPack } from "../../domain/artifact/context-pack.ts";
import { preview } from "../../domain/parse.ts";
import { mimeTypeOf, page } from "./file-content.ts";
import { metadataOf, METADATA, SUMMARY, summaryOf } from "./module-card.ts";
import { beyond, closed, forChanging, forReading, outside } from "./pack-verdict.ts";
import type { PackedFile, Verdict } from "./pack-verdict.ts";
import { accessTo, excludesVersionOf, generatedAt, isGenerated, isShown, placeOf } from "./pack-view.ts";
import type { Generated, Unit } from "./pack-view.ts";
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
import { notFound } from "./refusal.ts";
import { byPath, globIn, grepIn, nameOf } from "./search.ts";
import { virtualPath } from "./virtual-path.ts";

export interface PackAccessEntry {
  operation: "ls" | "read" | "readRaw" | "write" | "edit" | "grep" | "glob" | "delete";
  path: string;
  /** What the pack says. A backend below it may still refuse, for example what is sealed. */
  granted: boolean;
  reason: string;
  /** Entries that a listing or a search left out. */
  hidden: number;
}

/** The access waits for it, and does not happen when it fails. */
export type PackAudit = (entry: PackAccessEntry) => void | Promise<void>;

export class ContextPackBackend implements Backend {
  readonly #inner: Backend;
  readonly #pack: ContextPack;
  /** Called before anything is handed out or changed: what cannot be noted does not happen. */
  readonly #audit: PackAudit;

  constructor(inner: Backend, pack: ContextPack, audit: PackAudit) {
    this.#inner = inner;
    this.#pack = pack;
    this.#audit = audit;
  }

  ls(path: string): Promise<LsResult> {
    return this.#discover("ls", path, (view) => view.ls(path));
  }

  read(path: string, offset?: number, limit?: number): Promise<ReadResult> {
    return this.#decided("read", path, forReading(this.#pack, path), async (file) => {
      if (file.kind === "stored") return this.#inner.read(file.path, offset, limit);
      const text = await this.#generated(file.unit, file.name);
      return text === undefined ? { error: notFound(path) } : page(path, text, offset, limit);
    });
  }

  readRaw(path: string): Promise<ReadRawResult> {
    return this.#decided("readRaw", path, forReading(this.#pack, path), (file) => this.#raw(file));
  }

  write(path: string, content: string): Promise<WriteResult> {
    return this.#decided("write", path, forChanging(this.#pack, path), ({ path }) =>
      this.#inner.write(path, content),
    );
  }

  edit(path: string, oldText: string, newText: string, all?: boolean): Promise<EditResult> {
    return this.#decided("edit", path, forChanging(this.#pack, path), (file) =>
      this.#inner.edit(file.path, oldText, newText, all),
    );
  }

  delete(path: string): Promise<DeleteResult> {
    return this.#decided("delete", path, forChanging(this.#pack, path), ({ path }) =>
      this.#inner.delete(path),
    );
  }

  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Promise<GrepResult> {
    return this.#discover("grep", path ?? "/", (view) => grepIn(view, pattern, path, glob, maxCount));
  }

  glob(pattern: string, path?: string): Promise<GlobResult> {
    return this.#discover("glob", path ?? "/", (view) => globIn(view, pattern, path));
  }

  async #decided<R extends object>(
    operation: PackAccessEntry["operation"],
    path: unknown,
    verdict: Verdict,
    work: (file: PackedFile) => Promise<R>,
  ): Promise<R | { error: string }> {
    const granted = verdict.kind === "granted";
    await this.#note(operation, path, granted, granted ? verdict.reason : verdict.error, 0);
    return granted ? work(verdict.file) : { error: verdict.error };
  }

  /** One entry for the whole search, whatever it walked through. */
  async #discover<R extends { error?: string }>(
    operation: "ls" | "grep" | "glob",
    path: unknown,
    search: (view: {
      ls(path: string): Promise<LsResult>;
      readRaw(path: string): Promise<ReadRawResult>;
    }) => Promise<R>,
  ): Promise<R> {
    let hidden = 0;
    const result = await search({
      ls: async (path) => {
        const listing = await this.#listing(path);
        hidden += listing.hidden;
        return listing.result;
      },
      readRaw: async (path) => {
        const verdict = forReading(this.#pack, path);
        return verdict.kind === "granted" ? this.#raw(verdict.file) : { error: verdict.error };
      },
    });
    const reason = result.error ?? `${hidden} ${hidden === 1 ? "entry" : "entries"} hidden`;
    await this.#note(operation, path, result.error === undefined, reason, hidden);
    return result;
  }

  async #note(
    operation: PackAccessEntry["operation"],
    path: unknown,
    granted: boolean,
    reason: string,
    hidden: number,
  ): Promise<void> {
    const place = virtualPath(path);
    const noted = place.kind === "ok" ? place.path : preview(path);
    await this.#audit({ operation, path: noted, granted, reason, hidden });
  }

  async #raw(file: PackedFile): Promise<ReadRawResult> {
    if (file.kind === "stored") return this.#inner.readRaw(file.path);
    const content = await this.#generated(file.unit, file.name);
    if (content === undefined) return { error: notFound(file.path) };
    // Made at this moment, but the same every time: a fixed time keeps equal answers equal.
    const time = new Date(0).toISOString();
    const mimeType = mimeTypeOf(file.path, content);
    return { data: { content, mimeType, created_at: time, modified_at: time } };
  }

  /** Undefined where there is no such module, or no contract to make a summary from. */
  async #generated(unit: Unit, name: Generated): Promise<string | undefined> {
    if (name === SUMMARY) {
      const { data } = await this.#inner.readRaw(`${unit.home}/contract.json`);
      return typeof data?.content === "string" ? summaryOf(data.content) : undefined;
    }
    if ((await this.#inner.ls(unit.home)).files === undefined) return undefined;
    const shipped = await this.#inner.readRaw(`${unit.home}/ship.json`);
    return metadataOf(unit.id, unit.version, shipped.data === undefined ? "DRAFT" : "SHIPPED");
  }

  async #listing(path: string): Promise<{ result: LsResult; hidden: number }> {
    const asked = virtualPath(path);
    if (asked.kind === "refused") return { result: { error: asked.reason }, hidden: 0 };
    const refusal = await this.#whyClosed(path, asked.segments);
    if (refusal !== undefined) return { result: { error: refusal }, hidden: 0 };
    const { files, ...rest } = await this.#inner.ls(asked.path);
    if (files === undefined) return { result: rest, hidden: 0 };
    const kept: FileInfo[] = [];
    for (const file of files) {
      if (await this.#shows([...asked.segments, nameOf(file)], file.is_dir === true ? "folder" : "file"))
        kept.push(file);
    }
    const made = await this.#generatedIn(asked.segments);
    return {
      result: { ...rest, files: [...kept, ...made].toSorted(byPath) },
      hidden: files.length - kept.length,
    };
  }

  async #generatedIn(segments: readonly string[]): Promise<FileInfo[]> {
    const place = placeOf(segments);
    if (place.kind !== "unit" || place.unit.of === "artifact" || place.unit.rest.length > 0) return [];
    const access = accessTo(this.#pack, place.unit);
    const infos: FileInfo[] = [];
    for (const name of [METADATA, SUMMARY] as const) {
      if (access.kind === "none" || !isGenerated(access.permission, name)) continue;
      const text = await this.#generated(place.unit, name);
      if (text === undefined) continue;
      infos.push({ path: `${place.unit.home}/${name}`, is_dir: false, size: Buffer.byteLength(text) });
    }
    return infos;
  }

  /** Why a folder cannot be listed; the same whether or not it exists. */
  async #whyClosed(path: string, segments: readonly string[]): Promise<string | undefined> {
    const place = placeOf(segments);
    if (place.kind === "unit") {
      const access = accessTo(this.#pack, place.unit);
      if (access.kind === "none") return closed(path, access.reason);
      if (isShown(access.permission, place.unit, "folder")) return undefined;
      return beyond(path, access.permission, place.unit);
    }
    return (await this.#shows(segments, "folder")) ? undefined : outside(path);
  }

  async #shows(segments: readonly string[], kind: "file" | "folder"): Promise<boolean> {
    const place = placeOf(segments);
    if (place.kind === "outside") return false;
    if (place.kind === "unit") {
      const access = accessTo(this.#pack, place.unit);
      if (access.kind === "none" || generatedAt(place.unit) !== undefined) return false;
      return isShown(access.permission, place.unit, kind);
    }
    const [part, id] = segments;
    if (kind === "file") return false;
    if (
      part === undefined ||
      (part === "modules" && !(id !== undefined && excludesVersionOf(this.#pack, id)))
    ) {
      return true;
    }
    // On the way to nothing that can be seen, a folder's name would already say too much.
    const { files = [] } = await this.#inner.ls(`/${segments.join("/")}`);
    for (const file of files) {
      if (file.is_dir === true && (await this.#shows([...segments, nameOf(file)], "folder"))) return true;
    }
    return false;
  }
}
