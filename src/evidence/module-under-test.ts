// What a verdict can depend on.
import type { Claim } from "../domain/evidence/claim.ts";
import type { BlindnessCertificate } from "../domain/evidence/blindness-certificate.ts";
import type { Mutant } from "../domain/evidence/mutant.ts";
import type { MicroModuleContract } from "../domain/contract/contract.ts";
import type { Rigor } from "../domain/evidence/rigor.ts";
import type { Edits, Files, Site, Toolchain } from "../toolchains/port.ts";

/** What is missing makes the gates that need it NOT_RUN. */
export interface ModuleUnderTest {
  site: Site;
  toolchain: Toolchain;
  rigor: Rigor;
  contract?: MicroModuleContract;
  claims?: readonly Claim[];
  /** Test and configuration files as their author committed them. */
  base?: Files;
  /** Stubs that somebody else wrote; without them they are made from the module's own functions. */
  skeleton?: Edits;
  /** Who could see whom while it was made. */
  certificate?: BlindnessCertificate;
  /** The same module with dependencies that throw, made by whoever knows them. */
  broken?: Site;
  /** Answers about mutants whose code and tests have not changed since. */
  known?: ReadonlyMap<string, Mutant>;
  onMutants?: (keys: ReadonlyMap<string, Mutant>) => void;
  /** Longest time of one run of all tests. */
  timeoutMs: number;
  signal: AbortSignal;
}
