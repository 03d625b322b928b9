import { describe, expect, test } from "vitest";
import { notShown, runProblems } from "../../../domain/evidence/example-run.ts";
import type { ExampleRun } from "../../../domain/evidence/example-run.ts";
import { type Example, parseExamples } from "../../../domain/evidence/examples.ts";
import { bubblewrap } from "../../../workshop/sandbox/bubblewrap.ts";
import { none } from "../../../workshop/sandbox/none.ts";
import { bubblewrapWorks } from "../../../../test/bubblewrap.ts";
import {
  examplesOf,
  type Sample,
  SHELF,
  SHELF_CONTRACT,
  SHELF_EXAMPLES,
} from "../../../../test/example-samples.ts";
import { PACKAGES, siteOf } from "../../../../test/typescript-site.ts";
import type { ExampleReport } from "../../port.ts";
import { runExamples } from "./run-examples.ts";

function readExamples(samples: readonly Sample[]): Example[] {
  const { examples, problems } = parseExamples(examplesOf(samples));
  expect(problems).toEqual([]);
  return examples;
}

async function reportOn(
  samples: readonly Sample[],
  files: Readonly<Record<string, string>> = SHELF,
): Promise<ExampleReport> {
  const examples = readExamples(samples);
  const site = await siteOf(files, bubblewrapWorks ? bubblewrap() : none());
  return runExamples(site, { layout: site.layout, directory: site.directory, packages: PACKAGES }, examples, {
    module: "book-shelf",
    imports: [],
    entryPoints: SHELF_CONTRACT.entry_points,
    errorSurfaces: SHELF_CONTRACT.error_surfaces,
    predicates: [],
    secondsPerTest: 1,
    timeoutMs: 30_000,
  });
}

async function runsOf(
  samples: readonly Sample[],
  files: Readonly<Record<string, string>> = SHELF,
): Promise<ExampleRun[]> {
  const report = await reportOn(samples, files);
  if (report.kind === "no-report") throw new Error(report.why);
  return report.compare(readExamples(samples));
}

const of = (heading: string, code: string, output = "1", form = "json"): Sample => ({
  heading,
  code: `import { put } from "#modules/book-shelf";\n${code}`,
  form,
  output,
});

describe("examples", { timeout: 60_000 }, () => {
  test("that are good are equal, each on a module that is new, and show what they call", async () => {
    const runs = await runsOf(SHELF_EXAMPLES);
    expect(runs.map(({ outcome }) => outcome)).toEqual(SHELF_EXAMPLES.map(() => ({ kind: "equal" })));
    expect(runs.map(({ called }) => called)).toEqual([
      ["put"],
      ["put"],
      ["titles", "put"],
      ["put", "find"],
      ["find"],
      ["titles", "put"],
      ["announce"],
      ["Reader"],
      ["Reader", "Reader.turn"],
      ["LIMIT"],
      ["stamp"],
    ]);
    expect(runs.map(({ surfaced }) => surfaced).filter((each) => each.length > 0)).toEqual([
      ["FullError"],
      ["Missing"],
    ]);
    expect([...runProblems(SHELF_CONTRACT, runs), ...notShown(SHELF_CONTRACT, runs)]).toEqual([]);
  });

  test("that are wrong are told from each other, with what they give", async () => {
    const runs = await runsOf([
      of("put: another number", 'put("Emma");', "2"),
      of("put: text for a number", 'put("Emma");', '"1"'),
      of("put: an error instead", 'for (let n = 0; n < 3; n++) put("Emma");\nput("Ada");', "4"),
      of("put: no error", 'put("Emma");', "FullError: no place", "error"),
      of(
        "put: another message",
        'for (let n = 0; n < 3; n++) put("Emma");\nput("Ada");',
        "FullError: full",
        "error",
      ),
      of(
        "put: another error",
        'for (let n = 0; n < 3; n++) put("Emma");\nput("Ada");',
        "TypeError: no place for Ada",
        "error",
      ),
      of(
        "put: nothing that JSON knows",
        "({ before: undefined, after: put });",
        '{ "before": null, "after": 1 }',
      ),
      of("put: nothing printed", 'put("Emma");', "EMMA", "console"),
      of("put: that never ends", 'await new Promise(() => put("Emma"));'),
      of("put: after one that never ends", 'put("Emma");'),
    ]);
    expect(runs.map(({ outcome }) => outcome)).toEqual([
      { kind: "differs", expected: "2", actual: "1" },
      { kind: "differs", expected: '"1"', actual: "1" },
      { kind: "threw", error: "FullError: no place for Ada" },
      { kind: "differs", expected: "FullError: no place", actual: "1, and no error" },
      { kind: "differs", expected: "FullError: full", actual: "FullError: no place for Ada" },
      { kind: "differs", expected: "TypeError: no place for Ada", actual: "FullError: no place for Ada" },
      {
        kind: "differs",
        expected: '{ "before": null, "after": 1 }',
        actual: expect.stringMatching(/before is undefined.*```text/),
      },
      { kind: "differs", expected: "EMMA", actual: "nothing printed by the module" },
      { kind: "timed-out" },
      { kind: "equal" },
    ]);
  });
});

/** None of these is ever run. */
describe("what no example may do is refused in its line", () => {
  const cases: [what: string, code: string, line: number, message: RegExp][] = [
    ["it leaves the process", 'put("Emma");\nprocess.exit(0);', 8, /uses no process/],
    ["it prints the output itself", 'put("Emma");\nconsole.log("1");', 8, /prints nothing itself/],
    ["it replaces what compares", 'JSON.stringify = () => "1";\nput("Emma");', 7, /leaves JSON as it is/],
    ["it shows a value of its own", 'put("Emma");\n1;', 8, /does not come from the module/],
    [
      "it only asks the module",
      'put("Emma").length === 0 ? [] : [34, 33];',
      7,
      /does not come from the module/,
    ],
    ["it throws the module's away", 'put("Emma"), [34, 33];', 7, /does not come from the module/],
    ["it goes on from the module", 'put("Emma") && ([34, 33]);', 7, /does not come from the module/],
    ["it shows nothing", 'const one = put("Emma");', 7, /must end in an expression/],
    ["it does not parse", "put(;", 7, /Expression expected|expected/],
    ["it does not compile", "put(5);", 7, /TS2345/],
    ["a name that is not there", 'puts("Emma") + put("Dune");', 7, /TS2304|TS2552/],
    ["it reads the clock", "put(String(Date.now()));", 7, /the clock \(CLOCK\)/],
    ["it reads the clock otherwise", "put(new Date().toISOString());", 7, /the clock \(CLOCK\)/],
    ["it asks chance", "put(String(Math.random()));", 7, /chance \(RANDOM\)/],
    ["it reaches for everything", 'put(Object.keys(globalThis)[0] ?? "");', 7, /leaves alone/],
    ["it imports later", 'await import("node:fs");\nput("Emma");', 7, /stand at the beginning/],
    [
      "it opens the module",
      'import { put as other } from "../src/index.ts";\nput("Emma") + other("Dune");',
      7,
      /not readable/,
    ],
    ["it starts processes", 'import "node:child_process";\nput("Emma");', 7, /neither this module/],
    ["it makes code", 'put(String(eval("1")));', 7, /plain code/],
  ];

  test("(all at once)", { timeout: 60_000 }, async () => {
    const runs = await runsOf(cases.map(([what, code]) => of(`put: ${what}`, code)));
    const found = runs.map(({ example, outcome }) => {
      const problems = outcome.kind === "refused" ? outcome.problems : [];
      return problems.map(({ line, message }) => ({ line: line - example.line + 1, message }));
    });
    for (const [at, [what, , line, message]] of cases.entries()) {
      const expected = { line, message: expect.stringMatching(message) };
      expect({ what, found: found[at] }).toEqual({ what, found: expect.arrayContaining([expected]) });
    }
  });

  test("an example that imports nothing, however good", async () => {
    const [run] = await runsOf([{ heading: "put: bare", code: 'put("Emma")', form: "json", output: "1" }]);
    expect(run?.outcome).toMatchObject({
      problems: [{ message: expect.stringMatching(/#modules\/book-shelf/) }],
    });
  });

  test("but a name of its own, a fixed time and a file are fine", { timeout: 60_000 }, async () => {
    const file =
      'import { readFileSync, writeFileSync } from "node:fs";\nimport { tmpdir } from "node:os";\n';
    const runs = await runsOf([
      of(
        "put: its own names",
        'const process = { exit: (code: string) => code };\nput(process.exit("Emma"));',
      ),
      of("put: a fixed time", "put(new Date(0).toISOString());"),
      of("put: a wrong value on purpose", "// @ts-expect-error\nput(5);"),
      of(
        "put: a file",
        `${file}const path = \`\${tmpdir()}/emma\`;\nwriteFileSync(path, String(put("Emma")));\nreadFileSync(path, "utf8");`,
        "1",
        "text",
      ),
    ]);
    expect(runs.map(({ outcome }) => outcome)).toEqual(runs.map(() => ({ kind: "equal" })));
  });
});

function module(extra: string): Record<string, string> {
  return { ...SHELF, "src/index.ts": `${SHELF["src/index.ts"] ?? ""}\n${extra}` };
}

describe("hostile code changes no verdict", { timeout: 60_000 }, () => {
  const wrong = [of("put: a lie", 'put("Emma");', "2")];
  const lie = { kind: "differs", expected: "2", actual: "1" };

  test("a module that replaces what compares and what prints", async () => {
    const files = module(`// @ts-nocheck
      JSON.stringify = () => "2"; JSON.parse = () => 2;
      String.prototype.slice = () => "2"; String.prototype.toString = () => "2";
      try { Object.is = () => true; } catch {}
      try { Object.keys = () => []; } catch {}
      process.stdout.write = () => true; console.log("2");`);
    expect((await runsOf(wrong, files)).map(({ outcome }) => outcome)).toEqual([lie]);
  });

  test.each([
    [
      "runs examples itself",
      'globalThis[Symbol.for("cupel.example")](0, () => Promise.resolve({ default: 2 }));',
    ],
    ["pretends to be the entry", 'globalThis[Symbol.for("cupel.watch")]({});'],
  ])("a module that %s", async (_what, extra) => {
    const [run] = await runsOf(wrong, module(`// @ts-nocheck\n${extra}`));
    expect(run?.outcome).toEqual({ kind: "not-run", why: expect.stringMatching(/reached for what watches/) });
  });

  test.each([
    ["ends the process", "process.exit(0);"],
    ["ends it for real", "process.reallyExit(0);"],
    ["kills it", 'process.kill(process.pid, "SIGKILL");'],
  ])("a module that %s", async (_what, extra) => {
    const fine = [of("put: fine", 'put("Emma");')];
    const report = await reportOn(fine, module(extra));
    const runs = report.kind === "ran" ? report.compare(readExamples(fine)) : [];
    const outcomes = runs.map(({ outcome }) => outcome.kind);
    expect(outcomes).not.toContain("equal");
  });

  test("an error of the example is none of the module", async () => {
    const code =
      'import { FullError } from "#modules/book-shelf";\nput("Emma");\n(() => { throw new FullError("full"); })();';
    const [run] = await runsOf([of("put: full", code, "FullError: full", "error")]);
    expect(run?.outcome).toMatchObject({
      kind: "differs",
      actual: "FullError: full, which no call of the module threw",
    });
    expect(run?.surfaced).toEqual([]);
  });

  test("a call inside of the module is no call of the example", async () => {
    const files = module(
      "export function putTwice(title: string): number {\n  new Reader().turn(1);\n  return put(title) + put(title);\n}",
    );
    const code = 'import { putTwice } from "#modules/book-shelf";\nputTwice("Emma");';
    const [run] = await runsOf([of("put: twice", code, "3")], files);
    expect(run).toMatchObject({ outcome: { kind: "equal" }, called: [] });
  });

  test("an example that loops for ever is named, and those after it were not run", async () => {
    const runs = await runsOf([
      of("put: for ever", 'for (;;) String("Emma");\nput("Emma");'),
      of("put: fine", 'put("Emma");'),
    ]);
    expect(runs.map(({ outcome }) => outcome)).toEqual([
      { kind: "timed-out" },
      { kind: "not-run", why: expect.stringMatching(/number 1 of the file before it had not ended/) },
    ]);
  });

  test("what came of them is compared with what examples say, and with nothing of any other code", async () => {
    const report = await reportOn([of("put: one", 'put("Emma");')]);
    if (report.kind === "no-report") throw new Error(report.why);
    const outcome = (sample: Sample) => report.compare(readExamples([sample]))[0]?.outcome;
    expect(outcome(of("put: one", 'put("Emma");'))).toEqual({ kind: "equal" });
    expect(outcome(of("put: one", 'put("Emma");', "2"))).toMatchObject({ kind: "differs", actual: "1" });
    expect(outcome(of("put: one", 'put("Persuasion");'))).toMatchObject({ kind: "not-run" });
  });
});
