// Runs what earlier versions were shipped with on a module, version by version, by the regression gate and its plant.
import { join } from "node:path";
import { z } from "zod";
import { CupelError } from "../domain/error.ts";
import { Finding } from "../domain/evidence/gate-verdict.ts";
import type { ProofBundle } from "../domain/evidence/proof-bundle.ts";
import { parseOrThrow } from "../domain/parse.ts";
import type { Toolchain } from "../toolchains/port.ts";
import { layOutBundle } from "./bundle-files.ts";
import { noCache } from "./liveness.ts";
import type { EarlierSuite } from "./module-under-test.ts";
import { RUN_MS } from "./proof.ts";
import { checkBundle } from "./proof-checks.ts";
import { verify } from "./verify.ts";
import type { Reported } from "./verify.ts";

export interface RegressRequest {
  /** The newest version, with what it was built with. */
  bundle: ProofBundle;
  earlier: readonly EarlierSuite[];
  /** A folder to ask instead of the newest version. */
  against?: string;
  signal?: AbortSignal;
}

/** What became of the tests of one version, or of several that were shipped with the same ones. */
export interface RegressedVersion {
  of: string;
  tests: number;
  passed: number;
  findings: Finding[];
}

export interface Regressed {
  versions: RegressedVersion[];
  /** What the gate made of all of them together. */
  reported: Reported;
}

export async function regress(
  request: RegressRequest,
  { toolchain, directory }: { toolchain: Toolchain; directory: string },
): Promise<Regressed> {
  const { bundle, earlier, against, signal } = request;
  checkBundle(bundle);
  const { folder, around } = await layOutBundle(bundle, { toolchain, directory });
  const { dependencies } = around;
  const place = { directory: join(directory, "site"), dependencies };
  const site = await toolchain.openSite(
    against === undefined
      ? { folder, layout: bundle.layout, ...place }
      : { folder: against, layout: await layoutOf(against, toolchain), ...place },
  );
  let versions: RegressedVersion[] = [];
  try {
    const [reported] = await verify({
      module: {
        site,
        toolchain,
        rigor: bundle.rigor,
        timeoutMs: RUN_MS,
        earlier,
        ...(bundle.contract === undefined ? {} : { contract: bundle.contract }),
      },
      place: "ship",
      only: ["regression"],
      all: true,
      cache: noCache(),
      keep: (evidence) => {
        versions = parseOrThrow(z.array(Looked), evidence, "what the regression gate saw");
        return Promise.resolve(`sha256:${"0".repeat(64)}`);
      },
      ...(signal === undefined ? {} : { signal }),
    });
    if (reported === undefined) throw new Error("the regression gate said nothing");
    return { versions, reported };
  } finally {
    await site.remove();
  }
}

const Looked = z.object({
  of: z.string(),
  tests: z.int(),
  passed: z.int(),
  findings: z.array(Finding),
});

async function layoutOf(folder: string, toolchain: Toolchain): Promise<ProofBundle["layout"]> {
  const detected = await toolchain.detect(folder);
  if (detected.kind === "no-module")
    throw new CupelError("usage", `${folder} is not a module that can be asked: ${detected.why}`, {
      expected: "a folder with src/ and tests that run under vitest",
      hint: "cupel regress MODULE --against FOLDER (with the folder that holds src/)",
    });
  const { entry, sources, tests, configuration } = detected.layout;
  return { entry, sources: [...sources], tests: [...tests], configuration: [...configuration] };
}
