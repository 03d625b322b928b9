// Compares, bumps and matches versions, whatever their size.
import { CupelError } from "./error.ts";
import { moduleIdOf, versionOf, type Semver } from "./refs.ts";

export type BumpLevel = "patch" | "minor" | "major";

type Triple = readonly [major: bigint, minor: bigint, patch: bigint];

/** Negative when `a` is older than `b`, zero when they are the same, positive when it is newer. */
export function compareSemver(a: Semver, b: Semver): number {
  return compare(tripleOf(a), tripleOf(b));
}

export function bump(version: Semver, level: BumpLevel): Semver {
  return STEPS[level](tripleOf(version)).join(".");
}

/** Whether `version` is in `range`: `*`, `1.x`, `^1.2.0` (nothing breaking), `~1.2.0` (patches only) or `1.2.0`. */
export function satisfies(version: Semver, range: string): boolean {
  const triple = tripleOf(version);
  if (range === "*") return true;
  const line = /^(\d+)\.x$/.exec(range);
  if (line !== null) return triple[0] === BigInt(line[1] ?? "");

  const operator = range[0] === "^" || range[0] === "~" ? range[0] : "=";
  const floor = tripleOf(operator === "=" ? range : range.slice(1));
  if (operator === "=") return compare(triple, floor) === 0;
  const ceiling = operator === "~" ? STEPS.minor(floor) : nextBreaking(floor);
  return compare(triple, floor) >= 0 && compare(triple, ceiling) < 0;
}

/** Whether the module version `ref` is one of those that `range` names: `MM-a@1.2.3` is in `MM-a@^1.0.0`. */
export function refSatisfies(ref: string, range: string): boolean {
  return moduleIdOf(ref) === moduleIdOf(range) && satisfies(versionOf(ref), versionOf(range));
}

function tripleOf(version: string): Triple {
  const parts = /^(\d+)\.(\d+)\.(\d+)$/.exec(version);
  if (parts === null) {
    throw new CupelError("invalid_input", `"${version}" is not a version`, {
      expected: "three numbers such as 1.0.0",
    });
  }
  const [, major = "", minor = "", patch = ""] = parts;
  return [BigInt(major), BigInt(minor), BigInt(patch)];
}

function compare(a: Triple, b: Triple): number {
  return sign(a[0], b[0]) || sign(a[1], b[1]) || sign(a[2], b[2]);
}

function sign(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const STEPS: Readonly<Record<BumpLevel, (from: Triple) => Triple>> = {
  patch: ([major, minor, patch]) => [major, minor, patch + 1n],
  minor: ([major, minor]) => [major, minor + 1n, 0n],
  major: ([major]) => [major + 1n, 0n, 0n],
};

/** Before 1.0.0 the leftmost number that is not zero plays the part of the major one, as everywhere else. */
function nextBreaking(floor: Triple): Triple {
  if (floor[0] > 0n) return STEPS.major(floor);
  return floor[1] > 0n ? STEPS.minor(floor) : STEPS.patch(floor);
}
