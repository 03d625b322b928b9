// State stores in temporary folders for the tests of the backends: one module of each standing, and a pack that grants them.
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { slugifyContract } from "../../../test/arbitraries/contract.ts";
import type { ContextPack } from "../../domain/artifact/context-pack.ts";
import type { Specimen } from "./backend.suite.ts";
import type { Backend } from "./port.ts";

export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "cupel-backend-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** A specimen whose backend is built over a fresh folder. */
export async function specimen(build: (root: string) => Backend, home = ""): Promise<Specimen> {
  const folder = await temporaryFolder();
  const disk = join(folder.path, home);
  await mkdir(disk, { recursive: true });
  return { backend: build(folder.path), home, disk, remove: () => folder.remove() };
}

export async function put(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

/** The files of one shipped module, closed ones included. */
export function moduleFiles(moduleId: string, version: string): Record<string, string> {
  const contract = { ...slugifyContract(), module_id: moduleId, module_version: version };
  const home = `modules/${moduleId}/${version}`;
  return {
    [`${home}/contract.json`]: JSON.stringify(contract),
    [`${home}/examples.md`]: "# Examples",
    [`${home}/ship.json`]: "{}",
    [`${home}/types/index.d.ts`]: "export {}",
    [`${home}/implementation/index.ts`]: "the secret source",
    [`${home}/implementation/deep/er.ts`]: "the secret source",
    [`${home}/tests/index.test.ts`]: "the secret tests",
  };
}

export function packOf(change: Partial<ContextPack> = {}): ContextPack {
  return {
    context_pack_id: "CP-0a1b2c3d",
    created_for: { role: "proposer", run_id: "r-1", task_ref: "T-text-slug-basics-001" },
    included_refs: [{ ref: "MM-own@1.0.0", permission: "FULL", reason: "the module at hand" }],
    excluded_refs: [],
    default_permission: "CONTRACT_ONLY",
    created_at: "2026-11-15T12:00:00Z",
    ...change,
  };
}
