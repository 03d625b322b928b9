// Records as files that people look up by their id: context packs, debates, exceptions, escalations, releases. Written once; what
// they say stands in the body of an artifact as well, which is the truth of it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CupelError } from "../domain/error.ts";
import { isMissing, writeAtomically } from "./atomic-file.ts";
import type { Durability } from "./atomic-file.ts";
import type { Fence, Leases } from "./port.ts";

const FORMS = {
  context_packs: /^CP-[0-9a-f]{8}\.json$/,
  exceptions: /^ICE-[0-9a-f]{8}(?:\.decision-[1-9]\d{0,3})?\.json$/,
  escalations: /^ESC-[0-9a-f]{8}(?:\.resolution-[1-9]\d{0,3})?\.json$/,
  releases: /^REL-[0-9a-f]{8}(?:\.failure)?\.json$/,
  debates: /^[A-Z]+-[0-9a-f]{8}\/[\w-]+\.json$/,
} as const;
export type DocumentFolder = keyof typeof FORMS;

export class Documents {
  readonly #root: string;
  readonly #leases: Pick<Leases, "assert">;
  readonly #durability: Durability;

  constructor(root: string, leases: Pick<Leases, "assert">, durability: Durability) {
    this.#root = root;
    this.#leases = leases;
    this.#durability = durability;
  }

  /** The same text again changes nothing, so that a crash is harmless; another text is refused. */
  async write(fence: Fence, folder: DocumentFolder, name: string, record: unknown): Promise<void> {
    const path = this.#pathOf(folder, name);
    const text = `${JSON.stringify(record, null, 2)}\n`;
    await this.#leases.assert(fence);
    const before = textAt(path);
    if (before === text) return;
    if (before === undefined) return writeAtomically(path, text, this.#durability);
    throw new CupelError("already_exists", `${folder}/${name} is written already and says something else`, {
      expected: "the same record again, or another name",
      hint: `cupel store ls ${folder}`,
    });
  }

  #pathOf(folder: DocumentFolder, name: string): string {
    if (FORMS[folder].test(name)) return join(this.#root, folder, name);
    throw new CupelError("usage", `"${name}" is no name of a file in ${folder}`, {
      expected: String(FORMS[folder]),
    });
  }
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
