// The examples gate says what to change and where, shows that it can say no, and is part of a proof.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseExamples } from "../src/domain/evidence/examples.ts";
import type { Files } from "../src/toolchains/port.ts";
import { SHELF, SHELF_CONTRACT, SHELF_EXAMPLES, examplesOf } from "./example-samples.ts";
import type { Sample } from "./example-samples.ts";
import { gateOn } from "./gate-samples.ts";

const on = (samples: readonly Sample[] | string, files: Files = SHELF) =>
  gateOn("examples", {
    files,
    contract: SHELF_CONTRACT,
    examples: typeof samples === "string" ? samples : examplesOf(samples),
  });

const without = (...headings: string[]) =>
  SHELF_EXAMPLES.filter(({ heading }) => !headings.some((each) => heading.startsWith(each)));

const changed = (heading: string, change: Partial<Sample>) =>
  SHELF_EXAMPLES.map((sample) => (sample.heading === heading ? { ...sample, ...change } : sample));

describe("the examples gate", { timeout: 60_000 }, () => {
  test("passes what shows everything, and has refused an output that it changed itself", async () => {
    expect(await on(SHELF_EXAMPLES)).toMatchObject({
      verdict: "PASS",
      denominator: SHELF_EXAMPLES.length,
      liveness: { refused: true, how: "this-run", planted: "another output in line 10 of examples.md" },
    });
  });

  test.each([
    ["put: the first book", "json", 10],
    ["put: a shelf that is full", "error", 11],
    ["find: a book that is not there", "text", 10],
    ["announce: what people hear", "console", 10],
  ])("shows that it can say no by %s (%s)", async (heading, _form, line) => {
    const first = SHELF_EXAMPLES.find((each) => each.heading === heading);
    const others = SHELF_EXAMPLES.filter((each) => each !== first);
    const samples = first === undefined ? others : [first, ...others];
    expect(await on(samples)).toMatchObject({
      verdict: "PASS",
      liveness: { planted: `another output in line ${line} of examples.md` },
    });
  });

  const cases: [
    what: string,
    samples: readonly Sample[] | string,
    rule: string,
    line: string,
    message: RegExp,
  ][] = [
    ["an entry point without one", without("Reader.turn"), "entry-not-shown", "## ", /Reader\.turn/],
    ["one that shows only errors", without("put: the first", "put: what"), "entry-not-shown", "## ", /put/],
    [
      "an exception without one",
      without("put: a shelf"),
      "error-not-shown",
      "## ",
      /FullError \(there is no place\)/,
    ],
    ["a variant without one", without("find: a book that is not"), "error-not-shown", "## ", /Missing/],
    ["an effect without one", without("announce"), "entry-not-shown", "## ", /announce/],
    [
      "an effect that is only called",
      changed("announce: what people hear", { form: "text", output: "undefined" }),
      "effect-not-shown",
      "## ",
      /WRITE stdout.*before, after/,
    ],
    [
      "an effect that changes nothing",
      changed("put: what it changes", {
        code: 'import { put, titles } from "#modules/book-shelf";\nconst before = titles()[0];\nput("Emma");\n({ before, after: before });',
        output: "{ before: undefined, after: undefined }",
      }),
      "no-change",
      "```text",
      /before and after are the same/,
    ],
    [
      "an entry point that is named and not called",
      changed("titles: a book more", { heading: "find: a book more" }),
      "never-called",
      "import { put, titles }",
      /never calls find/,
    ],
    [
      "a misspelt entry point",
      changed("LIMIT: how many fit", { heading: "LIMITS: how many fit" }),
      "unknown-entry",
      "## LIMITS: how many fit",
      /did you mean LIMIT\?/,
    ],
    [
      "a value of the clock",
      changed("stamp: as long as a time is", {
        code: 'import { stamp } from "#modules/book-shelf";\nstamp();',
        output: '"2020-01-01T00:00:00.000Z"',
      }),
      "differs",
      "```json",
      /declares CLOCK now, so show something that does not depend on it/,
    ],
    [
      "Markdown that hides something",
      `${examplesOf(SHELF_EXAMPLES)}\n<!-- more -->\n`,
      "odd-markdown",
      "<!-- more -->",
      /HTML/,
    ],
  ];

  test.each(cases)("refuses %s", async (_what, samples, rule, line, message) => {
    const verdict = await on(samples);
    expect(verdict.verdict).toBe("FAIL");
    const lines = (typeof samples === "string" ? samples : examplesOf(samples)).split("\n");
    const found = verdict.findings.map((each) => ({ ...each, line: lines[(each.line ?? 0) - 1] }));
    expect(found).toContainEqual({
      rule,
      line: expect.stringContaining(line),
      file: "examples.md",
      message: expect.stringMatching(message),
    });
  });

  test("is not run where there is no examples.md, or no contract", async () => {
    const bare = await gateOn("examples", { files: SHELF, contract: SHELF_CONTRACT });
    expect(bare).toMatchObject({ verdict: "NOT_RUN", missing: ["examples"] });
    const unpromised = await gateOn("examples", { files: SHELF, examples: examplesOf(SHELF_EXAMPLES) });
    expect(unpromised).toMatchObject({ verdict: "NOT_RUN", missing: ["contract"] });
  });

  test("does not believe a module that breaks whatever watches it", async () => {
    const code = `${SHELF["src/index.ts"] ?? ""}\n// @ts-nocheck\nprocess.reallyExit(0);\n`;
    const verdict = await on(SHELF_EXAMPLES, { ...SHELF, "src/index.ts": code });
    expect(["FAIL", "ERROR"]).toContain(verdict.verdict);
  });
});

test("the page about examples.md shows one that is read", () => {
  const page = readFileSync("docs/examples-md.md", "utf8");
  const [, shown = ""] = /^````markdown\n([^]*?)^````$/m.exec(page) ?? [];
  expect(parseExamples(shown)).toMatchObject({
    problems: [],
    examples: [{ entry: "clamp", kind: "result" }],
  });
});
