// Runs one gate on a module that a test describes, for real.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { GateName } from "../src/domain/evidence/gate.ts";
import { resolveRigor, type RigorSetting } from "../src/domain/evidence/rigor.ts";
import { noCache } from "../src/evidence/liveness.ts";
import type { ModuleUnderTest } from "../src/evidence/module-under-test.ts";
import { verify } from "../src/evidence/verify.ts";
import type { Reported, VerifyRequest } from "../src/evidence/verify.ts";
import { typescriptToolchain } from "../src/toolchains/typescript/toolchain.ts";
import { bubblewrap } from "../src/workshop/sandbox/bubblewrap.ts";
import { none } from "../src/workshop/sandbox/none.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";

const sandboxed = typescriptToolchain({ sandbox: bubblewrapWorks ? bubblewrap() : none() });
const unshut = typescriptToolchain({ sandbox: none() });

export interface Tried extends Partial<
  Pick<ModuleUnderTest, "contract" | "claims" | "base" | "certificate" | "skeleton" | "examples">
> {
  /** A folder to begin with. */
  folder?: string;
  files?: Readonly<Record<string, string>>;
  only?: readonly GateName[];
  rigor?: RigorSetting;
  sandbox?: "none";
  known?: VerifyRequest["known"];
  /** Told what verdicts rest on. */
  onEvidence?: (evidence: unknown) => void;
}

export async function gatesOn({
  folder,
  files = {},
  only,
  rigor = "standard",
  onEvidence,
  sandbox,
  known,
  ...inputs
}: Tried): Promise<Reported[]> {
  const toolchain = sandbox === "none" ? unshut : sandboxed;
  // Not by the end of a test: several run at once, and vitest would not know whose it is.
  const directory = mkdtempSync(join(tmpdir(), "cupel-test-"));
  chmodSync(directory, 0o755);
  const module = join(directory, "module");
  if (folder !== undefined) cpSync(folder, module, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(module, path)), { recursive: true });
    writeFileSync(join(module, path), text);
  }
  const detected = await toolchain.detect(module);
  if (detected.kind === "no-module") throw new Error(detected.why);
  const { layout } = detected;
  const site = await toolchain.openSite({ folder: module, layout, directory: join(directory, "site") });
  try {
    return await verify({
      module: { site, toolchain, rigor: resolveRigor(rigor), timeoutMs: 60_000, ...inputs },
      place: "verify",
      all: true,
      cache: noCache(),
      keep: (evidence) => {
        onEvidence?.(evidence);
        return Promise.resolve(`sha256:${"0".repeat(64)}`);
      },
      ...(only === undefined ? {} : { only }),
      ...(known === undefined ? {} : { known }),
    });
  } finally {
    await site.remove();
    rmSync(directory, { recursive: true, force: true });
  }
}

export async function gateOn(gate: GateName, tried: Tried): Promise<Reported["verdict"]> {
  const [reported] = await gatesOn({ ...tried, only: [gate] });
  if (reported === undefined) throw new Error(`no verdict of ${gate}`);
  return reported.verdict;
}
