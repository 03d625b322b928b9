// A toolchain that looks at the same content once in a process: the arms of a trial judge the same code again and again, and a
// run that is repeated must come to the same end. Gates still judge for themselves, by what was seen.
import { sha256Hex } from "../domain/canonical.ts";
import type { Site, Toolchain } from "../toolchains/port.ts";

export function rememberingToolchain(toolchain: Toolchain): Toolchain {
  const known = new Map<string, Promise<unknown>>();
  const once = <T>(what: string, parts: readonly unknown[], look: () => Promise<T>): Promise<T> => {
    const key = sha256Hex(JSON.stringify([what, ...parts]));
    const earlier = known.get(key);
    // What is kept under a name is what was made under it.
    if (earlier !== undefined) return earlier as Promise<T>;
    const looking = look();
    known.set(key, looking);
    looking.catch(() => known.delete(key));
    return looking;
  };
  /** What was cut off has not been seen. */
  const onceWhole = async <T, Options extends { signal?: AbortSignal }>(
    what: string,
    site: Site,
    options: Options,
    look: (options: Options) => Promise<T>,
  ): Promise<T> => {
    const { signal, ...rest } = options;
    const seen = await once(what, [site.key(), rest], async () => {
      const found = await look(options);
      return { found, isWhole: signal?.aborted !== true };
    });
    return seen.isWhole ? seen.found : look(options);
  };
  const ofSite =
    <T>(what: string, look: (site: Site) => Promise<T>) =>
    (site: Site): Promise<T> =>
      once(what, [site.key()], () => look(site));
  return {
    ...toolchain,
    checkContract: (contract) => once("checkContract", [contract], () => toolchain.checkContract(contract)),
    stubs: ofSite("stubs", toolchain.stubs),
    lies: (site, stubs, entries) =>
      once("lies", [site.key(), stubs, entries], () => toolchain.lies(site, stubs, entries)),
    build: ofSite("build", (site) => toolchain.build(site)),
    test: (site, options) => onceWhole("test", site, options, (rest) => toolchain.test(site, rest)),
    testQuickly: (site, options) =>
      onceWhole("testQuickly", site, options, (rest) => toolchain.testQuickly(site, rest)),
    runExamples: (site, examples, options) =>
      onceWhole("runExamples", site, { ...options, examples }, () =>
        toolchain.runExamples(site, examples, options),
      ),
    alone: (site, contract, options) =>
      onceWhole("alone", site, { ...options, contract }, () => toolchain.alone(site, contract, options)),
    mutate: (site, options) => {
      const { known: _, isGreen: __, ...rest } = options;
      return onceWhole("mutate", site, rest, () => toolchain.mutate(site, options));
    },
    variants: ofSite("variants", toolchain.variants),
    groundTruth: ofSite("groundTruth", toolchain.groundTruth),
    pieces: ofSite("pieces", toolchain.pieces),
    surface: ofSite("surface", toolchain.surface),
    moduleUses: ofSite("moduleUses", toolchain.moduleUses),
    compareSurface: (site, entries) =>
      once("compareSurface", [site.key(), entries], () => toolchain.compareSurface(site, entries)),
    inspect: (site, rules) => once("inspect", [site.key(), rules], () => toolchain.inspect(site, rules)),
    tidy: ofSite("tidy", toolchain.tidy),
    effectsInCode: ofSite("effectsInCode", toolchain.effectsInCode),
    measure: (site, contract) =>
      once("measure", [site.key(), contract], () => toolchain.measure(site, contract)),
    compile: (site, parts) => once("compile", [site.key(), parts], () => toolchain.compile(site, parts)),
  };
}
