// Limits become arguments of prlimit, and never more than the harness has itself.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS, isExecutable, prlimitArguments, prlimitProgram } from "./limits.ts";

describe("prlimitArguments", () => {
  test("names only what was limited, and always forbids core dumps", () => {
    expect(prlimitArguments({})).toEqual(["--core=0"]);
    expect(prlimitArguments({ cpuSeconds: 1.9, openFiles: 7 })).toEqual([
      "--cpu=1",
      "--nofile=7",
      "--core=0",
    ]);
    expect(prlimitArguments(DEFAULT_LIMITS)).toHaveLength(6);
  });

  test("asks for no more than the harness may give", () => {
    const script = `console.log((await import(process.argv[1])).prlimitArguments({ openFiles: 4096, cpuSeconds: 5 }).join(" "))`;
    const node = [process.execPath, "--import", "tsx", "--input-type=module", "-e", script];
    const args = ["--nofile=600:900", "--", ...node, join(import.meta.dirname, "limits.ts")];
    expect(spawnSync(prlimitProgram() ?? "", args, { encoding: "utf8" }).stdout).toBe(
      "--cpu=5 --nofile=900 --core=0\n",
    );
  });

  test("what it says is what the kernel then enforces", () => {
    const args = [...prlimitArguments({ openFiles: 55 }), "--", "/bin/sh", "-c", "ulimit -n"];
    expect(spawnSync(prlimitProgram() ?? "", args, { encoding: "utf8" }).stdout).toBe("55\n");
  });
});

test.each([
  ["/bin/sh", true],
  ["/tmp", false],
  ["/etc/passwd", false],
  ["/no/such/file", false],
])("%s is a program: %s", (path, expected) => {
  expect(isExecutable(path)).toBe(expected);
});
