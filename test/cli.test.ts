// The command line as a user runs it: what it prints where, and how it ends.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Diagnosis } from "../src/domain/diagnosis.ts";
import { BIN, cupelIn } from "./cupel-process.ts";
import type { Ended } from "./cupel-process.ts";

const PATH = process.env["PATH"] ?? "";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "cupel-cli-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function cupel(args: string[], env: Record<string, string> = {}): Ended {
  return cupelIn(directory, args, env);
}

/** The text of V8's coverage report, which names every script that was loaded. */
function scriptsLoadedBy(args: string[]): string {
  const coverage = mkdtempSync(join(directory, "coverage-"));
  cupel(args, { NODE_V8_COVERAGE: coverage });
  return readdirSync(coverage)
    .map((file) => readFileSync(join(coverage, file), "utf8"))
    .join("");
}

describe("the frame", () => {
  test("without a command it shows the help on stdout and ends well", () => {
    const { code, out } = cupel([]);
    expect(code).toBe(0);
    expect(out).toMatch(/Usage: cupel/);
    expect(out).toMatch(/doctor \[options\]\s+say what works on this machine/);
  });

  test("--version prints the version of the package and nothing else", () => {
    const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect(cupel(["--version"])).toEqual({
      code: 0,
      out: `${Reflect.get(Object(manifest), "version")}\n`,
      err: "",
    });
  });

  test.each([
    ["an unknown command", ["docter"], /unknown command 'docter'[\s\S]*Did you mean doctor/],
    ["an unknown option", ["doctor", "--jsn"], /unknown option '--jsn'[\s\S]*Did you mean --json/],
    ["too many words", ["doctor", "now"], /too many arguments/],
  ])("%s is a usage error on stderr with the way out", (_name, args, message) => {
    const { code, out, err } = cupel(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
  });

  test("commands are loaded only when asked for: --version does not even load zod", () => {
    expect(scriptsLoadedBy(["--version"])).not.toContain("node_modules/zod");
    expect(scriptsLoadedBy(["schema"])).toContain("node_modules/zod");
  });

  test("a reader that stops early is not an error", () => {
    const result = spawnSync(
      "/bin/sh",
      ["-c", `"${process.execPath}" "${BIN}" schema Config | head -c 10; echo " \${PIPESTATUS:-}"`],
      {
        env: { PATH },
        encoding: "utf8",
      },
    );
    expect(result.stderr).toBe("");
  });
});

describe("doctor", () => {
  test("--json prints one document that matches its own schema, and nothing on stderr", () => {
    const { code, out, err } = cupel(["doctor", "--json"]);
    const diagnosis = Diagnosis.parse(JSON.parse(out));
    expect(diagnosis.checks.map((check) => check.name)).toEqual([
      "node",
      "git",
      "sandbox",
      "typescript",
      "python",
      "keys",
      "config",
    ]);
    expect({ code, err, ready: diagnosis.ready }).toEqual({ code: 0, err: "", ready: true });
  });

  test("tells which keys are set and never anything of them", () => {
    for (const args of [["doctor"], ["doctor", "--json"]]) {
      const { out, err } = cupel(args, { ANTHROPIC_API_KEY: "sk-ant-hunter2" });
      expect(out).toContain("ANTHROPIC_API_KEY set");
      expect(out + err).not.toContain("hunter2");
    }
  });

  test("without git nothing works, and it says so", () => {
    const { code, out } = cupel(["doctor"], { PATH: directory });
    expect(code).toBe(78);
    expect(out).toMatch(/✕ git .*no git on the PATH\n.*without it: nothing works/);
    expect(out).toContain("Not ready: mend what is marked ✕");
  });

  test("a wrong key in the configuration names file, line, key and the nearest right one", () => {
    writeFileSync(join(directory, "cupel.config.json"), '{\n  // how many at once\n  "concurency": 2\n}\n');
    const { code, out } = cupel(["doctor"]);
    expect(code).toBe(78);
    expect(out).toContain('cupel.config.json:3:3  unknown key "concurency"; did you mean "concurrency"?');
  });

  test("a valid configuration is shown as it will be used", () => {
    writeFileSync(join(directory, "cupel.config.json"), '{ "rigor": "strict", "budget": { "usd": 7 }, }');
    expect(cupel(["doctor"]).out).toContain(
      "cupel.config.json: rigor strict · protocol blind · concurrency 1 · budget $7",
    );
  });

  test("colours come only when wanted", () => {
    const escape = "\u001B[";
    expect(cupel(["doctor"]).out).not.toContain(escape);
    expect(cupel(["doctor"], { FORCE_COLOR: "1" }).out).toContain(escape);
    expect(cupel(["doctor"], { FORCE_COLOR: "1", NO_COLOR: "1" }).out).not.toContain(escape);
  });
});

describe("schema", () => {
  test("lists every record, prints each as JSON Schema", () => {
    const names = cupel(["schema"]).out.trim().split("\n");
    expect(names).toContain("MicroModuleContract");
    expect(JSON.parse(cupel(["schema", "--json"]).out)).toEqual(names);
    const schema: unknown = JSON.parse(cupel(["schema", "MicroModuleContract"]).out);
    expect(schema).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" });
  });

  test("a misspelt name leads to the right command", () => {
    const { code, out, err } = cupel(["schema", "MicroModulContract"]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toBe(
      'cupel: there is no schema "MicroModulContract"\n  next: cupel schema MicroModuleContract\n',
    );
  });

  test("with --json an error is one document on stdout as well", () => {
    const { code, out } = cupel(["schema", "Nonsense", "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({
      error: { code: "usage", message: 'there is no schema "Nonsense"' },
    });
  });
});
