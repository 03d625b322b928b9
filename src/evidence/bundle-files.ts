// The files of a proof bundle, laid out as a module with what stands around it; nothing in the bundle is believed.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { canonicalJson } from "../domain/canonical.ts";
import type { ProofBundle } from "../domain/evidence/proof-bundle.ts";
import type { Files, ModuleLayout, Toolchain } from "../toolchains/port.ts";
import { layOutNeighbours } from "./neighbours.ts";
import type { Neighbours, NeighboursOnDisk } from "./neighbours.ts";
import { forged } from "./proof-checks.ts";

export interface LaidOut {
  /** The module as it was proven. */
  folder: string;
  around: NeighboursOnDisk;
}

/** `directory` is new; whoever gives it removes it. */
export async function layOutBundle(
  bundle: ProofBundle,
  { toolchain, directory }: { toolchain: Toolchain; directory: string },
): Promise<LaidOut> {
  const folder = join(directory, "module", folderName(bundle.layout));
  writeAll(folder, filesOf(bundle, bundle.files));
  await checkLayout(bundle, toolchain, folder);
  const around = await layOutNeighbours(neighboursOf(bundle), {
    toolchain,
    directory: join(directory, "neighbours"),
  }).catch((cause: unknown) => {
    throw forged("what stands around the module cannot be laid out", cause);
  });
  return { folder, around };
}

function neighboursOf(bundle: ProofBundle): Neighbours {
  const { dependencies = [], broken = [], consumers = [] } = bundle.neighbours ?? {};
  const files = <T extends { files: Readonly<Record<string, string>> }>(part: T) => ({
    ...part,
    files: filesOf(bundle, part.files),
  });
  return {
    dependencies: dependencies.map(files),
    broken: broken.map(files),
    consumers: consumers.map((consumer) => ({
      ...files(consumer),
      dependencies: consumer.dependencies.map(files),
    })),
  };
}

/** Tests that are there and not listed would not run. */
async function checkLayout({ layout }: ProofBundle, toolchain: Toolchain, folder: string): Promise<void> {
  const detected = await toolchain.detect(folder);
  if (detected.kind === "no-module") throw forged(`it holds no module: ${detected.why}`);
  const parts = ["entry", "sources", "tests", "configuration"] as const;
  const other = parts.find((part) => named(part, layout) !== named(part, detected.layout));
  if (other !== undefined)
    throw forged(
      `its ${other} are listed as ${named(other, layout)}, but are ${named(other, detected.layout)}`,
    );
}

function named(part: keyof ModuleLayout, layout: ModuleLayout): string {
  return canonicalJson([layout[part]].flat().toSorted());
}

/** The name of a folder can decide what its entry is. */
function folderName({ entry }: ModuleLayout): string {
  const stem = posix.basename(entry).replace(/\.\w+$/, "");
  return /^\w[\w-]*$/.test(stem) ? stem : "module";
}

export function filesOf(bundle: ProofBundle, paths: Readonly<Record<string, string>>): Files {
  return Object.fromEntries(Object.entries(paths).map(([path, ref]) => [path, bundle.contents[ref] ?? ""]));
}

function writeAll(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    try {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text, { flag: "wx" });
    } catch (cause) {
      throw forged(`${JSON.stringify(path)} cannot be a file beside the others`, cause);
    }
  }
}
