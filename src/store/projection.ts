// The state store as files, in the layout people and agents know. Files follow the database: they can be rebuilt from it.
import { readdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { CupelError } from "../domain/error.ts";
import type { ProjectState } from "../domain/task/project-state.ts";
import { slugify } from "../domain/task/slug.ts";
import { writeAtomically, writeFirst } from "./atomic-file.ts";
import type { Durability } from "./atomic-file.ts";
import type { ArtifactRow } from "./port.ts";

/** Text or bytes by relative path. */
export type Files = Record<string, string | Uint8Array>;

export class Projection {
  readonly root: string;
  readonly #durability: Durability;

  constructor(root: string, durability: Durability) {
    this.root = root;
    this.#durability = durability;
  }

  /**
   * Nobody can be reading yet. A random id makes the directory new; under an id that was given there may be leftovers of
   * an attempt that never came to its row.
   */
  async writeArtifact(row: ArtifactRow, body: Files, leftovers: "impossible" | "overwrite"): Promise<void> {
    const directory = join(this.root, artifactPath(row));
    const files = { ...prefixed("body/", body), "envelope.json": envelopeText(row) };
    const write = leftovers === "overwrite" ? writeAtomically : writeFirst;
    for (const [path, content] of Object.entries(files)) {
      await write(join(directory, path), content, this.#durability);
    }
  }

  async writeEnvelope(row: ArtifactRow): Promise<void> {
    await writeAtomically(
      join(this.root, artifactPath(row), "envelope.json"),
      envelopeText(row),
      this.#durability,
    );
  }

  /** Exactly these files: what lies there besides was never recorded and must not look as if it were. */
  async writeModule(moduleId: string, version: string, files: Files): Promise<void> {
    const directory = join(this.root, modulePath(moduleId, version));
    for (const [path, content] of Object.entries(files)) {
      await writeAtomically(join(directory, path), content, this.#durability);
    }
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isDirectory() && !Object.hasOwn(files, relative(directory, path)))
        rmSync(path, { force: true });
    }
  }
}

export function artifactPath({ pillar, envelope }: Pick<ArtifactRow, "pillar" | "envelope">): string {
  if (slugify(pillar) !== pillar) {
    throw new CupelError("invalid_input", `"${pillar}" is not the slug of a pillar`, {
      expected: slugify(pillar),
    });
  }
  return join("artifacts", pillar, envelope.artifact_id, envelope.version);
}

export function modulePath(moduleId: string, version: string): string {
  return join("modules", moduleId, version);
}

export const STATE_MACHINE_FILE = join("project", "state_machine.json");

export function stateMachineText(state: ProjectState): string {
  return `${JSON.stringify(state, null, 1)}\n`;
}

export function envelopeText({ envelope }: Pick<ArtifactRow, "envelope">): string {
  return `${JSON.stringify(envelope, null, 2)}\n`;
}

function prefixed(prefix: string, files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [prefix + path, content]));
}
