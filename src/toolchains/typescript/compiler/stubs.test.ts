import { join } from "node:path";
import { expect, test } from "vitest";
import { moduleFolder } from "../../../../test/module-samples.ts";
import { build } from "./build.ts";
import { bundled } from "./bundle.ts";
import { groundTruth } from "./ground-truth.ts";
import { SAMPLES, viewOf } from "./samples.suite.ts";
import { isStubbed, stubs } from "./stubs.ts";
import { surface } from "./surface.ts";

test.each(Object.entries(SAMPLES))(
  "stubs of %s compile, look the same from outside and are nothing but stubs",
  (_, files) => {
    const before = viewOf(files);
    expect(build(before)).toMatchObject({ kind: "built" });
    const edits = stubs(before);
    const after = viewOf({ ...files, ...edits });
    expect({ report: build(after), edits }).toMatchObject({ report: { kind: "built" } });
    expect(surface(after).entries.map(withoutPlace)).toEqual(surface(before).entries.map(withoutPlace));
    expect(surface(after).fingerprint).toBe(surface(before).fingerprint);
    expect(groundTruth(after).functions.filter(({ isStub }) => !isStub)).toEqual([]);
    expect(stubs(after)).toEqual(edits);
  },
);

function withoutPlace({ line: _line, file: _file, ...rest }: ReturnType<typeof surface>["entries"][number]) {
  return rest;
}

test.each(Object.entries(SAMPLES).filter(([name]) => name !== "a package of others"))(
  "a stubbed module of %s can be imported, and its functions throw the stub's error",
  async (_, files) => {
    const before = viewOf(files);
    const compiled = await bundled(
      before.layout.entry,
      new Map(Object.entries({ ...files, ...stubs(before) })),
    );
    if (compiled.kind === "broken") throw new Error(JSON.stringify(compiled.errors));
    const loaded = await imported(compiled.files);
    for (const { name, kind, async } of surface(before).entries) {
      if (kind !== "function" || async) continue;
      expect(() => called(loaded.get(name))).toThrow(/^cupel:stub /);
    }
  },
);

/** The bodies of generators run only when they are asked for something. */
function called(value: unknown): unknown {
  if (typeof value !== "function") throw new Error("not a function");
  const answer: unknown = Reflect.apply(value, undefined, []);
  return typeof answer === "object" && answer !== null && Symbol.iterator in answer
    ? Array.from(Object(answer))
    : answer;
}

async function imported(files: Readonly<Record<string, string>>): Promise<Map<string, unknown>> {
  const folder = moduleFolder({ "package.json": '{ "type": "module" }', ...files });
  const loaded: unknown = await import(/* @vite-ignore */ join(folder, "index.js"));
  return new Map(Object.entries(Object(loaded)));
}

test("a module is stubbed only when every function is, and there is one", () => {
  const view = viewOf(SAMPLES["clamp"] ?? {});
  expect(isStubbed(view)).toBe(false);
  expect(isStubbed(viewOf({ ...SAMPLES["clamp"], ...stubs(view) }))).toBe(true);
  expect(isStubbed(viewOf({ "src/index.ts": "export const A = 1;" }))).toBe(false);
  const almost =
    'export function f() { throw new Error("cupel:stub f"); }\nexport function g() { f(); throw new Error("cupel:stub g"); }';
  expect(isStubbed(viewOf({ "src/index.ts": almost }))).toBe(false);
});
