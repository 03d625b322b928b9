// The spellings of references, and what comes close but is none.
import { describe, expect, test } from "vitest";
import {
  Fingerprint,
  IsoTime,
  moduleIdOf,
  ModuleRange,
  ModuleRef,
  PayloadRef,
  Semver,
  TaskId,
  Text,
  versionOf,
  VersionedRef,
} from "./refs.ts";

const hex = "0123456789abcdef".repeat(4);

describe("references", () => {
  test.each([
    ["a version", Semver, "10.0.3"],
    ["a module", ModuleRef, "MM-slugify@1.0.0"],
    ["any version of a module", ModuleRange, "MM-slugify@*"],
    ["a line of versions", ModuleRange, "MM-slugify@1.x"],
    ["compatible versions", ModuleRange, "MM-slugify@^1.2.0"],
    ["patches", ModuleRange, "MM-slugify@~1.2.0"],
    ["an artifact", VersionedRef, "CTR-0a1b2c3d@1.0.0"],
    ["a task", TaskId, "T-text-slug-basics-001"],
    ["a payload", PayloadRef, `sha256:${hex}`],
    ["a fingerprint", Fingerprint, hex],
    ["a time", IsoTime, "2026-01-02T03:04:05.678Z"],
    ["a time elsewhere", IsoTime, "2026-01-02T03:04:05+02:00"],
  ])("%s", (_name, schema, text) => {
    expect(schema.safeParse(text).success).toBe(true);
  });

  test.each([
    ["leading zeros", Semver, "01.0.0"],
    ["two numbers", Semver, "1.0"],
    ["a suffix", Semver, "1.0.0-rc1"],
    ["a line break at the end", Semver, "1.0.0\n"],
    ["leading zeros in a reference", ModuleRef, "MM-a@1.00.0"],
    ["a range where one version is wanted", ModuleRef, "MM-a@^1.0.0"],
    ["no id", ModuleRef, "MM-@1.0.0"],
    ["a path instead of an id", ModuleRef, "MM-../a@1.0.0"],
    ["an operator that nobody defined", ModuleRange, "MM-a@>=1.0.0"],
    ["a task without its number", TaskId, "T-text-slug"],
    ["a task with capitals", TaskId, "T-Text-slug-001"],
    ["a task with two hyphens", TaskId, "T-a--b-001"],
    ["a task id of 129 characters", TaskId, `T-${"a".repeat(123)}-001`],
    ["another hash", PayloadRef, `sha1:${hex}`],
    ["capitals in a hash", Fingerprint, hex.toUpperCase()],
    ["a date without a time", IsoTime, "2026-01-02"],
    ["a time without a zone", IsoTime, "2026-01-02T03:04:05"],
    ["white space as text", Text, " \t\n"],
  ])("%s is refused", (_name, schema, text) => {
    expect(schema.safeParse(text).success).toBe(false);
  });

  test("a reference splits into module and version", () => {
    expect([moduleIdOf("MM-a@1.2.3"), versionOf("MM-a@1.2.3")]).toEqual(["MM-a", "1.2.3"]);
  });
});
