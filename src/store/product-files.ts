// The approved specification as two files in the place where people look for it; the truth is its artifact.
import { join } from "node:path";
import { writeAtomically } from "./atomic-file.ts";
import type { Durability } from "./atomic-file.ts";
import type { ArtifactRow, Fence, Leases } from "./port.ts";

export const PRODUCT_FOLDER = "product";
/** The files of the artifact that are shown there. */
const SHOWN = ["spec.json", "spec.md"];

export class ProductFiles {
  readonly #root: string;
  readonly #leases: Pick<Leases, "assert">;
  readonly #durability: Durability;

  constructor(root: string, leases: Pick<Leases, "assert">, durability: Durability) {
    this.#root = root;
    this.#leases = leases;
    this.#durability = durability;
  }

  /** Writes them as they are in the artifact; again changes nothing. */
  async show(fence: Fence, row: ArtifactRow, read: (ref: string) => Promise<Buffer>): Promise<void> {
    await this.#leases.assert(fence);
    for (const [path, ref] of shownFiles(row))
      await writeAtomically(join(this.#root, path), await read(ref), this.#durability);
  }
}

/** Path below the store to payload; nothing for an artifact that is no approved specification. */
export function shownFiles({ envelope, body }: ArtifactRow): [path: string, ref: string][] {
  if (envelope.artifact_type !== "PRODUCT_SPEC" || envelope.status !== "SHIPPED") return [];
  return SHOWN.flatMap((name) => {
    const ref = body[name];
    return ref === undefined ? [] : [[join(PRODUCT_FOLDER, name), ref]];
  });
}
