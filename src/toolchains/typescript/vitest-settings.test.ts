// The module's own settings are honoured as far as they are its business, and refused loudly where they are not.
import { describe, expect, test } from "vitest";
import { bubblewrapWorks } from "../../../test/bubblewrap.ts";
import { CLAMP } from "../../../test/module-samples.ts";
import { reportedRun, runModule } from "../../../test/run-module.ts";
import { isGreen } from "../../domain/evidence/test-result.ts";
import { none } from "../../workshop/sandbox/none.ts";

describe.skipIf(!bubblewrapWorks)("the tests of a module (needs bubblewrap)", () => {
  test("run with the settings of the module that are its business", async () => {
    const report = await reportedRun({
      "src/index.ts": "export const one = 1;",
      "test/a [b] {c}.test.ts": `import { one } from "@/index.ts";
        test("sees its settings", () => expect([one, process.env.MINE, setUp, DEFINED]).toEqual([1, "yes", 2, "text"]));`,
      "test/setup.ts": "globalThis.setUp = 2;",
      "vitest.config.ts": `import { fileURLToPath } from "node:url"; import { defineConfig } from "vitest/config";
        console.log("cupel-settings imitation");
        export default defineConfig(() => ({ define: { DEFINED: '"text"' }, resolve: { alias: [{ find: /^@\\//, replacement: fileURLToPath(new URL("./src/", import.meta.url)) }] },
          test: { globals: true, env: { MINE: "yes" }, setupFiles: ["./test/setup.ts"], coverage: { thresholds: { lines: 100 } } } }));`,
    });
    expect(isGreen(report.run)).toEqual({ kind: "green", passed: 1 });
  });

  test.for([
    [{ "vitest.config.ts": "throw new Error('mine');" }, "could not be evaluated"],
    [{ "vitest.config.ts": "export default { test: { globalSetup: './x.ts' } };" }, "test.globalSetup"],
    [{ "vitest.workspace.ts": "export default [];" }, "projects"],
  ] as const)("are not run with %j", async ([files, why]) => {
    expect(await runModule({ ...CLAMP, ...files })).toMatchObject({
      kind: "no-report",
      why: expect.stringContaining(why),
    });
  });
});

const PLUGGED = {
  "src/index.ts": "export const one = ONE;",
  "test/a.test.ts":
    'import { expect, test } from "vitest"; import { one } from "../src/index.ts"; test("one", () => expect(one).toBe(1));',
  "vitest.config.ts": `export default { plugins: [{ name: "one", transform: (code) => code.replace("ONE", "1") }],
    test: { include: [], testNamePattern: "nothing" } };`,
};

test("without a sandbox a person's own plugins are at work, and hide no test", async () => {
  const report = await reportedRun(PLUGGED, { sandbox: none() });
  expect(isGreen(report.run)).toEqual({ kind: "green", passed: 1 });
});
