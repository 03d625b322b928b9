// What a verdict can depend on.
import type { Claim } from "../domain/evidence/claim.ts";
import type { BlindnessCertificate } from "../domain/evidence/blindness-certificate.ts";
import type { MicroModuleContract } from "../domain/contract/contract.ts";
import type { Rigor } from "../domain/evidence/rigor.ts";
import type { Edits, Files, KnownMutants, Site, Toolchain } from "../toolchains/port.ts";

/**
 * A module that imports this one as `#modules/<name>`. The integration gate compiles this module, lets every consumer
 * run its own suite against that build, and refuses when one of its tests fails. It has shown that it can say no when
 * each of these suites is red on a build of this module whose every function throws.
 */
export interface Consumer {
  name: string;
  /** The same for the same suite: of its own files and of the other modules it imports. */
  key: string;
  /** A site of it in which this module is the given build; whoever asked removes it. */
  open(build: Files): Promise<Site>;
}

/**
 * The product that this module belongs to. The e2e gate runs the product's own test command in a clean copy in which
 * this module has the files that are judged, and refuses when the command does not end well. It has shown that it can
 * say no when the same command fails in a copy in which every function of this module throws.
 */
export interface Product {
  command: string;
  args: readonly string[];
  /** The same for the same product. */
  key: string;
  open(module: Files): Promise<Pick<Site, "run" | "remove">>;
}

/**
 * What an earlier version of the same major was shipped with. The regression gate runs its tests on this module's code and
 * refuses when one of those that passed then fails or is gone.
 */
export interface EarlierSuite {
  /** As `MM-x@1.0.0`. */
  module: string;
  tests: Files;
  /** For tests that look inside: what they import and this module does not have comes from here. */
  sources: Files;
  passed: readonly { file: string; name: string }[];
}

/** What is missing makes the gates that need it NOT_RUN. */
export interface ModuleUnderTest {
  site: Site;
  toolchain: Toolchain;
  rigor: Rigor;
  contract?: MicroModuleContract;
  claims?: readonly Claim[];
  /** Test and configuration files as their author committed them. */
  base?: Files;
  /** The text of examples.md. */
  examples?: string;
  /** Stubs that somebody else wrote; without them they are made from the module's own functions. */
  skeleton?: Edits;
  /** Who could see whom while it was made. */
  certificate?: BlindnessCertificate;
  /**
   * The same module with dependencies whose every function throws, which its integration tests must notice. Made by
   * whoever built the dependencies: `toolchain.stubs` of each, compiled, and `openSite` with those builds.
   */
  broken?: Site;
  /** Modules that import this one: `consumerOf` in consumers.ts makes one from its folder. */
  consumers?: readonly Consumer[];
  /** Of every earlier version of the same major; empty where there is none. */
  earlier?: readonly EarlierSuite[];
  /** All of it, once every task has shipped: `productOf` in product-copy.ts makes one from its folder. */
  product?: Product | "unfinished";
  /** Answers about mutants whose code and tests have not changed since. */
  known?: KnownMutants;
  onMutants?: (keys: KnownMutants) => void;
  /** Longest time of one run of all tests. */
  timeoutMs: number;
  signal: AbortSignal;
}
