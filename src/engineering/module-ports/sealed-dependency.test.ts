// An agent tries to read the code of a module that it depends on, with every tool it has: it gets the words of §12.5, and
// each try is on the audit trail.
import { describe, expect, onTestFinished, test } from "vitest";
import { type Ground, line, openGround } from "../../../test/engineering-ground.ts";
import {
  inModule,
  inNode,
  OWN,
  PERCENT_CONTRACT,
  PERCENT_FILES,
  percentInput,
  shipClamp,
} from "../../../test/module-ground.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { PACKAGES } from "../../../test/typescript-site.ts";
import { proposer } from "../../agents/roles/proposer.ts";
import type { AuditedAccess } from "../../store/local/pack-audit.ts";

const WORK = { claim: "done", acceptance_checks: ["`half is fifty`: shown"], applied_amendments: [] };

interface Call {
  tool: string;
  input: Record<string, unknown>;
}

async function attack(calls: Call[], files: Record<string, string> = PERCENT_FILES) {
  const script = [
    line({
      role: "proposer",
      module: OWN,
      node: "make",
      output: WORK,
      files: inModule(files),
      toolCalls: calls,
    }),
  ];
  const ground: Ground = await openGround(temporaryDirectory(), { script, packages: PACKAGES });
  onTestFinished(() => ground.close());
  await shipClamp(ground);
  const written = await inNode(ground, async (turn) => {
    const base = await turn.ports.scaffold(turn.context, PERCENT_CONTRACT);
    return turn.ports.write(turn.context, { role: proposer, input: percentInput(turn), attempt: 1, base });
  });
  expect(written).toMatchObject({ kind: "answered", work: { kind: "taken" } });
  return { told: ground.told.map(({ text }) => text), audit: await ground.ports.store.packAudit.list() };
}

const refused = (audit: AuditedAccess[]) =>
  audit.filter(({ granted }) => !granted).map(({ operation, path }) => `${operation} ${path}`);

/** Only in the code of the dependency, in no contract and no type. */
const SECRET = /value > high \? high : value/;
const denied = (path: string) =>
  `ACCESS DENIED: '${path}' is a sealed implementation directory. This module is a closed-source service — integrate via contract.json, examples.md, and ship.json only. See §12 (Opaque Implementation Rule) and §6.8 (Black-Box Integration) for rationale. If the contract is insufficient, raise an Interface Change Exception (§13).`;

describe("file tools", () => {
  const PATHS = [
    "/modules/clamp/src/index.ts",
    "/modules/clamp/implementation/index.ts",
    "/modules/clamp/test/clamp.test.ts",
    "/modules/clamp/index.js",
    "/modules/MM-clamp/1.0.0/implementation/index.ts",
    "/modules/MM-clamp/1.0.0/tests/clamp.test.ts",
    "/modules/nobody/src/index.ts",
  ];

  test("reading, editing and writing are refused in the words of §12.5, whether or not something is there", async () => {
    const calls = PATHS.flatMap((path): Call[] => [
      { tool: "read", input: { path } },
      { tool: "edit", input: { path, old: "a", new: "b" } },
      { tool: "write", input: { path, content: "mine" } },
    ]);
    const { told, audit } = await attack([
      ...calls,
      { tool: "write", input: { path: "/modules/clamp/contract.json", content: "{}" } },
      { tool: "edit", input: { path: "/modules/clamp/types/index.d.ts", old: "number", new: "string" } },
    ]);
    expect(told).toEqual([
      ...PATHS.flatMap((path) => [denied(path), denied(path), denied(path)]),
      denied("/modules/clamp/contract.json"),
      denied("/modules/clamp/types/index.d.ts"),
    ]);
    expect(refused(audit)).toEqual([
      ...PATHS.flatMap((path) => [`read ${path}`, `edit ${path}`, `write ${path}`]),
      "write /modules/clamp/contract.json",
      "edit /modules/clamp/types/index.d.ts",
    ]);
  });

  test("searches say nothing of what is sealed, and ways around lead nowhere", async () => {
    const { told, audit } = await attack([
      { tool: "grep", input: { text: "value > high" } },
      { tool: "grep", input: { text: "value", path: "/modules/clamp/src" } },
      { tool: "glob", input: { pattern: "**/*.ts", path: "/modules/clamp/implementation" } },
      { tool: "ls", input: { path: "/modules/MM-clamp/1.0.0/implementation" } },
      { tool: "read", input: { path: "/src/../modules/clamp/src/index.ts" } },
      {
        tool: "read",
        input: { path: "/../../../state_store/modules/MM-clamp/1.0.0/implementation/index.ts" },
      },
      { tool: "read", input: { path: "/.cupel-canary" } },
      { tool: "read", input: { path: "/.git/config" } },
      { tool: "read", input: { path: "/modules/clamp/types/index.d.ts" } },
    ]);
    const [grep, below, glob, ls, up, out, canary, git, types] = told;
    expect(grep).toContain("No line");
    expect(below).toContain("No line");
    expect(glob).toContain("Nothing below");
    expect(ls).toContain("is empty");
    expect(up).toBe(denied("/src/../modules/clamp/src/index.ts"));
    expect(out).toContain("climbs above the root");
    for (const text of [canary, git]) expect(text).toContain("does not exist");
    expect(types).toContain("export declare function clamp");
    for (const text of told) expect(text).not.toMatch(SECRET);
    expect(refused(audit)).toEqual(
      expect.arrayContaining([
        "grep /modules/clamp/src",
        "glob /modules/clamp/implementation",
        "ls /modules/MM-clamp/1.0.0/implementation",
        "read /modules/clamp/src/index.ts",
      ]),
    );
  });
});

const RUN: Call = { tool: "run_tests", input: {} };
const printing = (how: string): Record<string, string> => ({
  ...PERCENT_FILES,
  "test/spy.test.ts": `import { readFileSync, readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { clamp } from "#modules/clamp";

const home = new URL("../modules/clamp/", import.meta.url);
const file = readdirSync(home, { recursive: true }).map(String).find((name) => name.endsWith("index.js")) ?? "";
const code = readFileSync(new URL(file, home), "utf8");
test("spies", () => {
  const shown: string = ${how};
  void clamp;
  expect(shown).toBe("");
});
`,
});

/** Pieces of the code as each disguise shows them; a report with one of them has leaked. */
const SPIES: [string, string, RegExp][] = [
  ["the file", "code", SECRET],
  ["the function's own text", "clamp.toString()", SECRET],
  ["base64", 'Buffer.from(code).toString("base64")', /[A-Za-z0-9+/]{60}/],
  ["hex", 'Buffer.from(code).toString("hex")', /[0-9a-f]{60}/],
  ["gzip in base64", 'gzipSync(code).toString("base64")', /[A-Za-z0-9+/]{120}/],
  ["character codes", 'Array.from(Buffer.from(code)).join(",")', /(?:\d{2,3},){60}/],
  ["backwards", 'Array.from(code).reverse().join("")', /eulav : hgih \? hgih > eulav/],
];

describe("a test that prints the built code of a dependency", { timeout: 60_000 }, () => {
  test.each(SPIES)("as %s shows nothing of it", async (_, how, secret) => {
    const { told, audit } = await attack([RUN], printing(how));
    const [report = ""] = told;
    expect(report).toContain("ACCESS DENIED: '/modules/clamp'");
    expect(report).not.toMatch(secret);
    expect(report).toContain("passed test/percent.test.ts: half is fifty");
    expect(refused(audit)).toEqual(["run_tests /modules/clamp"]);
  });

  test("an honest run and an honest build are told in full, failures and errors of the dependency included", async () => {
    const files = {
      ...PERCENT_FILES,
      "test/wrong.test.ts": `import { expect, test } from "vitest";
import { clamp } from "#modules/clamp";
import { percent } from "../src/index.ts";
test("is wrong", () => expect(percent(0.5)).toBe(51));
test("asks too much", () => expect(clamp(1, 2, 1)).toBe(1));
`,
    };
    const { told, audit } = await attack(
      [RUN, { tool: "build", input: {} }, { tool: "run_tests", input: { files: ["/test/percent.test.ts"] } }],
      files,
    );
    const [all = "", build = "", some = ""] = told;
    expect(all).toContain("Not green: 2 failed");
    expect(all).toContain("failed test/wrong.test.ts: is wrong");
    expect(all).toContain("low is above high");
    expect(build).toMatch(/Built \d+ files without an error/);
    expect(some).toContain("All 2 tests passed.");
    expect(refused(audit)).toEqual([]);
    expect(audit.map(({ operation }) => operation)).toEqual(["run_tests", "build", "run_tests"]);
  });
});
