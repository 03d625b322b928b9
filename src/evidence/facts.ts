// What is known of one module, each thing found out at most once however many gates ask for it.
import { sha256Hex } from "../domain/canonical.ts";
import type { MicroModuleContract } from "../domain/contract/contract.ts";
import type { GateName } from "../domain/evidence/gate.ts";
import type { GroundTruth } from "../domain/evidence/claim.ts";
import { isGreen } from "../domain/evidence/test-result.ts";
import type { AloneReport } from "../toolchains/alone-report.ts";
import type {
  BuildReport,
  Edits,
  MutationReport,
  Site,
  StaticReport,
  Surface,
  SurfaceEntry,
  TestReport,
  TidyReport,
} from "../toolchains/port.ts";
import { type Exactness, plainRun } from "../toolchains/quick-run.ts";
import { withCompilerNotices } from "./compiler-notices.ts";
import type { ModuleUnderTest } from "./module-under-test.ts";
import {
  carelessTest,
  lineCount,
  plantedTest,
  plantsBeside,
  withGuard,
  withoutFile,
  withPlants,
} from "./plants-beside.ts";

export class Facts {
  readonly module: ModuleUnderTest;
  readonly #exactness: Exactness;
  readonly #found = new Map<string, Promise<unknown>>();
  /** What is found out elsewhere, should anybody ask for it here. */
  readonly #given = new Map<string, () => Promise<unknown>>();
  readonly #forks: Facts[] = [];

  constructor(module: ModuleUnderTest, exactness: Exactness = "record") {
    this.module = module;
    this.#exactness = exactness;
  }

  build(): Promise<BuildReport> {
    const { toolchain, site, signal } = this.module;
    return this.once("build", () => toolchain.build(site, signal));
  }

  /** All tests, with coverage, predicates and effects watched in the same run. */
  run(): Promise<TestReport> {
    return this.once(RUN, () =>
      this.#exactness === "record" ? this.#recordRun() : this.#plainRun(this.module.site),
    );
  }

  /** The run with coverage, predicates and effects, whatever the exactness. */
  watchedRun(): Promise<TestReport> {
    return this.#exactness === "record" ? this.run() : this.once(WATCHED, () => this.#recordRun());
  }

  /** The same run as if what only rode along in it belonged to the module. */
  async runWithPlants(): Promise<TestReport> {
    const report = await this.watchedRun();
    return report.kind === "ran" ? withPlants(report) : report;
  }

  /** The module without its tests, by what was seen in them. */
  alone(): Promise<AloneReport> {
    const { toolchain, site, contract, signal } = this.module;
    return this.once(ALONE, async () => {
      const report = await this.watchedRun();
      if (contract === undefined || report.kind === "no-report")
        return { kind: "nothing", why: "no call was seen" };
      const predicates = [...contract.predicates, ...plantsBeside(this.module).predicates];
      return toolchain.alone(site, contract, { calls: report.calls ?? [], predicates, signal });
    });
  }

  /** Other tests on this code, in a copy that is gone afterwards; nothing but their results is watched. */
  async runWith(edits: Edits): Promise<TestReport> {
    const copy = await this.module.site.fork(edits);
    try {
      return await this.#plainRun(copy);
    } finally {
      await copy.remove();
    }
  }

  /** The same tests against stubs. */
  skeleton(): Promise<Facts> {
    return this.once(SKELETON, async () => {
      const planted = plantedTest(this.module.site);
      const skeleton = await this.spoiled({ edits: await this.#skeletonEdits() });
      if (planted === undefined) return skeleton;
      skeleton.give(RUN, async () => withoutFile(await (await this.skeletonWithPlant()).run(), planted.path));
      return skeleton;
    });
  }

  /** The same run, with a test among the others that needs nothing of the module. */
  skeletonWithPlant(): Promise<Facts> {
    return this.once("skeleton-with-plant", async () => {
      const planted = plantedTest(this.module.site);
      return this.spoiled({ edits: { ...(await this.#skeletonEdits()), ...planted?.edits } });
    });
  }

  /** The same tests, and one that asks for nothing, where entry points lie in the first, second or third way. */
  lying(way: number): Promise<{ report: TestReport; planted: string } | undefined> {
    return this.once(`lying-${way}`, async () => {
      const others = await this.once<Facts>(LYING, () => Promise.resolve(this));
      if (others !== this) return others.lying(way);
      const { toolchain, site, contract } = this.module;
      if (contract === undefined) return undefined;
      const stubs = await this.stubs();
      const edits = await this.once(LIES, () => toolchain.lies(site, stubs, contract.entry_points));
      const told = edits[way];
      // What gives back one of its own objects, say, cannot lie and throws as before.
      const liar = await this.once("liar", () => firstLiar(this.module, stubs));
      const planted = liar === undefined ? undefined : carelessTest(site, liar);
      if (told === undefined || planted === undefined) return undefined;
      const edited = { ...told, ...planted.edits };
      const report = await (await this.spoiled({ edits: edited, timeoutMs: LYING_MS })).run();
      return { report, planted: planted.path };
    });
  }

  async #skeletonEdits(): Promise<Edits> {
    return this.module.skeleton ?? this.stubs();
  }

  stubs(): Promise<Edits> {
    const { toolchain, site } = this.module;
    return this.once(STUBS, () => toolchain.stubs(site));
  }

  mutants(): Promise<MutationReport> {
    return this.once("own-mutants", async () => {
      const report = await this.mutantsWithPlant();
      if (report.kind === "impossible") return report;
      const { entry } = this.module.site.layout;
      const length = lineCount(this.module.site, entry);
      const own = report.mutants.filter(({ file, line }) => file !== entry || line <= length);
      const build = async (edits: Edits) => (await this.spoiled({ edits })).build();
      return { ...report, mutants: await withCompilerNotices(own, this.module.site, build) };
    });
  }

  /** Those of a guard at the end of the entry as well, which no test needs. */
  mutantsWithPlant(): Promise<MutationReport> {
    const { toolchain, site, signal, known, onMutants } = this.module;
    return this.once(MUTANTS, async () => {
      const copy = await this.spoiled({ edits: withGuard(site) });
      const isRunning = this.#found.has(RUN);
      const report = await toolchain.mutate(copy.module.site, {
        timeoutMs: MUTANT_MS,
        isGreen: () => this.#isGreen(),
        signal: isRunning ? AbortSignal.any([signal, this.#whenRed()]) : signal,
        ...(known === undefined ? {} : { known }),
      });
      if (report.kind === "impossible" && isRunning && !(await this.#isGreen()))
        return { kind: "impossible", why: "the tests do not pass on the code as it is" };
      if (report.kind === "mutated") onMutants?.(report.keys);
      return report;
    });
  }

  /** Nobody waits for mutants of a suite that turns out to fail without any. */
  #whenRed(): AbortSignal {
    const stop = new AbortController();
    const decided = this.#isGreen().then((green) => green || stop.abort());
    // Whoever waits for the run itself is told of the failure.
    decided.catch(() => undefined);
    return stop.signal;
  }

  async #isGreen(): Promise<boolean> {
    const report = await this.run();
    return report.kind === "ran" && isGreen(report.run).kind === "green";
  }

  truth(): Promise<GroundTruth> {
    const { toolchain, site } = this.module;
    return this.once(TRUTH, () => toolchain.groundTruth(site));
  }

  surface(): Promise<Surface> {
    const { toolchain, site } = this.module;
    return this.once(SURFACE, () => toolchain.surface(site));
  }

  inspection(): Promise<StaticReport> {
    const { toolchain, site, rigor, contract } = this.module;
    const { imports, patterns } = rigor.forbidden[toolchain.language];
    return this.once(INSPECTION, () =>
      toolchain.inspect(site, {
        forbiddenImports: imports,
        forbiddenPatterns: patterns,
        allowedPackages: contract?.packages,
      }),
    );
  }

  tidiness(): Promise<TidyReport> {
    const { toolchain, site } = this.module;
    return this.once("tidy", () => toolchain.tidy(site));
  }

  /** Functions that callers can reach and no test does. */
  untestedExports(): Promise<{ name: string; file: string; line: number }[]> {
    return this.once("untested", async () => {
      const [{ entries }, { tests }] = await Promise.all([this.surface(), this.truth()]);
      const reached = new Set(tests.flatMap(({ calls }) => calls));
      const names = (name: string) =>
        [...reached].some((call) => call === name || call.startsWith(`${name}.`));
      // Errors are reached by being thrown; whether those of the contract were seen is told where it is held against the run.
      const promised = this.module.contract?.error_surfaces.map(({ name }) => name) ?? [];
      const thrown = new Set([...entries.flatMap(({ throws }) => throws), ...promised]);
      const callable = ({ kind, name }: SurfaceEntry) =>
        kind === "function" || (kind === "class" && !thrown.has(name));
      return entries.filter((entry) => callable(entry) && !names(entry.name));
    });
  }

  /** Should it be asked for here, it is found out elsewhere. */
  give(name: string, find: () => Promise<unknown>): void {
    this.#given.set(name, find);
  }

  /** For whatever several gates need and these facts do not name. */
  once<T>(name: string, find: () => Promise<T>): Promise<T> {
    const known = this.#found.get(name) ?? (this.#given.get(name) ?? find)();
    this.#found.set(name, known);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name is only ever used with one type
    return known as Promise<T>;
  }

  /** A copy that is wrong in some way; it goes when these facts go. */
  async spoiled(
    change: { edits?: Edits } & Partial<
      Pick<ModuleUnderTest, "contract" | "claims" | "certificate" | "examples" | "timeoutMs">
    >,
  ): Promise<Facts> {
    const { edits, ...inputs } = change;
    const site = edits === undefined ? this.module.site : await this.module.site.fork(edits);
    const module = { ...this.module, ...inputs, site };
    delete module.onMutants;
    const facts = new Facts(module, "quick");
    this.#forks.push(facts);
    return facts;
  }

  /** The same module beside dependencies whose every function throws, where somebody has made that. */
  withBrokenDependencies(): Promise<Facts | undefined> {
    const { broken } = this.module;
    return this.once("broken-dependencies", () =>
      Promise.resolve(
        broken === undefined ? undefined : new Facts({ ...this.module, site: broken }, "quick"),
      ),
    );
  }

  /**
   * Of everything that decides the verdict of a gate: code, tests, configuration, contract, claims, policy, neighbours. Who
   * could see whom is of no concern to any gate but one.
   */
  async key(gate: GateName): Promise<string> {
    if (gate === "examples") return this.#examplesKey();
    const own = gate === "blindness" ? JSON.stringify(this.module.certificate) : "";
    return sha256Hex(`${gate} ${own} ${await this.#sharedKey()}`);
  }

  /** Examples run in a copy without tests, and are compared with nothing that anybody else has said. */
  async #examplesKey(): Promise<string> {
    const { site, contract, rigor, examples, timeoutMs } = this.module;
    const data = [site.key(site.layout.tests), site.level, contract, rigor, examples, timeoutMs];
    return sha256Hex(`examples ${JSON.stringify([data, await this.#versions()])}`);
  }

  #sharedKey(): Promise<string> {
    return this.once("key", async () => {
      const { site, broken, consumers, product, earlier } = this.module;
      const { contract, claims, rigor, base, examples, skeleton, timeoutMs } = this.module;
      const neighbours = [
        broken?.key(),
        consumers?.map(({ name, key }) => [name, key]),
        earlier,
        product === "unfinished" ? product : [product?.command, product?.args, product?.key],
      ];
      const data = [contract, claims, rigor, base, examples, skeleton, timeoutMs];
      return sha256Hex(JSON.stringify([site.key(), site.level, neighbours, data, await this.#versions()]));
    });
  }

  async #versions(): Promise<unknown> {
    return [await this.module.toolchain.versions(), process.platform, process.arch];
  }

  async remove(): Promise<void> {
    for (const fork of this.#forks) {
      await fork.remove();
      if (fork.module.site !== this.module.site) await fork.module.site.remove();
    }
  }

  #recordRun(): Promise<TestReport> {
    const { toolchain, site, rigor, contract, timeoutMs, signal } = this.module;
    return toolchain.test(site, {
      secondsPerTest: rigor.secondsPerTest,
      timeoutMs,
      coverage: true,
      effects: true,
      beside: plantsBeside(this.module),
      signal,
      ...(contract === undefined
        ? {}
        : {
            predicates: contract.predicates,
            watchedEntries: contract.entry_points.map(({ name }) => name),
            declaredErrors: declaredErrors(contract),
          }),
    });
  }

  #plainRun(site: Site): Promise<TestReport> {
    const { toolchain, rigor, timeoutMs, signal } = this.module;
    const options = { secondsPerTest: rigor.secondsPerTest, timeoutMs, signal };
    return plainRun(toolchain, site, this.#exactness, options);
  }
}

const MUTANT_MS = 2000;
/** Tests that wait for a certain result wait for ever then. */
const LYING_MS = 15_000;
const RUN = "run";
/** Under these names a copy can be given what was found out together with the original. */
export const WATCHED = "watched";
export const ALONE = "alone";
export const SKELETON = "skeleton";
export const SURFACE = "surface";
export const INSPECTION = "static";
export const MUTANTS = "mutants";
const STUBS = "stubs";
const LIES = "lies";
export const TRUTH = "truth";
/** Facts whose lies are told here as well. */
export const LYING = "lying";

/** The first entry point that can lie. */
async function firstLiar({ toolchain, site, contract }: ModuleUnderTest, stubs: Edits) {
  for (const entry of contract?.entry_points ?? [])
    if ((await toolchain.lies(site, stubs, [entry])).length > 0) return entry;
  return undefined;
}

function declaredErrors({ entry_points }: MicroModuleContract): Record<string, readonly string[]> {
  return Object.fromEntries(entry_points.map(({ name, errors }) => [name, errors]));
}
