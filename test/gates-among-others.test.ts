// Integration and e2e refuse what breaks others and accept what does not, on real runs of consumers and products.
import { describe, expect, test } from "vitest";
import { MicroModuleContract } from "../src/domain/contract/contract.ts";
import { certificateOf } from "../src/domain/evidence/blindness-certificate.ts";
import { CLAMP_CONTRACT } from "./module-samples.ts";
import { decided } from "./run-gate-samples.ts";
import type { TriedInRun } from "./run-gate-samples.ts";

const TIMEOUT = { timeout: 120_000 };

/** Says that there was a run; no gate but one looks into it. */
const HELD = certificateOf({
  runId: "R-1",
  barrier: "sandbox",
  commands: { bubblewrap: 1, none: 0 },
  workspaces: [],
  scanned: [],
  leaks: [],
  openDoors: [],
  notScanned: [],
  plants: [],
  madeAt: "2026-01-01T00:00:00Z",
});

const CODE = `export function double(value: number): number {
  return value * 2;
}
`;

/** A module with this code; its own tests are of no concern here. */
function it(code: string): TriedInRun {
  const test = 'import { expect, test } from "vitest";\nimport * as it from "../src/index.ts";\n';
  return {
    files: {
      "src/index.ts": code,
      "test/it.test.ts": `${test}test("is there", () => {\n  expect(it).toBeDefined();\n});\n`,
    },
  };
}

const QUADRUPLES = `test("quadruples", () => {
  expect(quadruple(2)).toBe(8);
});`;

/** A module that imports the one under test, with a suite. */
function user(body = "return double(double(value));", suite = QUADRUPLES): Record<string, string> {
  return {
    "src/index.ts": `import { double } from "#modules/it";\nexport function quadruple(value: number): number {\n  ${body}\n}\n`,
    "test/use.test.ts": `import { expect, test } from "vitest";\nimport { quadruple } from "../src/index.ts";\n${suite}\n`,
  };
}

describe("integration, with modules that import this one", () => {
  const contract = CLAMP_CONTRACT;

  const DEFECTS: [string, TriedInRun, RegExp][] = [
    [
      "another result",
      it(CODE.replace("* 2", "* 3")),
      /^failed: user imports this module; test\/use.test.ts: quadruples: failed: expected 18 to be 8/,
    ],
    ["an export that is gone", it(CODE.replace("double", "twice")), /double/],
    ["an export that throws", it(CODE.replace("return value * 2", 'throw new Error("later")')), /later/],
    [
      "a promise instead of a value",
      it("export async function double(value: number): Promise<number> {\n  return value * 2;\n}\n"),
      /expected Promise|expected NaN/,
    ],
    [
      "a consumer whose suite is empty",
      {
        ...it(CODE),
        consumers: { user: user(undefined, "export const unused = [expect, test, quadruple];") },
      },
      /^no-tests|collection-error/,
    ],
    [
      "one unhappy consumer of two",
      { ...it(CODE), consumers: { user: user(), other: user("return double(value);") } },
      /^failed: other imports this module/,
    ],
  ];

  test.concurrent.each(DEFECTS)("refuses %s", TIMEOUT, async (_what, tried, why) => {
    const found = await decided("integration", { consumers: { user: user() }, contract, ...tried });
    expect(found).toEqual({ verdict: "FAIL", why: expect.stringMatching(why) });
  });

  test("cannot pass with a consumer that would not notice", TIMEOUT, async () => {
    const consumers = { user: user(), idle: user("return value * 4 + 0 * Number(double === undefined);") };
    expect(await decided("integration", { ...it(CODE), contract, consumers })).toEqual({
      verdict: "ERROR",
      why: expect.stringMatching(/could not show that it can say no.*idle imports it and stays green/),
    });
  });

  const GOOD: [string, TriedInRun][] = [
    ["one consumer", it(CODE)],
    ["two consumers", { ...it(CODE), consumers: { user: user(), other: user("return double(value) * 2;") } }],
    ["another implementation", it(CODE.replace("value * 2", "value + value"))],
    ["one more export", it(`${CODE}export const unit = 1;\n`)],
    [
      "more files behind the entry",
      { files: { ...it('export { double } from "./double.ts";\n').files, "src/double.ts": CODE } },
    ],
  ];

  test.concurrent.each(GOOD)("accepts %s", TIMEOUT, async (_what, tried) => {
    const found = await decided("integration", { consumers: { user: user() }, contract, ...tried });
    expect(found).toEqual({ verdict: "PASS", why: "" });
  });

  test("is not applicable where there is nobody to work with", async () => {
    expect(await decided("integration", { ...it(CODE), contract })).toEqual({
      verdict: "NOT_APPLICABLE",
      why: "the contract names no dependency",
    });
  });
});

describe("integration, with what the module depends on", () => {
  const contract = MicroModuleContract.parse({
    ...CLAMP_CONTRACT,
    dependencies: [{ ref: "MM-dependency@^1.0.0", why: "it doubles" }],
  });
  const depending = (suite: string, name = "use.integration.test.ts"): TriedInRun => ({
    files: {
      "src/index.ts": `import { double } from "#modules/dependency";\nexport function quadruple(value: number): number {\n  return double(double(value));\n}\n`,
      [`test/${name}`]: `import { expect, test } from "vitest";\nimport { quadruple } from "../src/index.ts";\n${suite}\n`,
    },
    dependency: it(CODE).files,
  });
  const skipped = QUADRUPLES.replace("test(", "test.skip(");

  const REFUSED: [string, TriedInRun, string, RegExp][] = [
    [
      "another dependency",
      { ...depending(QUADRUPLES), dependency: it(CODE.replace("* 2", "* 3")).files },
      "FAIL",
      /expected 18/,
    ],
    [
      "a skipped test",
      depending(`${skipped}\n${QUADRUPLES.replace("quadruples", "again")}`),
      "FAIL",
      /skipped/,
    ],
    ["a file that cannot be loaded", depending('throw new Error("at load");'), "FAIL", /at load/],
    ["no integration test at all", depending(QUADRUPLES, "use.test.ts"), "ERROR", /looked at nothing/],
    [
      "tests that a broken dependency does not disturb",
      depending('test("is there", () => {\n  expect(quadruple).toBeTypeOf("function");\n});'),
      "ERROR",
      /it let a broken dependency pass/,
    ],
    [
      "a dependency that nobody has broken",
      { ...depending(QUADRUPLES), withoutBroken: true },
      "ERROR",
      /no broken dependency was handed in/,
    ],
  ];

  test.concurrent.each(REFUSED)("refuses %s", TIMEOUT, async (_what, tried, verdict, why) => {
    const found = await decided("integration", { contract, ...tried });
    expect(found).toEqual({ verdict, why: expect.stringMatching(why) });
  });

  test("accepts a module that works with it, and has refused a broken one", TIMEOUT, async () => {
    expect(await decided("integration", { contract, ...depending(QUADRUPLES) })).toEqual({
      verdict: "PASS",
      why: "",
    });
  });
});

describe("e2e", () => {
  // A product brings its own way to run; this one strips the types of its modules by itself.
  const RUN = `import { readFileSync, writeFileSync } from "node:fs";
const code = readFileSync("modules/it/src/index.ts", "utf8").replaceAll(/: (?:number|never|unknown)\\b/g, "");
const { double } = await import("data:text/javascript," + encodeURIComponent(code));
`;
  const asking = (check: string, code = CODE): TriedInRun => ({
    ...it(code),
    product: { files: { "check.mjs": `${RUN}${check}\n` }, args: ["check.mjs"] },
  });
  const CHECK = 'if (double(2) !== 4) throw new Error("the product does not double");';

  const REFUSED: [string, TriedInRun, string, RegExp][] = [
    [
      "a product that fails",
      asking(CHECK, CODE.replace("* 2", "* 3")),
      "FAIL",
      /the product does not double/,
    ],
    ["an exit code", asking(`${CHECK}\nprocess.exit(3);`), "FAIL", /ended with 3/],
    [
      "a command that kills itself",
      asking('process.kill(process.pid, "SIGKILL");\nawait new Promise(() => {});'),
      "FAIL",
      /SIGKILL|ended with 137/,
    ],
    [
      "a file that is missing",
      { ...asking(CHECK), product: { files: {}, args: ["check.mjs"] } },
      "FAIL",
      /check.mjs/,
    ],
    ["a command that tests nothing", asking("// all is well"), "ERROR", /could not show that it can say no/],
    [
      "a command that never uses the module",
      asking("export const used = typeof double;"),
      "ERROR",
      /could not show/,
    ],
    ["a command that says that all is well", asking("process.exit(0);"), "ERROR", /could not show/],
    ["a missing product", it(CODE), "ERROR", /no product was handed in/],
  ];

  test.concurrent.each(REFUSED)("refuses %s", TIMEOUT, async (_what, tried, verdict, why) => {
    const found = await decided("e2e", { ...tried, certificate: HELD });
    expect(found).toEqual({ verdict, why: expect.stringMatching(why) });
  });

  const GOOD: [string, TriedInRun][] = [
    ["a product that works", asking(CHECK)],
    ["another implementation", asking(CHECK, CODE.replace("value * 2", "value + value"))],
    ["a command that leaves files behind", asking(`${CHECK}\nwriteFileSync("left.txt", "behind");`)],
    [
      "a command that talks a lot",
      asking(`${CHECK}\nfor (let line = 0; line < 5000; line++) console.log("x".repeat(200));`),
    ],
    [
      "a command that takes its time",
      asking(`${CHECK}\nawait new Promise((resolve) => setTimeout(resolve, 300));`),
    ],
  ];

  test.concurrent.each(GOOD)("accepts %s", TIMEOUT, async (_what, tried) => {
    expect(await decided("e2e", { ...tried, certificate: HELD })).toEqual({ verdict: "PASS", why: "" });
  });

  test("waits until everything has shipped", async () => {
    expect(await decided("e2e", { ...it(CODE), product: "unfinished", certificate: HELD })).toEqual({
      verdict: "NOT_APPLICABLE",
      why: "not every task of the product has shipped",
    });
  });
});
