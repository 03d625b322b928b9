import { expect, test } from "vitest";
import { CLAMP_CONTRACT } from "../../../test/module-samples.ts";
import type { SurfaceDifference } from "../../toolchains/port.ts";
import { mismatchText, surfaceMismatch } from "./surface-mismatch.ts";

const SIGNATURE = "(value: number, low: number, high: number) => number";

function difference(what: SurfaceDifference["what"], found: string, entry = "clamp"): SurfaceDifference {
  return { entry, what, expected: SIGNATURE, found };
}

const CASES: [string, SurfaceDifference, string[]][] = [
  [
    "an entry point that is gone",
    difference("missing", "nothing of that name is exported"),
    [
      "removed inputs value",
      "removed inputs low",
      "removed inputs high",
      "removed outputs result",
      "removed error_surfaces RangeError_",
    ],
  ],
  ["one that nobody promised", difference("extra", "(text: string) => void", "shout"), ["added inputs text"]],
  [
    "another type of an input",
    difference("signature", "(value: string, low: number, high: number) => number"),
    ["changed inputs value"],
  ],
  [
    "an input less, and another result",
    difference("signature", "(value: number, low: Map<string, () => number>) => string"),
    ["removed inputs high", "changed inputs low", "changed outputs result"],
  ],
  ["a promise", difference("mode", "async"), ["changed modes sync", "changed modes async"]],
  [
    "another error",
    difference("errors", "TypeError"),
    ["removed error_surfaces RangeError_", "added error_surfaces TypeError"],
  ],
  ["no error", difference("errors", "none"), ["removed error_surfaces RangeError_"]],
  ["a form that cannot be taken apart", difference("signature", "{ new (): Clamp }"), []],
];

test.each(CASES)("%s is told by dimension, with two fingerprints", (_what, found, changes) => {
  const mismatch = surfaceMismatch(CLAMP_CONTRACT, [found]);
  if (mismatch === undefined) throw new Error("there is a difference");
  expect(mismatch.changes.map(({ dimension, kind, name }) => `${kind} ${dimension} ${name}`)).toEqual(
    changes,
  );
  expect(mismatchText(mismatch)).toMatch(
    /^Interface fingerprint mismatch: expected [0-9a-f]{64}, got [0-9a-f]{64}$/,
  );
  expect(mismatch.actual_fingerprint).not.toBe(mismatch.locked_fingerprint);
});

test("what does not differ is no mismatch", () => {
  expect(surfaceMismatch(CLAMP_CONTRACT, [])).toBeUndefined();
});
