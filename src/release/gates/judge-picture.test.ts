import { describe, expect, test } from "vitest";
import type { CodeIndexEntry } from "../../domain/plan/reuse.ts";
import type { Need, PicturedModule, ReleasePicture } from "../picture.ts";
import { dependency } from "./dependency.ts";
import { judgePicture } from "./judge-picture.ts";

const F = "f".repeat(64);
const entry = (module: string, change: Partial<CodeIndexEntry> = {}): CodeIndexEntry => ({
  module_id: module.split("@")[0] ?? "",
  version: "1.0.0",
  name: "a",
  purpose: "does it",
  tags: [],
  contract_ref: F,
  examples_ref: F,
  ship_ref: F,
  io_summary: { inputs: [], outputs: [], error_surfaces: [], effects: [], modes: [] },
  dependencies: [],
  status: "SHIPPED",
  notes: "",
  ...change,
});
const [A, B] = ["MM-a@1.0.0", "MM-b@1.0.0"] as const;
const need: Need = {
  range: "MM-a@^1.0.0",
  built: A,
  given: A,
  builtFingerprint: F,
  givenFingerprint: F,
  reverified: true,
};
const moduleOf = (module: string, change: Partial<PicturedModule> = {}): PicturedModule => ({
  module,
  name: module.slice(3, 4),
  shipId: "SHIP-0a1b2c3d",
  sealedEntry: entry(module),
  damage: undefined,
  fingerprints: { evidence: F, contract: F },
  needs: [],
  sealedFiles: { "src/index.ts": F },
  committedFiles: { "src/index.ts": F },
  restore: "git checkout",
  ...change,
});
const picture: ReleasePicture = {
  commit: "c",
  modules: [moduleOf(A), moduleOf(B, { needs: [need] })],
  tasks: [{ task: "T-a-001", modules: [A, B] }],
  entries: new Map([
    [A, entry(A)],
    [B, entry(B)],
  ]),
};
const consumer = (change: Partial<Need>): ReleasePicture => ({
  ...picture,
  modules: [moduleOf(A), moduleOf(B, { needs: [{ ...need, ...change }] })],
});
const indexed = (...entries: [string, CodeIndexEntry][]): ReleasePicture => ({
  ...picture,
  entries: new Map([...picture.entries, ...entries]),
});
const superseded = entry(A, { status: "SUPERSEDED", superseded_by: "MM-a@2.0.0" });
const reads = (found: ReturnType<typeof judgePicture>) =>
  found.flatMap(({ gate, violations }) => violations.map(({ module_ref }) => `${gate} ${module_ref}`));

describe("the gates of a release", () => {
  test("let an honest one out, each with a plant that it refused", () => {
    const verdicts = judgePicture(picture);
    expect(verdicts.map(({ result }) => result)).toEqual(["PASS", "PASS", "PASS", "PASS"]);
    expect(verdicts.map(({ denominator }) => denominator)).toEqual([3, 3, 3, 4]);
    for (const verdict of verdicts) expect(verdict).toMatchObject({ planted: expect.stringMatching(/./) });
  });

  test("are not believed when they let their own plant pass", () => {
    const blind = { ...dependency, look: () => ({ looked: 3, summary: "saw nothing", violations: [] }) };
    expect(judgePicture(picture, [blind])).toMatchObject([
      { result: "FAIL", violations: [{ explanation: expect.stringContaining("it let a dependency on") }] },
    ]);
  });

  test("do not pass a release of nothing", () => {
    const nothing = { ...picture, modules: [], tasks: [] };
    expect(judgePicture(nothing).map(({ result }) => result)).toEqual(["FAIL", "FAIL", "FAIL", "FAIL"]);
  });

  test("can refuse their plants also where everything is deprecated already", () => {
    const gone = { status: "DEPRECATED" } as const;
    const all = indexed([A, entry(A, gone)], [B, entry(B, gone)]);
    expect(judgePicture(all).map(({ result }) => result)).toEqual(["PASS", "PASS", "PASS", "PASS"]);
  });

  test.each<[string, ReleasePicture, string[]]>([
    ["a dependency that is not in it", consumer({ given: undefined }), [`dependency_check ${B}`]],
    ["a dependency without a version", consumer({ built: undefined }), [`dependency_check ${B}`]],
    [
      "a version that will not do",
      consumer({ given: "MM-a@2.0.0", reverified: false }),
      [`dependency_check ${B}`],
    ],
    [
      "a contract that has drifted",
      consumer({ givenFingerprint: "0".repeat(64), reverified: false }),
      [`fingerprint_check ${B}`],
    ],
    [
      "evidence for another contract",
      { ...picture, modules: [moduleOf(A, { fingerprints: { evidence: F, contract: "0" } }), moduleOf(B)] },
      [`fingerprint_check ${A}`],
    ],
    [
      "a file that nobody sealed",
      {
        ...picture,
        modules: [moduleOf(A, { committedFiles: { "src/index.ts": F, "src/extra.ts": F } }), moduleOf(B)],
      },
      [`fingerprint_check ${A}`],
    ],
    [
      "something that builds on what is deprecated",
      indexed([A, entry(A, { status: "DEPRECATED" })]),
      [`deprecation_check ${B}`],
    ],
    [
      "something that builds on what is superseded",
      indexed([A, superseded]),
      [`deprecation_check ${B}`, `code_index_check ${A}`],
    ],
    [
      "a module that is not in the index",
      { ...picture, entries: new Map([[B, entry(B)]]) },
      [`code_index_check ${A}`, `code_index_check ${A}`],
    ],
    [
      "an entry that says something else",
      indexed([A, entry(A, { purpose: "lies" })]),
      [`code_index_check ${A}`],
    ],
  ])("refuse %s", (_, spoiled, expected) => {
    expect(reads(judgePicture(spoiled))).toEqual(expected);
  });

  test("accept a drifted contract where the consumer was verified against it", () => {
    const drifted = consumer({ given: A, givenFingerprint: "0".repeat(64), reverified: true });
    expect(reads(judgePicture(drifted))).toEqual([]);
  });
});
