// A script of a module takes in what the module is built upon, as deep as that goes, and nothing that nobody gave.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { compileFunction } from "node:vm";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { type Builds, oneScript } from "./one-script.ts";

const BUILT = {
  half: {
    "index.js": 'import { two } from "./chunk-1.js";\nexport const half = (n) => n / two;\n',
    "chunk-1.js": "export const two = 2;\n",
  },
  quarter: {
    "index.js": 'import { half } from "#modules/half";\nexport const quarter = (n) => half(half(n));\n',
  },
};

const EIGHTH = `import { half } from "#modules/half";
import { quarter } from "#modules/quarter";
export const eighth = (n: number): number => half(quarter(n));
`;

function buildsOf(names: readonly (keyof typeof BUILT)[]): Builds {
  const place = temporaryDirectory();
  return names.map((name) => {
    const directory = join(place, name);
    mkdirSync(directory);
    for (const [file, text] of Object.entries(BUILT[name])) writeFileSync(join(directory, file), text);
    return { name, directory };
  });
}

test("builds that import each other are part of it", async () => {
  const made = await oneScript(
    "src/index.ts",
    { "src/index.ts": EIGHTH },
    { builds: buildsOf(["half", "quarter"]) },
  );
  if (made.kind === "impossible") throw new Error(made.why);
  const module: { exports: { eighth?: (n: number) => number } } = { exports: {} };
  compileFunction(made.code, ["module", "exports"])(module, module.exports);
  expect(module.exports.eighth?.(40)).toBe(5);
});

test("a build that is not there is told", async () => {
  const made = await oneScript("src/index.ts", { "src/index.ts": EIGHTH }, { builds: buildsOf(["quarter"]) });
  expect(made).toEqual({ kind: "impossible", why: expect.stringContaining("#modules/half is not among") });
});

test("a build cannot reach out of its folder", async () => {
  const [half, ...others] = buildsOf(["half", "quarter"]);
  if (half === undefined) throw new Error("there is none");
  writeFileSync(join(half.directory, "index.js"), 'export { quarter as half } from "../quarter/index.js";\n');
  const made = await oneScript("src/index.ts", { "src/index.ts": EIGHTH }, { builds: [half, ...others] });
  expect(made).toEqual({ kind: "impossible", why: expect.stringContaining("quarter") });
});

const WAITS = `import { join } from "node:path";
import table from "./table.json" with { type: "json" };
const late = await Promise.resolve(table.most);
export class TooMany extends Error {}
export const most = (): string => join("a", String(late));
export { most as default };
`;
const SOURCES = { "src/index.ts": WAITS, "src/table.json": '{ "most": 7 }' };

function found(name: string): unknown {
  return name === "node:path" ? posix : undefined;
}

test("what waits while it is loaded is a promise of its exports, for whoever can wait", async () => {
  expect(await oneScript("src/index.ts", SOURCES)).toMatchObject({ kind: "impossible" });
  const made = await oneScript("src/index.ts", SOURCES, { mayWait: true });
  if (made.kind === "impossible") throw new Error(made.why);
  const module: { exports: unknown } = { exports: {} };
  compileFunction(made.code, ["require", "module", "exports"])(found, module, module.exports);
  const exported: { most?: () => string; default?: unknown; TooMany?: { name: string } } = Object(
    await module.exports,
  );
  expect(exported.most?.()).toBe("a/7");
  expect(exported.default).toBe(exported.most);
  expect(exported.TooMany?.name).toBe("TooMany");
});
