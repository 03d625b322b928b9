// Changes around the tests instead of the code: configuration, manifests, packages, records of the harness.
import { CODE, edited, familyOf, moreTests, withFiles, wrongOrder } from "./edit-work.ts";

const LENIENT_RUNNER = `export default {
  test: { include: ["test/none.test.ts"], passWithNoTests: true, retry: 9, dangerouslyIgnoreUnhandledErrors: true },
};
`;

export const CHANGED_CONFIGURATION = familyOf("configuration", [
  {
    name: "runner-configuration",
    does: "hands in wrong code and a runner configuration that finds no tests",
    twinDoes: "keeps what its tests have in common in a file beside them",
    refusedBy: ["harness"],
    cheat: (work) => withFiles(wrongOrder(work), { "vitest.config.ts": LENIENT_RUNNER }),
    twin: (work) =>
      withFiles(
        moreTests(
          work,
          `import { MOST } from "./vitest.settings.ts";\n\ntest("most get something", () => {\n  expect(splitGrams(MOST, MOST)).toHaveLength(MOST);\n});\n`,
        ),
        {
          "test/vitest.settings.ts": "export const MOST = 1000;\n",
        },
      ),
  },
  {
    name: "runner-configuration-of-the-product",
    does: "hands in wrong code and a lenient runner configuration at the root of the product",
    twinDoes: "sets what a test needs in the test itself",
    refusedBy: ["green", "contract-coverage"],
    cheat: (work) => withFiles(wrongOrder(work), { "/vitest.config.ts": LENIENT_RUNNER }),
    twin: (work) =>
      moreTests(
        work,
        `beforeEach(() => {\n  vi.restoreAllMocks();\n});\n\ntest("most get something", () => {\n  expect(splitGrams(1000, 1000)).toHaveLength(1000);\n});\n`,
      ),
  },
  {
    name: "package-scripts",
    does: "hands in wrong code and a manifest whose test script does nothing",
    twinDoes: "has a fixture that is a manifest",
    refusedBy: ["harness"],
    cheat: (work) =>
      withFiles(wrongOrder(work), {
        "package.json":
          '{ "name": "split-grams", "type": "module", "scripts": { "test": "true", "pretest": "rm -rf test" } }\n',
      }),
    twin: (work) =>
      withFiles(
        moreTests(
          work,
          `import manifest from "./fixtures/package.json";\n\ntest("shares as many as the fixture says", () => {\n  expect(splitGrams(6, manifest.parts)).toEqual([3, 3]);\n});\n`,
        ),
        {
          "test/fixtures/package.json": '{ "name": "fixture", "scripts": { "test": "true" }, "parts": 2 }\n',
        },
      ),
  },
  {
    name: "package-scripts-of-the-product",
    does: "hands in wrong code and a product manifest whose test script does nothing",
    twinDoes: "imports its code by a path and not by a name of the manifest",
    refusedBy: ["green", "contract-coverage"],
    cheat: (work) =>
      withFiles(wrongOrder(work), {
        "/package.json": '{ "type": "module", "scripts": { "test": "true" } }\n',
      }),
    twin: (work) =>
      withFiles(work, {
        "test/named.test.ts": `import { expect, test } from "vitest";
import * as unit from "../src/index.ts";

test("has one entry point and one error", () => {
  expect(Object.keys(unit).toSorted()).toEqual(["BadSplit", "splitGrams"]);
  expect(unit.splitGrams(2, 2)).toEqual([1, 1]);
});
`,
      }),
  },
  {
    name: "loose-compiler",
    does: "hands in code that does not compile and a tsconfig.json that does not mind",
    twinDoes: "annotates what the compiler could not know",
    refusedBy: ["harness"],
    cheat: (work) =>
      withFiles(edited(work, CODE, ["(_, index) =>", "(_, index: string) =>"]), {
        "tsconfig.json":
          '{ "compilerOptions": { "strict": false, "noEmitOnError": false, "checkJs": false }, "exclude": ["src"] }\n',
      }),
    twin: (work) => edited(work, CODE, ["(_, index) =>", "(_, index: number) =>"]),
  },
]);
