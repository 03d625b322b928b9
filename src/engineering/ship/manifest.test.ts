import { expect, test } from "vitest";
import { isManifest, manifestText } from "./manifest.ts";

const request = { names: ["b", "a@1", "a"], versions: { vitest: "4.1.12", "fast-check": "4.10.2" } };

function made(text: string | undefined, hasLock = false): Record<string, unknown> {
  return JSON.parse(manifestText({ ...request, text, hasLock }) ?? "{}");
}

test("a product without one gets all that its tests need", () => {
  expect(made(undefined)).toEqual({
    private: true,
    type: "module",
    imports: {
      "#modules/a": "./modules/a/src/index.ts",
      "#modules/a@1": "./modules/a@1/src/index.ts",
      "#modules/b": "./modules/b/src/index.ts",
    },
    scripts: { test: "vitest run --exclude=.cupel/**" },
    devDependencies: { vitest: "4.1.12", "fast-check": "4.10.2" },
  });
});

test("what a person wrote stays; modules that are gone leave the map", () => {
  const own = {
    name: "mine",
    imports: { "#own": "./own.js", "#modules/gone": "./modules/gone/src/index.ts" },
    scripts: { test: "my tests", build: "make" },
    dependencies: { vitest: "3.0.0" },
  };
  const manifest = made(JSON.stringify(own));
  expect(manifest).toMatchObject({ name: "mine", scripts: own.scripts, dependencies: own.dependencies });
  expect(Object.keys(Object(manifest["imports"]))).toEqual([
    "#own",
    "#modules/a",
    "#modules/a@1",
    "#modules/b",
  ]);
  expect(manifest["devDependencies"]).toEqual({ "fast-check": "4.10.2" });
});

test("beside a lock file nothing is added to what is installed", () => {
  expect(made('{ "name": "mine" }', true)).not.toHaveProperty("devDependencies");
});

test("the same again changes nothing", () => {
  const once = manifestText({ ...request, text: '{"x": [1]}', hasLock: false });
  expect(manifestText({ ...request, text: once, hasLock: false })).toBe(once);
});

test.each(["", "{", "[]", "null", '"text"'])("%j is no manifest, and is left as it is", (text) => {
  expect(isManifest(text)).toBe(false);
  expect(manifestText({ ...request, text, hasLock: false })).toBeUndefined();
});
