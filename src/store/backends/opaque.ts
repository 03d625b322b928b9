// Closes shipped modules: their implementation and tests can be neither read, changed, listed nor found, and no answer
// tells whether a file is in there.
import type {
  Backend,
  DeleteResult,
  EditResult,
  GlobResult,
  GrepResult,
  LsResult,
  ReadRawResult,
  ReadResult,
  WriteResult,
} from "./port.ts";
import { sealedError } from "./refusal.ts";
import { globIn, grepIn, nameOf } from "./search.ts";
import { virtualPath } from "./virtual-path.ts";

export type IsSealed = (moduleId: string, version: string) => boolean | Promise<boolean>;

/** The folders of a module that a seal closes: compiled code is readable code, and a proof holds the code it proves. */
const SEALED_FOLDERS = ["implementation", "tests", "package", "proof"];

export class OpaqueBackend implements Backend {
  readonly #inner: Backend;
  readonly #isSealed: IsSealed;
  readonly #modules: readonly string[];

  /** `modulesAt` is where the wrapped backend keeps `{module_id}/{version}/`; "/" when it holds nothing else. */
  constructor(inner: Backend, isSealed: IsSealed, modulesAt = "/modules") {
    this.#inner = inner;
    this.#isSealed = isSealed;
    this.#modules = modulesAt.split("/").filter((segment) => segment !== "");
  }

  ls(path: string): Promise<LsResult> {
    return this.#unlessSealed(path, async (plain, segments) => {
      const { files, ...rest } = await this.#inner.ls(plain);
      if (files === undefined) return rest;
      const kept: typeof files = [];
      for (const file of files) {
        if (!(await this.#covers([...segments, nameOf(file)]))) kept.push(file);
      }
      return { ...rest, files: kept };
    });
  }

  read(path: string, offset?: number, limit?: number): Promise<ReadResult> {
    return this.#unlessSealed(path, (plain) => this.#inner.read(plain, offset, limit));
  }

  readRaw(path: string): Promise<ReadRawResult> {
    return this.#unlessSealed(path, (plain) => this.#inner.readRaw(plain));
  }

  write(path: string, content: string): Promise<WriteResult> {
    return this.#unlessSealed(path, (plain) => this.#inner.write(plain, content));
  }

  edit(path: string, oldText: string, newText: string, all?: boolean): Promise<EditResult> {
    return this.#unlessSealed(path, (plain) => this.#inner.edit(plain, oldText, newText, all));
  }

  // Searches go through our own ls and readRaw: filtering the results of the wrapped backend would let its caps and its
  // `truncated` tell what it found behind the seal.
  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Promise<GrepResult> {
    return grepIn(this, pattern, path, glob, maxCount);
  }

  glob(pattern: string, path?: string): Promise<GlobResult> {
    return globIn(this, pattern, path);
  }

  delete(path: string): Promise<DeleteResult> {
    return this.#unlessSealed(path, async (plain, segments) => {
      if (await this.#holdsSealed(segments)) return { error: sealedError(path) };
      return this.#inner.delete(plain);
    });
  }

  async #unlessSealed<R extends object>(
    path: string,
    work: (plain: string, segments: readonly string[]) => Promise<R>,
  ): Promise<R | { error: string }> {
    const place = virtualPath(path);
    if (place.kind === "refused") return { error: place.reason };
    if (await this.#covers(place.segments)) return { error: sealedError(path) };
    return work(place.path, place.segments);
  }

  async #covers(segments: readonly string[]): Promise<boolean> {
    const [moduleId, version, folder] = this.#insideModules(segments) ?? [];
    if (moduleId === undefined || version === undefined || folder === undefined) return false;
    return SEALED_FOLDERS.includes(folded(folder)) && (await this.#isSealed(moduleId, version));
  }

  /** Whether deleting this folder would take a sealed module along. */
  async #holdsSealed(segments: readonly string[]): Promise<boolean> {
    const inside = this.#insideModules(segments);
    if (inside === undefined) {
      const above = segments.every((segment, index) => segment === this.#modules[index]);
      return above && this.#holdsSealed(this.#modules);
    }
    const [moduleId, version] = inside;
    if (moduleId !== undefined && version !== undefined) {
      return inside.length === 2 && (await this.#isSealed(moduleId, version));
    }
    const { files = [] } = await this.#inner.ls(`/${segments.join("/")}`);
    for (const file of files) {
      if (file.is_dir === true && (await this.#holdsSealed([...segments, nameOf(file)]))) return true;
    }
    return false;
  }

  #insideModules(segments: readonly string[]): readonly string[] | undefined {
    const inside = this.#modules.every((segment, index) => segments[index] === segment);
    return inside ? segments.slice(this.#modules.length) : undefined;
  }
}

/** Some disks take these spellings for the same folder. */
function folded(name: string): string {
  return name.toLowerCase().replace(/[. ]+$/, "");
}
