// Which packages a module sees: its own where they can run its tests, else Cupel's, and never half of them.
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { packagesInUse } from "./packages-in-use.ts";

function folderWith(...packages: string[]): string {
  const folder = realpathSync(temporaryDirectory());
  for (const path of packages) {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, "package.json"), "{}");
  }
  mkdirSync(join(folder, "packages/one/src"), { recursive: true });
  return folder;
}

const cupels = realpathSync("node_modules");

test.for([
  [["packages/one/node_modules/vitest", "node_modules/vitest"], "packages/one/node_modules"],
  [["packages/one/node_modules/other", "node_modules/vitest"], "node_modules"],
] as const)("with %j the module sees %s", ([packages, seen]) => {
  const folder = folderWith(...packages);
  expect(packagesInUse({}, join(folder, "packages/one"))).toBe(join(folder, seen));
});

test("a module without vitest sees Cupel's packages", () => {
  expect(packagesInUse({}, join(folderWith("node_modules/other"), "packages/one"))).toBe(cupels);
});

test("what the toolchain was given comes first", () => {
  const folder = folderWith("node_modules/vitest", "given/vitest");
  expect(packagesInUse({ packages: join(folder, "given") }, folder)).toBe(join(folder, "given"));
});

test("a node_modules that is a link is resolved", () => {
  const folder = folderWith("store/vitest");
  symlinkSync(join(folder, "store"), join(folder, "node_modules"));
  expect(packagesInUse({}, folder)).toBe(join(folder, "store"));
});

test("links inside of node_modules are kept, as pnpm makes them", () => {
  const folder = folderWith("node_modules/.pnpm/vitest@4/node_modules/vitest");
  symlinkSync(".pnpm/vitest@4/node_modules/vitest", join(folder, "node_modules/vitest"));
  expect(packagesInUse({}, folder)).toBe(join(folder, "node_modules"));
});

test("a link out of node_modules is refused with what to do", () => {
  const folder = folderWith("elsewhere/vitest", "node_modules/other");
  symlinkSync(join(folder, "elsewhere/vitest"), join(folder, "node_modules/vitest"));
  expect(() => packagesInUse({}, folder)).toThrow(
    expect.objectContaining({ code: "usage", hint: expect.stringContaining("npm install") }),
  );
});

test("given packages without vitest are refused", () => {
  expect(() => packagesInUse({ packages: join(folderWith(), "packages") }, "/")).toThrow(
    expect.objectContaining({ code: "not_found" }),
  );
});
