// What is remembered of a module is what would be seen of it: also where only its tests are others.
import { expect, test } from "vitest";
import { PACKAGES, siteOf } from "../../test/typescript-site.ts";
import type { Site } from "../toolchains/port.ts";
import { typescriptToolchain } from "../toolchains/typescript/toolchain.ts";
import { none } from "../workshop/sandbox/none.ts";
import { rememberingToolchain } from "./remembering-toolchain.ts";

const toolchain = typescriptToolchain({ sandbox: none(), packages: PACKAGES });

function module(source: string, testing: string): Promise<Site> {
  return siteOf({ "src/index.ts": source, "test/double.test.ts": testing });
}

test("a package is compiled only where the tests have no type errors either", async () => {
  const remembering = rememberingToolchain(toolchain);
  const source = "export const double = (n: number) => n * 2;\n";
  const use = 'import { double } from "../src/index.ts";\n';
  expect(await remembering.compile(await module(source, `${use}double(2);`))).toMatchObject({
    kind: "compiled",
  });
  expect(await remembering.compile(await module(source, `${use}double("2");`))).toMatchObject({
    kind: "broken",
  });
});

test("what sources take from tests is looked at again", async () => {
  const remembering = rememberingToolchain(toolchain);
  const source = 'export { now } from "../test/double.test.ts";\n';
  const signatures: string[] = [];
  for (const now of ["() => 1", '() => "now"']) {
    const { entries } = await remembering.surface(await module(source, `export const now = ${now};\n`));
    signatures.push(...entries.map(({ signature }) => signature));
  }
  expect(signatures).toEqual(["() => number", "() => string"]);
});

test("where only tests are others that nobody reads, sources are looked at once", async () => {
  const looks: string[] = [];
  const remembering = rememberingToolchain({
    ...toolchain,
    surface: (site) => (looks.push("surface"), toolchain.surface(site)),
    variants: (site) => (looks.push("variants"), toolchain.variants(site)),
    effectsInCode: (site) => (looks.push("effects"), toolchain.effectsInCode(site)),
  });
  for (const testing of ["export const one = 1;\n", "export const two = 2;\n"]) {
    const site = await module("export const now = (): number => Date.now();\n", testing);
    expect((await remembering.surface(site)).entries.length).toBe(1);
    expect((await remembering.variants(site)).length).toBeGreaterThan(0);
    expect((await remembering.effectsInCode(site)).effects.length).toBe(1);
  }
  expect(looks).toEqual(["surface", "variants", "effects"]);
});
