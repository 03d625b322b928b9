// Gates for code that anybody wrote, put together for `cupel verify`.
import { chmodSync, existsSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Hex } from "../domain/canonical.ts";
import { MicroModuleContract } from "../domain/contract/contract.ts";
import { Claim } from "../domain/evidence/claim.ts";
import { GateName } from "../domain/evidence/gate.ts";
import { ProofBundle } from "../domain/evidence/proof-bundle.ts";
import { resolveRigor, RigorName } from "../domain/evidence/rigor.ts";
import type { Rigor } from "../domain/evidence/rigor.ts";
import { oneOf } from "../domain/one-of.ts";
import { ModuleRef } from "../domain/refs.ts";
import { checkBundle } from "../evidence/proof-checks.ts";
import { readRecord, readRecords } from "../evidence/record-file.ts";
import type { Verifier } from "../evidence/verifier.ts";
import { cupelVersion } from "../version.ts";
import { probeSandbox } from "../workshop/probes.ts";
import { runCommand } from "../workshop/process/run-command.ts";
import { bubblewrap } from "../workshop/sandbox/bubblewrap.ts";
import { none } from "../workshop/sandbox/none.ts";
import type { Sandbox } from "../workshop/sandbox/port.ts";
import { memoryDirectory } from "./memory-directory.ts";
import { projectAround, readConfig } from "./project.ts";
import { withStore } from "./stores.ts";

export interface VerifyOptions {
  /** Where the settings of the project are. */
  directory: string;
  rigor?: string;
  /** The file of a contract. */
  contract?: string;
  skeleton?: string;
  /** A directory with the old module, or a ref of the repository that contains the folder. */
  base?: string;
  /** The file of a list of claims. */
  claims?: string;
  only?: readonly string[];
  all: boolean;
}

/** Gates for code that anybody wrote: no model, no key, no state store. */
export async function openVerifier(
  options: VerifyOptions,
): Promise<Verifier & { warning: string | undefined; close: () => Promise<void> }> {
  // What a person got wrong is said before anything slow begins.
  const { rigor } =
    options.rigor === undefined ? await readConfig(options.directory) : { rigor: rigorNamed(options.rigor) };
  const only = options.only === undefined ? undefined : gateNames(options.only);
  const contract = options.contract === undefined ? undefined : await readContract(options.contract);
  const claims = options.claims === undefined ? undefined : await readClaims(options.claims);
  // Compilers and test tools take a while to load, and only this command needs them.
  const [
    { fileCache },
    { fileMemory },
    { makeVerifier },
    { stopCompiler },
    { typescriptToolchain },
    sandbox,
  ] = await Promise.all([
    import("../evidence/liveness.ts"),
    import("../evidence/mutant-memory.ts"),
    import("../evidence/verifier.ts"),
    import("../toolchains/typescript/compiler/program.ts"),
    import("../toolchains/typescript/toolchain.ts"),
    sandboxForOwnCode(),
  ]);
  const workplace = mkdtempSync(join(tmpdir(), "cupel-verify-"));
  // Under root the sandbox is another user, who must be able to walk to the copies.
  chmodSync(workplace, 0o755);
  const verifier = makeVerifier({
    toolchain: typescriptToolchain({ sandbox }),
    rigor,
    all: options.all,
    versions: { cupel: cupelVersion() },
    workplace,
    cache: fileCache(join(memoryDirectory(), "liveness")),
    memory: fileMemory(join(memoryDirectory(), "mutants")),
    keep: (evidence) => Promise.resolve(`sha256:${sha256Hex(JSON.stringify(evidence))}`),
    ...(contract === undefined ? {} : { contract }),
    ...(claims === undefined ? {} : { claims }),
    ...(options.base === undefined ? {} : { base: options.base }),
    ...(options.skeleton === undefined ? {} : { skeleton: options.skeleton }),
    ...(only === undefined ? {} : { only }),
  });
  const warning =
    sandbox.level === "none"
      ? "there is no sandbox here, so the code and its tests run as you (cupel doctor says how to get one)"
      : undefined;
  return {
    ...verifier,
    warning,
    close: async () => {
      stopCompiler();
      await rm(workplace, { recursive: true, force: true });
    },
  };
}

/** A person's own code may run without a sandbox; agents' code may not. */
async function sandboxForOwnCode(): Promise<Sandbox> {
  const check = await probeSandbox(runCommand, bubblewrap());
  return check.status === "ok" ? bubblewrap() : none();
}

/** Of a file, or of a module that has shipped; whatever is not such a bundle is refused with the place of the problem. */
export async function readProof(path: string, directory: string): Promise<ProofBundle> {
  const isModule = ModuleRef.safeParse(path).success && !existsSync(path);
  const bundle = isModule
    ? await shippedProof(path, directory)
    : await readRecord(ProofBundle, path, { what: "a proof bundle", schema: "ProofBundle" });
  checkBundle(bundle);
  return bundle;
}

async function shippedProof(module: string, directory: string): Promise<ProofBundle> {
  const { proofOf } = await import("../engineering/ship/proof-of.ts");
  return withStore(projectAround(directory), (store) => proofOf(store, module));
}

function readContract(path: string): Promise<MicroModuleContract> {
  return readRecord(MicroModuleContract, path, { what: "a contract", schema: "MicroModuleContract" });
}

function readClaims(path: string): Promise<Claim[]> {
  return readRecords(Claim, path, { what: "claims", schema: "Claim" });
}

function rigorNamed(name: string): Rigor {
  return resolveRigor(oneOf(RigorName.options, name, "rigor"));
}

function gateNames(names: readonly string[]): GateName[] {
  return names.map((name) => oneOf(GateName.options, name.trim(), "gate"));
}
