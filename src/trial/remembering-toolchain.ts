// A toolchain that looks at the same content once in a process: the arms of a trial judge the same code again and again, and a
// run that is repeated must come to the same end. Gates still judge for themselves, by what was seen.
import { parse } from "node:path";
import { sha256Hex } from "../domain/canonical.ts";
import type { Site, Toolchain } from "../toolchains/port.ts";

export function rememberingToolchain(toolchain: Toolchain): Toolchain {
  return {
    ...toolchain,
    checkContract: once(
      (contract) => toolchain.checkContract(contract),
      (contract) => [contract],
    ),
    stubs: ofSources((site) => toolchain.stubs(site)),
    lies: once(
      (site, stubs, entries) => toolchain.lies(site, stubs, entries),
      (site, ...rest) => [sourcesKey(site), rest],
    ),
    // Whoever is stopped would have to look again, and building is quick.
    build: ofSite((site) => toolchain.build(site)),
    test: once(
      (site, options) => toolchain.test(site, options),
      (site, options) => [site.key(), options],
      (_, { signal }) => signal,
    ),
    testQuickly: once(
      (site, options) => toolchain.testQuickly(site, options),
      (site, options) => [site.key(), options],
      (_, { signal }) => signal,
    ),
    runExamples: once(
      (site, examples, options) => toolchain.runExamples(site, examples, options),
      (site, examples, options) => [sourcesKey(site), examples, options],
      (_, __, { signal }) => signal,
    ),
    alone: once(
      (site, contract, options) => toolchain.alone(site, contract, options),
      (site, contract, options) => [site.key(), contract, options],
      (_, __, { signal }) => signal,
    ),
    mutate: once(
      (site, options) => toolchain.mutate(site, options),
      // What is known already makes it quicker, not different.
      (site, { timeoutMs, only }) => [site.key(), timeoutMs, only],
      (_, { signal }) => signal,
    ),
    variants: ofSources((site) => toolchain.variants(site)),
    groundTruth: ofSite((site) => toolchain.groundTruth(site)),
    pieces: ofSite((site) => toolchain.pieces(site)),
    surface: ofSources((site) => toolchain.surface(site)),
    moduleUses: ofSources((site) => toolchain.moduleUses(site)),
    compareSurface: once(
      (site, entries) => toolchain.compareSurface(site, entries),
      (site, entries) => [sourcesKey(site), entries],
    ),
    inspect: once(
      (site, rules) => toolchain.inspect(site, rules),
      (site, rules) => [site.key(), rules],
    ),
    tidy: ofSite((site) => toolchain.tidy(site)),
    effectsInCode: ofSources((site) => toolchain.effectsInCode(site)),
    measure: once(
      (site, contract) => toolchain.measure(site, contract),
      (site, contract) => [site.key(), contract],
    ),
    // There is no package where tests have type errors.
    compile: once(
      (site, parts) => toolchain.compile(site, parts),
      (site, parts) => [site.key(), parts],
    ),
  };
}

function ofSite<T>(look: (site: Site) => Promise<T>): (site: Site) => Promise<T> {
  return once(look, (site) => [site.key()]);
}

/** For what nobody reads in tests. */
function ofSources<T>(look: (site: Site) => Promise<T>): (site: Site) => Promise<T> {
  return once(look, (site) => [sourcesKey(site)]);
}

/** Tests that declare something, or that other files name, could change what is seen of the sources beside them. */
function sourcesKey(site: Site): string {
  const { tests } = site.layout;
  const files = Object.entries(site.files());
  const isHeard = files.some(([path, text]) =>
    tests.includes(path)
      ? /\bdeclare\b|\/\/\//.test(text)
      : tests.some((each) => text.includes(parse(each).name)),
  );
  return isHeard ? site.key() : site.key(tests);
}

/** What failed, or was cut off, has not been seen. A signal says nothing of itself as JSON. */
function once<Args extends readonly unknown[], T>(
  look: (...args: Args) => Promise<T>,
  partsOf: (...args: Args) => readonly unknown[],
  signalOf?: (...args: Args) => AbortSignal | undefined,
): (...args: Args) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return async (...args) => {
    const key = sha256Hex(JSON.stringify(partsOf(...args)));
    const forget = () => void known.delete(key);
    const earlier = known.get(key);
    const isCutOff = () => signalOf?.(...args)?.aborted === true;
    // Two who ask at the same time share one look, unless whoever began it was stopped.
    if (earlier !== undefined) {
      const seen = await earlier.catch(() => undefined);
      if (seen !== undefined && known.get(key) === earlier) return seen;
    }
    const looking = look(...args);
    known.set(key, looking);
    try {
      const seen = await looking;
      if (isCutOff()) forget();
      return seen;
    } catch (error) {
      forget();
      throw error;
    }
  };
}
