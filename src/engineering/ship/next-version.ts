// Whether a version is the one that has to come next, judged from the contracts and never from what was claimed.
import { breakingReasons, requiredBump } from "../../domain/contract/compatibility.ts";
import { MicroModuleContract } from "../../domain/contract/contract.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { versionOf } from "../../domain/refs.ts";
import type { ShipRecord } from "../../domain/run/ship-record.ts";
import { bump, compareSemver } from "../../domain/semver.ts";
import type { StateStore } from "../../store/state-store.ts";
import { CONTRACT } from "./module-files.ts";
import type { Shelf } from "./shelf.ts";

const FIRST = "1.0.0";

export type NextVersion =
  /** The version that it follows; undefined for the first. */
  { kind: "follows"; before: ShipRecord | undefined } | { kind: "wrong"; why: string };

export async function nextVersion(
  store: StateStore,
  shelf: Shelf,
  contract: MicroModuleContract,
): Promise<NextVersion> {
  const { module_id: id, module_version: version } = contract;
  const before = shelf.versionsOf(id).findLast(({ module }) => compareSemver(versionOf(module), version) < 0);
  if (before === undefined) {
    if (version === FIRST) return { kind: "follows", before };
    return wrong(contract, FIRST, "it is the first");
  }
  const earlier = await contractOf(store, before.module);
  const level = requiredBump(earlier, contract);
  const expected = bump(versionOf(before.module), level);
  if (version === expected) return { kind: "follows", before };
  const reasons = breakingReasons(earlier, contract);
  const why =
    level === "major"
      ? `it breaks callers: ${reasons.slice(0, 3).join("; ")}`
      : level === "minor"
        ? "its contract grew"
        : "its contract is unchanged";
  return wrong(contract, expected, `it follows ${before.module}, and ${why}`);
}

export async function contractOf({ modules }: StateStore, module: string): Promise<MicroModuleContract> {
  const text = (await modules.contents(module))[CONTRACT]?.toString("utf8") ?? "";
  return parseOrThrow(MicroModuleContract, JSON.parse(text), `the contract of ${module}`);
}

function wrong(
  { module_id, module_version }: MicroModuleContract,
  expected: string,
  because: string,
): NextVersion {
  const why = `${module_id}@${module_version} cannot be the next version: ${because}, so it has to be ${expected}`;
  return { kind: "wrong", why };
}
