// `cupel verify` as a person and a pipeline use it.
import { describe, expect, test } from "vitest";
import { CLAMP, CLAMP_CONTRACT } from "./module-samples.ts";
import { CODE, moduleAt, placeWith, TESTS, verifyIn } from "./verify-process.ts";
import { elementsOf } from "./xml-elements.ts";

const TIMEOUT = { timeout: 110_000 };
const WRONG_TYPE = { "src/index.ts": CODE.replace("value * 2", '"two"') };
const clamp = Object.fromEntries(Object.entries(CLAMP).map(([path, text]) => [`clamp/${path}`, text]));

describe.concurrent("text", () => {
  test(
    "a line for each gate, with what it looked at and what it refused, then the sum",
    TIMEOUT,
    async () => {
      const { code, out, err } = await verifyIn(placeWith(moduleAt("double")), ["double"]);
      const lines = out.trimEnd().split("\n");
      const took = String.raw`  \d+\.\d s$`;
      expect(lines).toHaveLength(21);
      expect(lines[0]).toBe("double");
      for (const line of [
        `^  ✓ build              2 files  refused a type error in src/index.ts${took}`,
        `^  ✓ static             2 files, 1 functions, complexity at most 1  refused an import of child_process${took}`,
        `^  ✓ tidy               2 files  refused an export that no test reaches${took}`,
        `^  ✓ red-on-skeleton    2 of 2 tests are red on stubs  refused a test that passes on stubs${took}`,
        `^  ✓ green              2 of 2 tests pass  refused an implementation that throws${took}`,
        `^  ✓ coverage           lines 100 %, branches none of 1 lines  refused a function that no test runs${took}`,
        `^  ✓ mutation           \\d+ of \\d+ mutants killed  refused .+${took}`,
        "^  ! layers             unit 2, static 2; lacks property \\(does not block\\)  \\d+\\.\\d s$",
        "^  – claims             not run: needs claims \\(--claims\\)$",
        "^  – surface            not run: needs a contract \\(--contract\\)$",
        "^  – tests-untouched    not run: needs the tests as they were \\(--base\\)$",
        "^  – regression         not run: needs versions that shipped before$",
        "^  – blindness          not run: needs a run of the factory$",
      ])
        expect(lines).toContainEqual(expect.stringMatching(line));
      expect(lines.at(-1)).toMatch(/^Passed: 7 of 19 gates, \d+\.\d s\.$/);
      expect({ code, err: err.replace(/^! there is no sandbox.*\n/, "") }).toEqual({ code: 0, err: "" });
    },
  );

  test("what blocks comes last, with its file and line, and the command ends with 13", TIMEOUT, async () => {
    const { code, out } = await verifyIn(placeWith(moduleAt("double", WRONG_TYPE)), ["double"]);
    expect(out).toMatch(/^ {2}✕ build {14}2 files {2}\d/m);
    expect(out).toMatch(/^ {2}– green {14}not run: build blocks$/m);
    expect(out.trimEnd().split("\n").at(-1)).toBe(
      "Fix first: src/index.ts:2  TS2322: Type 'string' is not assignable to type 'number'. (build)",
    );
    expect(code).toBe(13);
  });

  test("what a test is called can neither forge a line nor steer the terminal", TIMEOUT, async () => {
    const named = TESTS.replace("doubles %d", String.raw`x\n  ✓ build forged\u001b]0;title\u0007 %d`);
    const place = placeWith({
      ...moduleAt("double", { "test/double.test.ts": named.replace("toBe(expected)", "toBe(0)") }),
    });
    const { out } = await verifyIn(place, ["double", "--only", "green"]);
    expect(out.split("\n").filter((line) => line.includes("forged"))).toHaveLength(1);
    expect(out).not.toContain("\u001B");
    expect(out).toMatch(/Fix first: test\/double.test.ts {2}x\\n {2}✓ build forged\\u001b/);
  });

  test("several folders, each on its own; one that blocks decides", TIMEOUT, async () => {
    const place = placeWith({ ...moduleAt("good"), ...moduleAt("bad", WRONG_TYPE) });
    const { code, out } = await verifyIn(place, ["good", "bad", "--only", "build"]);
    expect(out).toMatch(
      /^good\n {2}✓ build .*\nPassed: 1 of 1 gates.*\nbad\n {2}✕ build .*\nFix first: src\/index.ts:2 /,
    );
    expect(code).toBe(13);
  });

  test("a folder without tests does not pass", TIMEOUT, async () => {
    const place = placeWith({ "quiet/src/index.ts": CODE });
    const { code, out } = await verifyIn(place, ["quiet", "--only", "green"]);
    expect(out).toMatch(/✕ green .*could not decide/);
    expect(code).toBe(13);
  });

  test("where no gate could run, nothing has passed", TIMEOUT, async () => {
    const { code, out } = await verifyIn(placeWith(moduleAt("double")), ["double", "--only", "surface"]);
    expect(out).toMatch(/not run: needs a contract.*\nFix first: no gate passed/);
    expect(code).toBe(13);
  });
});

describe.concurrent("documents", () => {
  const HOSTILE = String.raw`</testcase> ]]> & " ' <b>\u0000\u0008\u001b[31m\ud800\uffff`;

  test("--json is one document with everything in it", TIMEOUT, async () => {
    const place = placeWith(moduleAt("double"));
    const { code, out } = await verifyIn(place, ["double", "--only", "build,surface", "--json"]);
    expect(JSON.parse(out)).toEqual({
      folder: "double",
      layout: {
        entry: "src/index.ts",
        sources: ["src/index.ts"],
        tests: ["test/double.test.ts"],
        configuration: [],
      },
      rigor: "standard",
      sandbox: expect.stringMatching(/^(bubblewrap|none)$/),
      gates: [
        {
          verdict: {
            verdict: "PASS",
            gate: "build",
            findings: [],
            evidence: [],
            durationMs: expect.any(Number),
            costUsd: 0,
            denominator: 2,
            liveness: expect.objectContaining({ planted: "a type error in src/index.ts", refused: true }),
          },
          summary: "2 files",
          blocks: false,
        },
        {
          verdict: expect.objectContaining({ verdict: "NOT_RUN", gate: "surface", missing: ["contract"] }),
          summary: "contract",
          blocks: false,
        },
      ],
      passed: true,
      durationMs: expect.any(Number),
    });
    expect(code).toBe(0);
  });

  test("--json of several folders is a list, and names what to fix", TIMEOUT, async () => {
    const place = placeWith({ ...moduleAt("good"), ...moduleAt("bad", WRONG_TYPE) });
    const { out } = await verifyIn(place, ["good", "bad", "--only", "build", "--json"]);
    expect(JSON.parse(out)).toMatchObject([
      { folder: "good", passed: true },
      { folder: "bad", passed: false, first: { gate: "build", file: "src/index.ts", line: 2 } },
    ]);
  });

  test("--json of a mistake is one document too", TIMEOUT, async () => {
    const { code, out } = await verifyIn(placeWith({}), ["nowhere", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ error: { code: "usage" } });
    expect(code).toBe(2);
  });

  test("--junit stays well-formed whatever tests are called", TIMEOUT, async () => {
    const { code, out } = await verifyIn(placeWith(failingTest(HOSTILE)), [
      "double",
      "--only",
      "green,build",
      "--junit",
    ]);
    const elements = elementsOf(out);
    expect(elements.map(({ name }) => name)).toEqual([
      "testsuites",
      "testsuite",
      "testcase",
      "testcase",
      "failure",
    ]);
    expect(elements[1]?.attributes).toMatchObject({
      name: "double",
      tests: "2",
      failures: "1",
      skipped: "0",
    });
    expect(elements[4]?.attributes["message"]).toBe("2 of 3 tests pass");
    expect(out).toContain("&lt;/testcase&gt; ]]&gt; &amp; &quot;");
    expect(code).toBe(13);
  });

  test("--sarif has rules, levels and places, and is the same each time", TIMEOUT, async () => {
    const place = placeWith({ ...moduleAt("my double", WRONG_TYPE), ...moduleAt("good") });
    const args = ["my double", "good", "--only", "build", "--sarif"];
    const [first, second] = [await verifyIn(place, args), await verifyIn(place, args)];
    expect(JSON.parse(first.out)).toEqual({
      $schema: "https://json.schemastore.org/sarif-2.1.0.json",
      version: "2.1.0",
      runs: [
        {
          tool: {
            driver: { name: "cupel", version: expect.any(String), rules: [{ id: "build/type-error" }] },
          },
          results: [
            {
              ruleId: "build/type-error",
              level: "error",
              message: { text: "TS2322: Type 'string' is not assignable to type 'number'." },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: "my%20double/src/index.ts" },
                    region: { startLine: 2 },
                  },
                },
              ],
            },
          ],
        },
      ],
    });
    expect(second.out).toBe(first.out);
    expect(first.code).toBe(13);
  });

  test("--sarif shows a gate that could not decide", TIMEOUT, async () => {
    const place = placeWith(moduleAt("double", { "vitest.config.ts": "throw new Error();\n" }));
    const { out } = await verifyIn(place, ["double", "--only", "green", "--sarif"]);
    expect(JSON.parse(out)).toMatchObject({
      runs: [{ results: [{ ruleId: "green/error", level: "error" }] }],
    });
  });
});

describe.concurrent("options", () => {
  test("--rigor decides what blocks", TIMEOUT, async () => {
    const place = placeWith(moduleAt("double", { "src/index.ts": CODE.replace("2;", "2;  ") }));
    const strict = await verifyIn(place, ["double", "--only", "tidy,build"]);
    expect(strict.code).toBe(13);
    const lite = await verifyIn(place, ["double", "--only", "tidy,build", "--rigor", "lite"]);
    expect(lite.out).toMatch(/! tidy .*\(does not block\)/);
    expect(lite.code).toBe(0);
  });

  test("--contract is what the surface must be", TIMEOUT, async () => {
    const [entry] = CLAMP_CONTRACT.entry_points;
    const other = {
      ...CLAMP_CONTRACT,
      entry_points: [{ ...entry, signature: "(value: string, low: number, high: number) => number" }],
    };
    const place = placeWith({
      ...clamp,
      "contract.json": JSON.stringify(CLAMP_CONTRACT),
      "other.json": JSON.stringify(other),
    });
    const kept = await verifyIn(place, ["clamp", "--only", "surface", "--contract", "contract.json"]);
    expect(kept.code).toBe(0);
    const broken = await verifyIn(place, ["clamp", "--only", "surface", "--contract", "other.json"]);
    expect(broken.out).toMatch(/✕ surface .*\nFix first: src\/index.ts:4 /);
    expect(broken.code).toBe(13);
  });

  test("--skeleton is what tests must be red on", TIMEOUT, async () => {
    const place = placeWith({
      ...moduleAt("double"),
      "stubs/src/index.ts": CODE.replace("return value * 2;", 'throw new Error("cupel:stub double");'),
      "done/src/index.ts": CODE,
      "empty/readme.md": "",
    });
    const args = ["double", "--only", "red-on-skeleton", "--skeleton"];
    expect(await verifyIn(place, [...args, "stubs"])).toMatchObject({ code: 0 });
    expect(await verifyIn(place, [...args, "done"])).toMatchObject({ code: 13 });
    const { code, err } = await verifyIn(place, [...args, "empty"]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/empty has none of src\/index.ts/) });
  });

  test("--claims are checked against the code", TIMEOUT, async () => {
    const place = placeWith({
      ...moduleAt("double"),
      "true.json": claimOf("doubles %d"),
      "false.json": claimOf("triples"),
    });
    const args = ["double", "--only", "claims", "--claims"];
    const held = await verifyIn(place, [...args, "true.json"]);
    expect(held.out).toMatch(/✓ claims +1 of 1 claims hold {2}refused a false claim about doubles %d/);
    const refuted = await verifyIn(place, [...args, "false.json"]);
    expect(refuted.out).toMatch(/Fix first: there is no test triples \(claims\)/);
    expect([held.code, refuted.code]).toEqual([0, 13]);
  });
});

describe.concurrent("what makes no sense is refused before anything runs", () => {
  const files = {
    ...moduleAt("double"),
    ...moduleAt("other"),
    "contract.json": JSON.stringify(CLAMP_CONTRACT),
    "half.json": '{"module_id": "MM-',
    "wrong.json": '[{"kind": "calls", "test": "x"}]',
    "none.json": "[]",
    "empty/readme.md": "",
    "proof.json": "{}",
  };
  const REFUSED: [string[], RegExp][] = [
    [
      ["double", "--only", "gren"],
      /there is no gate "gren"\n {2}expected: build, .*\n {2}next: did you mean green\?/,
    ],
    [["double", "--only", ","], /--only names no gate/],
    [["double", "--rigor", "hard"], /there is no rigor "hard"\n {2}expected: lite, standard, strict/],
    [
      ["double", "--contract", "gone.json"],
      /there is no file gone.json[\s\S]*next: cupel schema MicroModuleContract/,
    ],
    [
      ["double", "--contract", "half.json"],
      /half.json is not JSON: Unterminated string[\s\S]*next: cupel schema/,
    ],
    [["double", "--contract", "proof.json"], /proof.json is not a contract:\n {2}\$\.module_id: expected/],
    [["double", "--contract", "double"], /double cannot be read/],
    [["double", "--claims", "gone.json"], /there is no file gone.json[\s\S]*next: cupel schema Claim/],
    [["double", "--claims", "wrong.json"], /entry 0 of wrong.json is not claims:\n {2}\$\.targets/],
    [["double", "--claims", "none.json"], /none.json is not a list with claims in it/],
    [["double", "--json", "--sarif"], /--json and --sarif are different documents/],
    [["double", "--watch", "--junit"], /--watch does not go with --junit/],
    [["double", "--any-version"], /--any-version is about a proof/],
    [
      ["double", "other", "--contract", "contract.json"],
      /--contract can only be about one module, and there are 2 folders/,
    ],
    [["double", "other", "--write-proof", "new.json"], /--write-proof can only be about one module/],
    [["double", "other", "--base", "empty"], /--base with a directory can only be about one module/],
    [["double", "--proof", "proof.json"], /--proof does not go with double/],
    [["--rigor", "lite", "--proof", "proof.json"], /--proof does not go with --rigor/],
    [["nowhere"], /nowhere is not a module that can be verified: .*nowhere/],
    [["empty"], /empty is not a module that can be verified: [\s\S]*next: cupel verify FOLDER/],
  ];

  test.each(REFUSED)("%j", TIMEOUT, async (args, message) => {
    const { code, err } = await verifyIn(placeWith(files), args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) });
  });
});

/** A module with a failing test of this name. */
function failingTest(name: string): Record<string, string> {
  const failing = `test("${name.replaceAll('"', '\\"')}", () => {\n  expect(double(1)).toBe(3);\n});\n`;
  return moduleAt("double", { "test/double.test.ts": `${TESTS}\n${failing}` });
}

function claimOf(test: string): string {
  return JSON.stringify([{ kind: "calls", test, targets: ["double"] }]);
}
