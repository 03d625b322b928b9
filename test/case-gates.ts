// Judges a simulated case by the gates of the ship door alone, without a run around it.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claimsOf } from "../src/domain/blind/suite-coverage.ts";
import { contractFrom } from "../src/domain/contract/contract-draft.ts";
import type { GateName } from "../src/domain/evidence/gate.ts";
import { resolveRigor } from "../src/domain/evidence/rigor.ts";
import { PlannedModule } from "../src/domain/plan/micro-plan.ts";
import { noCache } from "../src/evidence/liveness.ts";
import { writeFiles } from "../src/evidence/neighbours.ts";
import { type Reported, verify } from "../src/evidence/verify.ts";
import type { ModuleWork } from "../src/simulator/cheats/port.ts";
import type { SimulatedCase } from "../src/simulator/port.ts";
import { typescriptToolchain } from "../src/toolchains/typescript/toolchain.ts";
import { bubblewrap } from "../src/workshop/sandbox/bubblewrap.ts";

/** What each gate said of the work of somebody who made the case. */
export async function verdictsOn(
  about: SimulatedCase,
  { files, contract: draft }: ModuleWork,
  only: readonly GateName[],
): Promise<Reported[]> {
  const drafted = contractFrom(draft, PlannedModule.parse(withoutNull(about.planned)), "1.0.0");
  if (drafted.kind === "invalid") throw new Error(JSON.stringify(drafted.problems));
  const directory = mkdtempSync(join(tmpdir(), "cupel-test-"));
  chmodSync(directory, 0o755);
  const toolchain = typescriptToolchain({ sandbox: bubblewrap() });
  try {
    const folder = writeFiles(join(directory, "module", about.name), plainFiles(files));
    const detected = await toolchain.detect(folder);
    if (detected.kind === "no-module") throw new Error(detected.why);
    const { layout } = detected;
    const site = await toolchain.openSite({ folder, layout, directory: join(directory, "site") });
    const module = { site, toolchain, rigor: resolveRigor("standard"), timeoutMs: 60_000 };
    const around = { contract: drafted.contract, examples: textIn(files, "examples.md"), earlier: [] };
    const said = { claims: claimsOf(about.properties), base: testsIn(files) };
    return await verify({
      module: { ...module, ...around, ...said },
      place: "ship",
      only,
      all: true,
      cache: noCache(),
      keep: () => Promise.resolve(`sha256:${"0".repeat(64)}`),
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The gates that block, each with its first finding. */
export function blockersOf(reported: readonly Reported[]): string[] {
  return reported
    .filter(({ blocks }) => blocks)
    .map(({ verdict, summary }) => `${verdict.gate}: ${verdict.findings[0]?.message ?? summary}`);
}

function withoutNull(planned: SimulatedCase["planned"]): object {
  return Object.fromEntries(Object.entries(planned).filter(([, value]) => value !== null));
}

/** What lies outside of the module, or is a record of the harness, never comes this far. */
function plainFiles(files: ModuleWork["files"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).flatMap(([path, text]) =>
      typeof text === "string" && /^(?:src\/|test\/|examples\.md$)/.test(path) ? [[path, text]] : [],
    ),
  );
}

function testsIn(files: ModuleWork["files"]): Record<string, string> {
  return Object.fromEntries(Object.entries(plainFiles(files)).filter(([path]) => path.startsWith("test/")));
}

function textIn(files: ModuleWork["files"], path: string): string {
  const text = files[path];
  return typeof text === "string" ? text : "";
}
