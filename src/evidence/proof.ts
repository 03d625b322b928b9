// Makes a proof bundle of what was verified: everything from which its verdicts can be reached again.
import { CupelError } from "../domain/error.ts";
import { addressOf } from "../domain/evidence/proof-bundle.ts";
import type { ProofBundle } from "../domain/evidence/proof-bundle.ts";
import type { Edits } from "../toolchains/port.ts";
import type { ModuleUnderTest } from "./module-under-test.ts";
import type { Texts } from "./folder-files.ts";
import type { Built, Neighbours } from "./neighbours.ts";
import type { Reported, VerifyRequest } from "./verify.ts";

/** Of all tests of a module together. */
export const RUN_MS = 120_000;

export type Provable = Omit<ModuleUnderTest, "signal"> &
  Pick<VerifyRequest, "place" | "only"> & {
    /** Every file of the module as it was before anything ran. */
    texts: Texts;
    neighbours?: Neighbours;
  };

export async function makeProof(
  module: Provable,
  reported: readonly Reported[],
  versions: Readonly<Record<string, string>>,
): Promise<ProofBundle> {
  const { site, toolchain, texts, skeleton, base, contract, claims, rigor, place, only } = module;
  const { neighbours, earlier, certificate, product } = module;
  if (typeof texts === "string") throw notText(texts);
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
  const built = (packages: readonly Built[]) =>
    packages.map(({ name, files }) => ({ name, files: store(files) }));
  const { entry, sources, tests, configuration } = site.layout;
  return {
    format: "cupel-proof-1",
    madeAt: new Date().toISOString(),
    language: toolchain.language,
    versions: { ...versions, ...(await toolchain.versions()) },
    sandbox: site.level,
    place,
    layout: { entry, sources: [...sources], tests: [...tests], configuration: [...configuration] },
    files: store(texts),
    ...(skeleton === undefined ? {} : { skeleton: store(skeleton) }),
    ...(base === undefined ? {} : { base: store(base) }),
    ...(neighbours === undefined
      ? {}
      : {
          neighbours: {
            dependencies: built(neighbours.dependencies),
            broken: built(neighbours.broken),
            consumers: neighbours.consumers.map(({ name, imports, files, dependencies }) => ({
              name,
              imports,
              files: store(files),
              dependencies: built(dependencies),
            })),
          },
        }),
    ...(earlier === undefined
      ? {}
      : {
          earlier: earlier.map(({ module: version, tests: old, sources: code, passed }) => ({
            module: version,
            tests: store(old),
            sources: store(code),
            passed: [...passed],
          })),
        }),
    ...(certificate === undefined ? {} : { certificate }),
    ...(product === "unfinished" ? { product } : {}),
    contents,
    ...(contract === undefined ? {} : { contract }),
    ...(claims === undefined ? {} : { claims: [...claims] }),
    rigor,
    ...(only === undefined ? {} : { only: [...only] }),
    verdicts: reported.map(({ verdict }) => verdict),
  };
}

function notText(path: string): CupelError {
  return new CupelError("usage", `no proof can be made: ${JSON.stringify(path)} is not text`, {
    expected: "a module whose files are all text, since a proof is one",
    hint: "leave --write-proof out, or move the file out of the module",
  });
}
