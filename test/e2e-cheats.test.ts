// End-to-end tests that show nothing, each refused for what it is, beside those that show what they say.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Examined, examineSuite, type Suite } from "../src/release/e2e/examine.ts";
import { wholeProduct } from "../src/release/e2e/whole-product.ts";
import {
  architectLines,
  CLAMPED,
  HONEST,
  makeTried,
  OUTSIDE,
  SHARE,
  suite,
  TOO_MUCH,
  withFactory,
} from "./e2e-ground.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "cupel-test-")));
const project = join(place, "project");
beforeAll(() => makeTried(project), 60_000);
afterAll(() => rmSync(place, { recursive: true }));

async function examined(files: Suite["files"], notShown: Suite["notShown"] = []): Promise<Examined> {
  return withFactory(project, architectLines([{}]), {}, async (ports) => {
    const product = await wholeProduct(ports.store, ports.rigor);
    if (product === undefined) throw new Error("no tests are due");
    return examineSuite(ports, product, { files, notShown }, new AbortController().signal);
  });
}

async function findings(files: Suite["files"], notShown: Suite["notShown"] = []): Promise<string[]> {
  const found = await examined(files, notShown);
  return found.kind === "refused" ? found.findings.map(({ rule, message }) => `${rule}: ${message}`) : [];
}

const ALL = `[${CLAMPED}, ${OUTSIDE}, ${SHARE}, ${TOO_MUCH}]`;
const [FIRST, SECOND] = HONEST;
const whole = (...tests: typeof HONEST) => ({ "whole.test.ts": suite(...tests) });
const beside = (title: string, body: string) => whole(...HONEST, [title, body]);

describe("a suite is refused", () => {
  test.each<[string, Suite["files"], RegExp]>([
    ["that has no test", { "notes.md": "later" }, /^no-tests: /],
    ["that asserts nothing", beside(`quiet [${SHARE}]`, "percent(120);"), /^empty-test: .*asserts nothing/],
    [
      "that asserts something else than what came back",
      beside(`busy [${SHARE}]`, 'const given = percent(120);\n  expect(typeof given).toBe("number");'),
      /^green-on-lies: busy .* passes whatever the modules give back/,
    ],
    [
      "that calls no module",
      beside(`idle [${SHARE}]`, "expect(Math.min(120, 100)).toBe(100);"),
      /^green-on-stubs: idle .* stays green although the functions of every module throw/,
    ],
    [
      "that any error satisfies",
      beside(`angry [${OUTSIDE}]`, "expect(() => clamp(1, 3, 0)).toThrow();"),
      /^green-on-stubs: angry /,
    ],
    [
      "of which one test claims everything and calls one module",
      whole([`all ${ALL}`, "expect(clamp(5, 0, 3)).toBe(3);"]),
      /^shows-nothing-of-it: all .* names criteria of T-text-slug-basics-002, and stays green/,
    ],
    [
      "that claims a criterion which does not exist",
      beside("more [T-text-slug-basics-003.1]", "expect(clamp(5, 0, 3)).toBe(3);"),
      /^unknown-criterion: more .* names T-text-slug-basics-003\.1/,
    ],
    ["that claims nothing", beside("free", "expect(clamp(5, 0, 3)).toBe(3);"), /^names-no-criterion: free/],
    [
      "that leaves a criterion out",
      whole(...(FIRST === undefined ? [] : [FIRST])),
      /^criterion-not-shown: no test names T-text-slug-basics-002\.1 \(a title gives a slug\)/,
    ],
    [
      "that skips a test",
      { "whole.test.ts": suite(...HONEST).replace("test(", "test.skip(") },
      /^skipped-test: test\.skip leaves a test out/,
    ],
    [
      "that keeps others from running",
      { "whole.test.ts": suite(...HONEST).replace("test(", "test.only(") },
      /^focused-test: /,
    ],
    [
      "that fails on the product as it is",
      beside(`wrong [${SHARE}]`, "expect(percent(120)).toBe(99);"),
      /^failed: wrong .*expected 100 to be 99/,
    ],
    [
      "that reaches behind the names of modules",
      {
        "whole.test.ts": suite(...HONEST).replace('"#modules/clamp"', '"../modules/clamp/src/index.ts"'),
      },
      /^outside-import: /,
    ],
    [
      "that loads another package",
      { "whole.test.ts": `import "zod";\n${suite(...HONEST)}` },
      /^undeclared-package: imports zod/,
    ],
    [
      "whose helper starts programs",
      { ...whole(...HONEST), "run.ts": 'import "node:child_process";\nexport const a = 1;\n' },
      /^forbidden-import: .*child_process/,
    ],
    [
      "that brings settings",
      { ...whole(...HONEST), "package.json": "{}" },
      /^not-a-test: e2e\/package\.json decides how something runs/,
    ],
    [
      "that replaces a module",
      {
        "whole.test.ts": suite(...HONEST).replace(
          "\n\n",
          '\nimport { vi } from "vitest";\nvi.mock("#modules/clamp", () => ({ clamp: (value, low, high) => Math.min(Math.max(value, low), high) }));\n\n',
        ),
      },
      /^green-on-stubs: a number is kept/,
    ],
  ])(
    "%s",
    async (_, files, expected) => {
      expect((await findings(files))[0]).toMatch(expected);
    },
    30_000,
  );

  test("that excuses what it shows, or what nobody asked for", async () => {
    const excuses = [
      { criterion: SHARE, why: "it cannot be seen" },
      { criterion: "T-text-slug-basics-009.1", why: "it cannot be seen" },
    ];
    expect(await findings(whole(...HONEST), excuses)).toEqual([
      `shown-and-excused: ${SHARE} is called not shown, and a test names it`,
      "unknown-criterion: T-text-slug-basics-009.1 is called not shown, and there is no such",
    ]);
  }, 30_000);
});

describe("a suite is accepted", () => {
  test.each<[string, Suite["files"], Suite["notShown"]]>([
    ["whose tests show what they say", whole(...HONEST), []],
    [
      "with a helper, data and a group whose title names the criteria",
      {
        "whole.test.ts": `import { describe, expect, test } from "vitest";
import { clamp } from "#modules/clamp";
import { shares } from "./shares.ts";
import cases from "./cases.json";

describe("ranges [${CLAMPED}; ${OUTSIDE}]", () => {
  test.each(cases)("%d", (given, kept) => {
    expect(clamp(given, 0, 3)).toBe(kept);
  });
});

test("shares [${SHARE}, ${TOO_MUCH}]", () => {
  expect(shares(120, -1, 7)).toEqual([100, 0, 7]);
});
`,
        "shares.ts": `import { percent } from "#modules/percent";

export const shares = (...given: number[]): number[] => given.map((value) => percent(value));
`,
        "cases.json": "[[5, 3], [-1, 0]]",
      },
      [],
    ],
    [
      "that says why a criterion cannot be shown",
      whole(...(FIRST === undefined ? [] : [FIRST]), ["a share [" + SHARE + "]", SECOND?.[1] ?? ""]),
      [{ criterion: TOO_MUCH, why: "nobody sees from outside how much memory it takes" }],
    ],
  ])(
    "%s",
    async (_, files, notShown) => {
      const found = await examined(files, notShown);
      expect(found).toMatchObject({
        kind: "accepted",
        planted: expect.stringContaining("functions that throw"),
      });
    },
    30_000,
  );
});
