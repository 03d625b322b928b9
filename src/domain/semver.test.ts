import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bump, compareSemver, refSatisfies, satisfies } from "./semver.ts";

const number = fc.oneof(fc.nat({ max: 3 }), fc.nat());
const version = fc.tuple(number, number, number).map((parts) => parts.join("."));

describe("compareSemver", () => {
  it("orders versions as their numbers are ordered", () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(compareSemver(a, b)).toBe(naiveCompare(a, b));
      }),
    );
  });

  it.each([
    ["1.10.0", "1.9.0", 1],
    ["1.0.10", "1.0.9", 1],
    ["10.0.0", "9.9.9", 1],
    ["1.0.0", "1.0.0", 0],
    ["9007199254740993.0.0", "9007199254740992.0.0", 1],
    [`1.0.${"9".repeat(400)}`, `1.0.${"8".repeat(400)}`, 1],
    [`1.0.${"9".repeat(399)}`, `1.0.1${"0".repeat(399)}`, -1],
  ])("compares %s with %s", (a, b, expected) => {
    expect(compareSemver(a, b)).toBe(expected);
  });

  it.each(["", "1", "1.0", "1.0.0.0", "v1.0.0", " 1.0.0", "1.0.0\n", "1.0.x", "-1.0.0", "1.0.0-rc", "١.0.0"])(
    "refuses %j",
    (text) => {
      expect(() => compareSemver("1.0.0", text)).toThrow(`"${text}" is not a version`);
      expect(() => compareSemver(text, "1.0.0")).toThrow(`"${text}" is not a version`);
    },
  );
});

describe("bump", () => {
  it.each([
    ["1.2.3", "patch", "1.2.4"],
    ["1.2.3", "minor", "1.3.0"],
    ["1.2.3", "major", "2.0.0"],
    ["0.0.9", "patch", "0.0.10"],
    ["1.9007199254740993.7", "minor", "1.9007199254740994.0"],
  ] as const)("takes %s by a %s step to %s", (from, level, to) => {
    expect(bump(from, level)).toBe(to);
  });

  it("always gives a newer version that only the right ranges still hold", () => {
    fc.assert(
      fc.property(version, fc.constantFrom("patch", "minor", "major"), (from, level) => {
        const to = bump(from, level);
        expect(compareSemver(to, from)).toBe(1);
        expect(satisfies(to, `~${from}`)).toBe(level === "patch");
        expect(satisfies(to, `^${from}`)).toBe(naiveSatisfies(to, `^${from}`));
      }),
    );
  });
});

describe("satisfies", () => {
  const range = fc.oneof(
    fc.constant("*"),
    number.map((major) => `${major}.x`),
    fc.tuple(fc.constantFrom("", "^", "~"), version).map(([operator, floor]) => operator + floor),
  );

  it("agrees with the naive reading of every form", () => {
    fc.assert(
      fc.property(version, range, (v, r) => {
        expect(satisfies(v, r)).toBe(naiveSatisfies(v, r));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["1.2.3", "^1.2.3", true],
    ["1.2.2", "^1.2.3", false],
    ["1.99.0", "^1.2.3", true],
    ["2.0.0", "^1.2.3", false],
    ["1.2.99", "~1.2.3", true],
    ["1.3.0", "~1.2.3", false],
    ["0.2.9", "^0.2.3", true],
    ["0.3.0", "^0.2.3", false],
    ["0.0.3", "^0.0.3", true],
    ["0.0.4", "^0.0.3", false],
    ["0.0.0", "^0.0.0", true],
    ["1.2.3", "1.2.3", true],
    ["1.2.4", "1.2.3", false],
    ["1.0.0", "1.x", true],
    ["11.0.0", "1.x", false],
    ["0.0.0", "*", true],
    ["9007199254740993.0.0", "9007199254740992.x", false],
    ["9007199254740993.1.0", "^9007199254740993.0.0", true],
    ["9007199254740994.0.0", "^9007199254740993.0.0", false],
  ])("%s in %s: %s", (v, r, expected) => {
    expect(satisfies(v, r)).toBe(expected);
  });

  it.each(["", "^", "1", "x", "1.2.x", "**", ">=1.0.0", "^^1.0.0", "^1.x", "latest", "1.x\n"])(
    "refuses the range %j instead of guessing",
    (r) => {
      expect(() => satisfies("1.0.0", r)).toThrow("is not a version");
    },
  );

  it("refuses a version that is none, whatever the range", () => {
    for (const r of ["*", "1.x", "^1.0.0"])
      expect(() => satisfies("1.0", r)).toThrow('"1.0" is not a version');
  });
});

describe("refSatisfies", () => {
  it.each([
    ["MM-a@1.2.3", "MM-a@^1.0.0", true],
    ["MM-a@2.0.0", "MM-a@^1.0.0", false],
    ["MM-b@1.2.3", "MM-a@*", false],
    ["MM-ab@1.2.3", "MM-a@1.x", false],
  ])("%s in %s: %s", (ref, r, expected) => {
    expect(refSatisfies(ref, r)).toBe(expected);
  });
});

function numbers(text: string): number[] {
  return text.split(".").map(Number);
}

function naiveCompare(a: string, b: string): number {
  const left = numbers(a);
  const right = numbers(b);
  for (let i = 0; i < 3; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}

/** Spells each form out as "these leading numbers are equal, and it is not older". */
function naiveSatisfies(v: string, r: string): boolean {
  const [major, minor, patch] = numbers(v);
  if (r === "*") return true;
  if (r.endsWith(".x")) return major === Number(r.slice(0, -2));
  if (!/^[\^~]/.test(r)) return v === r;
  const floor = r.slice(1);
  if (naiveCompare(v, floor) < 0) return false;
  const [floorMajor, floorMinor, floorPatch] = numbers(floor);
  if (r.startsWith("~")) return major === floorMajor && minor === floorMinor;
  if (floorMajor !== 0) return major === floorMajor;
  if (floorMinor !== 0) return major === 0 && minor === floorMinor;
  return major === 0 && minor === 0 && patch === floorPatch;
}
