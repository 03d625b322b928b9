// Keeps what is shipped as it is: a frozen path is never written, edited or deleted again, nor is a folder that holds one.
import { OneAtATime } from "./one-at-a-time.ts";
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
import { notFound } from "./refusal.ts";
import { globIn } from "./search.ts";
import { virtualPath } from "./virtual-path.ts";

/** A frozen folder freezes everything in it. */
export type IsFrozen = (path: string) => boolean | Promise<boolean>;

export class ImmutableBackend implements Backend {
  readonly #inner: Backend;
  readonly #frozen: IsFrozen | "write-once";
  /** The check and the change it allows belong together. Other processes are kept out by the store's leases. */
  readonly #changes = new OneAtATime();

  constructor(inner: Backend, frozen: IsFrozen | "write-once") {
    this.#inner = inner;
    this.#frozen = frozen;
  }

  ls(path: string): Promise<LsResult> {
    return this.#inner.ls(path);
  }

  read(path: string, offset?: number, limit?: number): Promise<ReadResult> {
    return this.#inner.read(path, offset, limit);
  }

  readRaw(path: string): Promise<ReadRawResult> {
    return this.#inner.readRaw(path);
  }

  write(path: string, content: string): Promise<WriteResult> {
    return this.#unlessFrozen(path, "written", (plain) => this.#inner.write(plain, content));
  }

  edit(path: string, oldText: string, newText: string, all?: boolean): Promise<EditResult> {
    return this.#unlessFrozen(path, "edited", (plain) => this.#inner.edit(plain, oldText, newText, all));
  }

  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Promise<GrepResult> {
    return this.#inner.grep(pattern, path, glob, maxCount);
  }

  glob(pattern: string, path?: string): Promise<GlobResult> {
    return this.#inner.glob(pattern, path);
  }

  delete(path: string): Promise<DeleteResult> {
    return this.#unlessFrozen(path, "deleted", async (plain) => {
      const error = await this.#whyKept(plain);
      return error === undefined ? this.#inner.delete(plain) : { error };
    });
  }

  #unlessFrozen<R extends object>(
    path: unknown,
    what: Change,
    change: (plain: string) => Promise<R>,
  ): Promise<R | { error: string }> {
    return this.#changes.run(async () => {
      const place = virtualPath(path);
      if (place.kind === "refused") return { error: place.reason };
      if (await this.#isFrozen(place.segments)) return { error: refusal(place.path, what) };
      return change(place.path);
    });
  }

  async #isFrozen(segments: readonly string[]): Promise<boolean> {
    if (this.#frozen === "write-once") return this.#exists(`/${segments.join("/")}`);
    for (let depth = 0; depth <= segments.length; depth++) {
      if (await this.#frozen(`/${segments.slice(0, depth).join("/")}`)) return true;
    }
    return false;
  }

  /** Only a clear "does not exist" counts as free; whatever cannot be read might well be there. */
  async #exists(path: string): Promise<boolean> {
    if (path === "/") return false;
    return (await this.#inner.readRaw(path)).error !== notFound(path);
  }

  /** Why a folder that is not frozen itself cannot go. */
  async #whyKept(path: string): Promise<string | undefined> {
    if (this.#frozen === "write-once") return undefined;
    const { files = [], truncated } = await globIn(this.#inner, "**", path);
    for (const file of files) {
      const plain = virtualPath(file.path);
      if (plain.kind === "ok" && (await this.#frozen(plain.path))) {
        return refusal(path, "deleted", `it holds '${plain.path}', which is shipped`);
      }
    }
    if (truncated !== true) return undefined;
    return `'${path}' cannot be deleted: it holds too much to make sure that nothing in it is shipped; delete it in parts`;
  }
}

type Change = "written" | "edited" | "deleted";

function refusal(path: string, what: Change, why = "it is shipped or written once"): string {
  return `'${path}' cannot be ${what}: ${why}, and stays as it is for ever; make a new version instead`;
}
