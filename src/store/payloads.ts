// Payloads: bytes stored once under the hash of their content, and checked against it whenever they are read.
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256Hex } from "../domain/canonical.ts";
import { CupelError } from "../domain/error.ts";
import { PayloadRef } from "../domain/refs.ts";
import { isMissing, writeAtomically } from "./atomic-file.ts";
import type { Durability } from "./atomic-file.ts";

export class Payloads {
  readonly #root: string;
  readonly #durability: Durability;

  constructor(root: string, durability: Durability) {
    this.#root = root;
    this.#durability = durability;
  }

  /** The same bytes are written once. What lies there already is believed only after its hash was checked. */
  async put(content: string | Uint8Array): Promise<PayloadRef> {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    const ref = `sha256:${sha256Hex(bytes)}`;
    if (!(await this.#holds(ref))) await writeAtomically(this.pathOf(ref), bytes, this.#durability);
    return ref;
  }

  /** The bytes, or `not_found`, or `store_damaged` when they are no longer what their address says. */
  async get(ref: PayloadRef): Promise<Buffer> {
    let bytes: Buffer;
    try {
      bytes = readFileSync(this.pathOf(ref));
    } catch (cause) {
      if (!isMissing(cause)) throw cause;
      throw new CupelError("not_found", `there is no payload ${ref}`, { hint: "cupel store fsck", cause });
    }
    if (`sha256:${sha256Hex(bytes)}` === ref) return bytes;
    throw new CupelError("store_damaged", `the bytes of ${ref} are not what was stored`, {
      hint: "cupel store fsck",
    });
  }

  /** Every stored address, with what is wrong with it where something is. */
  async *verifyAll(): AsyncGenerator<{ ref: PayloadRef; problem: string | undefined }> {
    for (const shard of await listIfThere(this.#root)) {
      for (const name of await listIfThere(join(this.#root, shard))) {
        // Whatever else somebody put there is not a payload.
        if (!PayloadRef.safeParse(`sha256:${shard}${name}`).success) continue;
        const actual = sha256Hex(await readFile(join(this.#root, shard, name)));
        const problem = actual === shard + name ? undefined : "the bytes are not what was stored";
        yield { ref: `sha256:${shard}${name}`, problem };
      }
    }
  }

  pathOf(ref: PayloadRef): string {
    if (!PayloadRef.safeParse(ref).success) {
      throw new CupelError("usage", `"${ref}" is not the address of a payload`, {
        expected: "sha256: and 64 hexadecimal digits",
      });
    }
    const hash = ref.slice("sha256:".length);
    return join(this.#root, hash.slice(0, 2), hash.slice(2));
  }

  async #holds(ref: PayloadRef): Promise<boolean> {
    try {
      return `sha256:${sha256Hex(readFileSync(this.pathOf(ref)))}` === ref;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }
}

async function listIfThere(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).toSorted();
  } catch (error) {
    if (isMissing(error) || (error instanceof Error && "code" in error && error.code === "ENOTDIR"))
      return [];
    throw error;
  }
}
