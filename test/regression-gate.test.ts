// The regression gate asks the tests of earlier versions, and the door asks it of every new version of the same major.
import { describe, expect, test } from "vitest";
import { proofOf } from "../src/engineering/ship/proof-of.ts";
import { ship } from "../src/engineering/ship/ship.ts";
import { replayProof } from "../src/evidence/replay.ts";
import type { EarlierSuite } from "../src/evidence/module-under-test.ts";
import { FEW, LONG, shipped, world } from "./ship-bench.ts";
import { CLAMP_SAMPLE, next, orderFor, proposed } from "./ship-samples.ts";
import type { Sample } from "./ship-samples.ts";
import { decided } from "./run-gate-samples.ts";
import { temporaryDirectory } from "./temporary.ts";

const HEAD = 'import { expect, test } from "vitest";\nimport { double } from "../src/index.ts";\n';
const DOUBLES = `${HEAD}test("doubles", () => {\n  expect(double(2)).toBe(4);\n});\n`;
const CODE = "export function double(value: number): number {\n  return value * 2;\n}\n";
const LAZY = CODE.replace("value * 2", "value === 2 ? 5 : value * 2");
const MINE = `${HEAD}test("of today", () => {\n  expect(double(3)).toBe(6);\n});\n`;

function suite(change: Partial<EarlierSuite> = {}): EarlierSuite {
  return {
    module: "MM-it@1.0.0",
    tests: { "test/it.test.ts": DOUBLES },
    sources: { "src/index.ts": CODE },
    passed: [{ file: "test/it.test.ts", name: "doubles" }],
    ...change,
  };
}

const now = (code: string, suites: EarlierSuite[], own = MINE) =>
  decided("regression", { files: { "src/index.ts": code, "test/it.test.ts": own }, earlier: suites });

describe("the gate", LONG, () => {
  test("passes what still does what it did, whatever its own tests say", async () => {
    expect(await now(CODE, [suite()])).toEqual({ verdict: "PASS", why: "" });
    expect(await now(CODE.replace("value * 2", "value + value"), [suite()], DOUBLES)).toEqual({
      verdict: "PASS",
      why: "",
    });
  });

  test("refuses what an old test fails on, by version and name, also where the new suite still has it", async () => {
    const why = expect.stringMatching(
      /^regression: "doubles" of MM-it@1\.0\.0 \(test\/it\.test\.ts\) is now failed: /,
    );
    expect(await now(LAZY, [suite()])).toEqual({ verdict: "FAIL", why });
    expect(await now(LAZY, [suite()], DOUBLES)).toEqual({ verdict: "FAIL", why });
  });

  test("refuses where an old test does not run any more, or cannot be loaded", async () => {
    const listed = `${HEAD}import * as it from "../src/index.ts";
for (const value of "CASES" in it ? [1] : []) test(\`case \${value}\`, () => expect(double(value)).toBe(2));
${DOUBLES.slice(HEAD.length)}`;
    const silent = suite({
      tests: { "test/it.test.ts": listed },
      passed: [...suite().passed, { file: "test/it.test.ts", name: "case 1" }],
    });
    expect(await now(CODE, [silent])).toEqual({
      verdict: "FAIL",
      why: 'regression: "case 1" of MM-it@1.0.0 (test/it.test.ts) does not run any more',
    });
    const unloaded = suite({ tests: { "test/it.test.ts": `import "../src/nowhere.ts";\n${DOUBLES}` } });
    expect(await now(CODE, [unloaded])).toEqual({
      verdict: "FAIL",
      why: expect.stringContaining("test/it.test.ts of MM-it@1.0.0 cannot be loaded any more"),
    });
  });

  test("an old test of insides that are gone finds them as they were, and asks the new code for the rest", async () => {
    const inside = suite({
      tests: {
        "test/it.test.ts": `import { two } from "../src/two.ts";\n${DOUBLES.replaceAll("toBe(4)", "toBe(two + two)")}`,
      },
      sources: { "src/index.ts": CODE, "src/two.ts": "export const two = 2;\n" },
    });
    expect(await now(CODE, [inside])).toEqual({ verdict: "PASS", why: "" });
    expect((await now(LAZY, [inside])).verdict).toBe("FAIL");
  });

  test("is not believed with old tests that would not notice anything", async () => {
    const blind = suite({
      tests: { "test/it.test.ts": `${HEAD}test("doubles", () => expect(double).toBeDefined());\n` },
    });
    expect(await now(CODE, [blind])).toEqual({
      verdict: "ERROR",
      why: expect.stringContaining("it let an implementation that throws pass"),
    });
  });

  test("has nothing to ask of a first version", async () => {
    expect((await now(CODE, [])).verdict).toBe("NOT_APPLICABLE");
  });
});

const code = (CLAMP_SAMPLE.files["src/index.ts"] ?? "").replace(
  "if (low > high)",
  "if (low > high || (value === 3 && low === 3 && high === 3))",
);
const tests = (CLAMP_SAMPLE.files["test/clamp.test.ts"] ?? "").replace("    [3, 3, 3, 3],\n", "");

describe("at the door", () => {
  test("a version that breaks an old behaviour and drops the test for it does not ship", LONG, async () => {
    const ports = await world();
    await shipped(ports, CLAMP_SAMPLE);
    const enemy = next(CLAMP_SAMPLE, "1.0.1", {
      files: { "src/index.ts": code, "test/clamp.test.ts": tests },
    });
    expect(enemy.files["test/clamp.test.ts"]).not.toBe(CLAMP_SAMPLE.files["test/clamp.test.ts"]);
    const order = orderFor(enemy, { protocol: FEW });
    expect(await ship(ports, order, await proposed(ports, enemy))).toMatchObject({
      kind: "refused",
      findings: expect.arrayContaining([
        expect.stringMatching(
          /^regression: "clamp > 3 within 3 and 3 is 3" of MM-clamp@1\.0\.0 .* is now failed/,
        ),
      ]),
    });
    // Once again with the behaviour, and with fewer tests, which is nobody's loss: the old ones are still asked.
    const honest: Sample = next(CLAMP_SAMPLE, "1.0.1", { files: { "test/clamp.test.ts": tests } });
    await shipped(ports, honest);
    const { verdicts, earlier } = await proofOf(ports.store, "MM-clamp@1.0.1");
    expect(verdicts).toContainEqual(
      expect.objectContaining({ gate: "regression", verdict: "PASS", denominator: 6 }),
    );
    expect(earlier).toMatchObject([{ module: "MM-clamp@1.0.0" }]);
    // Also after a version without it.
    const later = { ...enemy, contract: { ...enemy.contract, module_version: "1.0.2" } };
    expect(await ship(ports, orderFor(later, { protocol: FEW }), await proposed(ports, later))).toMatchObject(
      { kind: "refused" },
    );

    const bundle = await proofOf(ports.store, "MM-clamp@1.0.1");
    const replay = await replayProof(bundle, {
      toolchain: ports.toolchain,
      directory: temporaryDirectory(),
      versions: ports.versions,
      anyVersion: false,
    });
    expect(replay).toMatchObject({ differences: [], passed: true });
  });
});
