// Makes a proof bundle of what was verified, and reaches its verdicts again from the bundle alone.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { staysInside } from "../domain/artifact/context-pack.ts";
import { CupelError } from "../domain/error.ts";
import { addressOf, compareVerdicts } from "../domain/evidence/proof-bundle.ts";
import type { ProofBundle, ProofDifference } from "../domain/evidence/proof-bundle.ts";
import type { Edits, Files, Toolchain } from "../toolchains/port.ts";
import { noCache } from "./liveness.ts";
import type { ModuleUnderTest } from "./module-under-test.ts";
import { verify } from "./verify.ts";
import type { Reported, VerifyRequest } from "./verify.ts";

export type Provable = Omit<ModuleUnderTest, "signal"> & Pick<VerifyRequest, "place" | "only">;

export async function makeProof(
  module: Provable,
  reported: readonly Reported[],
  versions: Readonly<Record<string, string>>,
): Promise<ProofBundle> {
  const { site, toolchain, skeleton, base, contract, claims, rigor, place, only } = module;
  const contents: Record<string, string> = {};
  const store = (files: Edits): Record<string, string> =>
    Object.fromEntries(
      Object.entries(files).flatMap(([path, text]) => {
        if (text === null) return [];
        const ref = addressOf(text);
        contents[ref] = text;
        return [[path, ref]];
      }),
    );
  const { entry, sources, tests, configuration } = site.layout;
  return {
    format: "cupel-proof-1",
    madeAt: new Date().toISOString(),
    language: toolchain.language,
    versions: { ...versions, ...(await toolchain.versions()) },
    sandbox: site.level,
    place,
    layout: { entry, sources: [...sources], tests: [...tests], configuration: [...configuration] },
    files: store(site.files()),
    ...(skeleton === undefined ? {} : { skeleton: store(skeleton) }),
    ...(base === undefined ? {} : { base: store(base) }),
    contents,
    ...(contract === undefined ? {} : { contract }),
    ...(claims === undefined ? {} : { claims: [...claims] }),
    rigor,
    ...(only === undefined ? {} : { only: [...only] }),
    verdicts: reported.map(({ verdict }) => verdict),
  };
}

export interface Replay {
  reported: Reported[];
  differences: ProofDifference[];
  /** Tools that have another version today. */
  otherVersions: string[];
}

/** `directory` is new, and gone afterwards by whoever made it. Nothing remembered is used. */
export async function replayProof(
  bundle: ProofBundle,
  toolchain: Toolchain,
  directory: string,
): Promise<Replay> {
  const folder = join(directory, "module");
  writeAll(folder, filesOf(bundle, bundle.files));
  const site = await toolchain.openSite({
    folder,
    layout: bundle.layout,
    directory: join(directory, "site"),
  });
  try {
    const { contract, claims, skeleton, base, rigor, place, only } = bundle;
    const reported = await verify({
      module: {
        site,
        toolchain,
        rigor,
        timeoutMs: RUN_MS,
        ...(contract === undefined ? {} : { contract }),
        ...(claims === undefined ? {} : { claims }),
        ...(skeleton === undefined ? {} : { skeleton: filesOf(bundle, skeleton) }),
        ...(base === undefined ? {} : { base: filesOf(bundle, base) }),
      },
      place,
      all: true,
      cache: noCache(),
      keep: (evidence) => Promise.resolve(addressOf(JSON.stringify(evidence))),
      ...(only === undefined ? {} : { only }),
    });
    const now = await toolchain.versions();
    const otherVersions = Object.entries(now).flatMap(([name, version]) =>
      bundle.versions[name] === version ? [] : [`${name} ${bundle.versions[name] ?? "unknown"} → ${version}`],
    );
    return {
      reported,
      differences: compareVerdicts(
        bundle.verdicts,
        reported.map(({ verdict }) => verdict),
      ),
      otherVersions,
    };
  } finally {
    await site.remove();
  }
}

/** Of all tests of a module together. */
export const RUN_MS = 120_000;

function filesOf(bundle: ProofBundle, paths: Readonly<Record<string, string>>): Files {
  return Object.fromEntries(Object.entries(paths).map(([path, ref]) => [path, bundle.contents[ref] ?? ""]));
}

/** A bundle comes from anywhere; its paths are not believed. */
function writeAll(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    if (!staysInside(path))
      throw new CupelError("invalid_input", `${JSON.stringify(path)} leads out of the bundle`);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { flag: "wx" });
  }
}
