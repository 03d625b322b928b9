// Verifies module folders, one after the other, and remembers from one to the next what need not be found out again.
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { MicroModuleContract } from "../domain/contract/contract.ts";
import { CupelError } from "../domain/error.ts";
import type { Claim } from "../domain/evidence/claim.ts";
import { EXAMPLES_FILE } from "../domain/evidence/examples.ts";
import type { GateName } from "../domain/evidence/gate.ts";
import type { ProofBundle } from "../domain/evidence/proof-bundle.ts";
import type { Rigor } from "../domain/evidence/rigor.ts";
import type { Edits, Files, KnownMutants, ModuleLayout, Toolchain } from "../toolchains/port.ts";
import { baseFiles } from "./base-files.ts";
import { asTexts, everyFile } from "./folder-files.ts";
import type { LivenessCache } from "./liveness.ts";
import { firstToFix, isPassed } from "./module-report.ts";
import type { ModuleReport } from "./module-report.ts";
import type { MutantMemory } from "./mutant-memory.ts";
import { makeProof, RUN_MS } from "./proof.ts";
import type { Provable } from "./proof.ts";
import { regress } from "./regress.ts";
import type { Regressed, RegressRequest } from "./regress.ts";
import { replayProof } from "./replay.ts";
import type { Replay } from "./replay.ts";
import { verify } from "./verify.ts";
import type { Reported } from "./verify.ts";

export interface VerifierRequest {
  toolchain: Toolchain;
  rigor: Rigor;
  contract?: MicroModuleContract;
  /** A folder with stubs for the same files; without it they are made. */
  skeleton?: string;
  /** What tests and runner configuration must still be like: a directory with the old module, or a ref. */
  base?: string;
  /** What was said about the module. */
  claims?: readonly Claim[];
  only?: readonly GateName[];
  all: boolean;
  cache: LivenessCache;
  memory: MutantMemory;
  /** Where copies of modules are made. */
  workplace: string;
  keep: (evidence: unknown) => Promise<string>;
  /** Versions beside those of the toolchain, for proofs. */
  versions: Readonly<Record<string, string>>;
}

export interface Verifier {
  /** The report, with everything needed to reach it again. */
  prove(
    folder: string,
    onVerdict?: (reported: Reported) => void,
    signal?: AbortSignal,
  ): Promise<{ report: ModuleReport; proof: ProofBundle }>;
  /** The verdicts of a bundle, reached again; with other tools only where the caller says so. */
  replay(bundle: ProofBundle, how: { anyVersion: boolean; signal?: AbortSignal }): Promise<Replay>;
  verify(
    folder: string,
    onVerdict?: (reported: Reported) => void,
    signal?: AbortSignal,
  ): Promise<ModuleReport>;
  /** What earlier versions were shipped with, on the newest one or on a folder. */
  regress(request: RegressRequest): Promise<Regressed>;
}

export function makeVerifier(request: VerifierRequest): Verifier {
  const { toolchain, rigor, contract, claims, only, all, cache, memory, keep } = request;

  async function verified<T>(folder: string, { onVerdict, signal, use }: Verifying<T>): Promise<T> {
    const started = performance.now();
    const detected = await toolchain.detect(folder);
    if (detected.kind === "no-module") throw noModule(folder, detected.why);
    const { layout } = detected;
    const site = await toolchain.openSite({
      folder,
      layout,
      directory: join(request.workplace, randomUUID()),
    });
    try {
      // Before anything runs there, which could leave whatever it likes.
      const files = everyFile(site.directory);
      const texts = asTexts(files);
      const skeleton = request.skeleton === undefined ? undefined : skeletonOf(request.skeleton, layout);
      const base = request.base === undefined ? undefined : await baseOf(request, folder, layout);
      // Without a sandbox the tests could have written there, or could have said anything.
      const isKept = site.level !== "none";
      const known = isKept ? memory.read(folder) : undefined;
      const module = {
        site,
        toolchain,
        rigor,
        timeoutMs: RUN_MS,
        ...(isKept ? { onMutants: (keys: KnownMutants) => memory.write(folder, keys) } : {}),
        ...(known === undefined ? {} : { known }),
        ...(contract === undefined ? {} : { contract }),
        ...(claims === undefined ? {} : { claims }),
        ...(base === undefined ? {} : { base }),
        ...(skeleton === undefined ? {} : { skeleton }),
        ...examplesIn(files),
      };
      const chosen = { place: "verify" as const, ...(only === undefined ? {} : { only }) };
      const gates = await verify({
        module,
        ...chosen,
        all,
        cache,
        keep,
        ...(onVerdict === undefined ? {} : { onVerdict }),
        ...(signal === undefined ? {} : { signal }),
      });
      const report: ModuleReport = {
        folder,
        layout,
        rigor: rigor.base,
        sandbox: site.level,
        gates,
        layers: gates.find(({ verdict }) => verdict.gate === "layers")?.figures,
        passed: isPassed(gates),
        first: firstToFix(gates),
        durationMs: performance.now() - started,
      };
      return await use(report, { ...module, ...chosen, texts });
    } finally {
      await site.remove();
    }
  }

  return {
    verify: (folder, onVerdict, signal) =>
      verified(folder, { onVerdict, signal, use: (report) => Promise.resolve(report) }),
    prove: (folder, onVerdict, signal) =>
      verified(folder, {
        onVerdict,
        signal,
        use: async (report, module) => ({
          report,
          proof: await makeProof(module, report.gates, request.versions),
        }),
      }),
    regress: (asked) => regress(asked, { toolchain, directory: join(request.workplace, randomUUID()) }),
    replay: (bundle, how) =>
      replayProof(bundle, {
        toolchain,
        directory: join(request.workplace, randomUUID()),
        versions: request.versions,
        ...how,
      }),
  };
}

interface Verifying<T> {
  onVerdict?: ((reported: Reported) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** While the copy is still there. */
  use: (report: ModuleReport, module: Provable) => Promise<T>;
}

function examplesIn(files: ReadonlyMap<string, Buffer>): { examples?: string } {
  const found = files.get(EXAMPLES_FILE);
  return found === undefined ? {} : { examples: found.toString("utf8") };
}

function baseOf(
  { base: named = "", toolchain, workplace }: VerifierRequest,
  folder: string,
  layout: ModuleLayout,
): Promise<Files> {
  // The name of a folder can decide what its entry is.
  const directory = join(workplace, randomUUID(), basename(resolve(folder)));
  return baseFiles({ named, folder, layout, toolchain, directory });
}

function noModule(folder: string, why: string): CupelError {
  return new CupelError("usage", `${folder} is not a module that can be verified: ${why}`, {
    expected: "a folder with src/ and tests that run under vitest",
    hint: "cupel verify FOLDER (with the folder that holds src/)",
  });
}

/** Files of the skeleton replace those of the module; sources that it lacks are left out. */
function skeletonOf(folder: string, { sources }: ModuleLayout): Edits {
  const found = sources.map((path) => [path, textOf(folder, path)] as const);
  if (found.every(([, text]) => text === null)) {
    throw new CupelError("usage", `${folder} has none of ${sources.join(", ")}`, {
      expected: "a folder with stubs under the same names",
    });
  }
  return Object.fromEntries(found);
}

function textOf(folder: string, path: string): string | null {
  const places = [join(folder, path), join(folder, path.replace(/^src\//, ""))];
  const place = places.find((each) => existsSync(each));
  return place === undefined ? null : readFileSync(place, "utf8");
}
