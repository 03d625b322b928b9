// The TypeScript toolchain: what each file of this folder can do, behind the port.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import type { Site, Toolchain } from "../port.ts";
import { alone } from "./alone/alone.ts";
import { announced } from "./compiler/announced.ts";
import { anyValues } from "./compiler/any-values.ts";
import { beyondTypes } from "./compiler/beyond-types.ts";
import { beyondMechanical } from "./static/mechanical.ts";
import { build } from "./compiler/build.ts";
import { checkContract } from "./compiler/check-contract.ts";
import { compile } from "./compiler/compile.ts";
import { groundTruth } from "./compiler/ground-truth.ts";
import type { ModuleView } from "./compiler/module-view.ts";
import { moduleUses } from "./compiler/module-uses.ts";
import { pieces } from "./compiler/pieces.ts";
import { scaffold } from "./compiler/scaffold.ts";
import { stubs } from "./compiler/stubs.ts";
import { compareSurface } from "./compiler/surface-compare.ts";
import { surface } from "./compiler/surface.ts";
import type { ToolchainContext } from "./context.ts";
import { differ, type DifferGround } from "./differ/differ.ts";
import { runExamples } from "./examples/run-examples.ts";
import { inTurn } from "./in-turn.ts";
import type { Ground } from "./inner/ground.ts";
import { testQuickly } from "./inner/test-quickly.ts";
import { detectLayout } from "./layout.ts";
import { lies } from "./lies/lies.ts";
import { measure } from "./measure.ts";
import { sourcesOf } from "./module-files.ts";
import { coveredWithoutLeftOver } from "./left-over.ts";
import { withoutLeftOver } from "./mutation/left-over-mutants.ts";
import { mutate } from "./mutation/mutate.ts";
import { variants } from "./mutation/variants.ts";
import { packagesInUse } from "./packages-in-use.ts";
import { openSite } from "./site.ts";
import { inspect } from "./static/inspect.ts";
import { tidy } from "./tidy.ts";
import { effectsInCode } from "./watch/effects-in-code.ts";
import { runWatched } from "./watch/run-watched.ts";

export function typescriptToolchain(context: ToolchainContext): Toolchain {
  const origins = new Map<string, Ground>();
  const groundOf = (site: Site): Ground => {
    const known = [...origins].find(([directory]) => site.directory.startsWith(directory));
    return known?.[1] ?? { packages: packagesInUse(context, tmpdir()) };
  };
  const viewOf = (site: Site): ModuleView => ({
    layout: site.layout,
    directory: site.directory,
    ...groundOf(site),
  });
  const differGround: DifferGround = {
    stubs: async (site) => stubs(viewOf(site)),
    buildsFor: (site) => groundOf(site).dependencies,
  };
  return {
    language: "typescript",
    versions: () => Promise.resolve(versions()),
    detect: (folder) => Promise.resolve(detectLayout(folder)),
    openSite: async (request) => {
      const { dependencies } = request;
      const packages = packagesInUse(context, request.folder);
      origins.set(request.directory, { packages, ...(dependencies === undefined ? {} : { dependencies }) });
      return openSite(context, request);
    },
    checkContract: async (contract) => checkContract(contract, packagesInUse(context, tmpdir())),
    scaffold,
    announce: announced,
    beyondMechanical,
    stubs: (site) => inTurn(() => stubs(viewOf(site)), "first"),
    lies: (site, stubbed, entryPoints) => inTurn(() => lies(stubbed, sourcesOf(site), entryPoints), "first"),
    build: (site) => inTurn(() => build(viewOf(site))),
    test: async (site, options) =>
      coveredWithoutLeftOver(await runWatched(site, options), site.files(), () => beyondTypes(viewOf(site))),
    testQuickly: (site, options) => testQuickly(groundOf(site), site, options),
    runExamples: (site, examples, options) => runExamples(site, viewOf(site), examples, options),
    alone: (site, contract, options) => alone(site, contract, options, groundOf(site).dependencies),
    mutate: async (site, options) =>
      withoutLeftOver(await mutate(groundOf(site), site, options), site.files(), () =>
        beyondTypes(viewOf(site)),
      ),
    variants,
    groundTruth: (site) => inTurn(() => groundTruth(viewOf(site))),
    pieces: (site) => inTurn(() => pieces(viewOf(site))),
    surface: (site) => inTurn(() => surface(viewOf(site))),
    moduleUses: (site) => inTurn(() => moduleUses(viewOf(site))),
    compareSurface: (site, entryPoints) => inTurn(() => compareSurface(viewOf(site), entryPoints)),
    inspect: (site, rules) => inTurn(() => inspect(site, rules, () => anyValues(viewOf(site)))),
    tidy: (site) => inTurn(() => tidy(site)),
    effectsInCode: (site) => inTurn(() => effectsInCode(site)),
    measure: (site, contract) => measure(site, contract, groundOf(site).dependencies),
    differ: (left, right, contract, signal) => differ(left, right, contract, differGround, signal),
    compile: async (site, parts) => compile(viewOf(site), parts),
  };
}

const TOOLS = ["vitest", "fast-check", "typescript", "esbuild", "oxlint", "@stryker-mutator/instrumenter"];

function versions(): Record<string, string> {
  const find = createRequire(import.meta.url);
  const found = TOOLS.map((name) => {
    const manifest: unknown = JSON.parse(readFileSync(find.resolve(`${name}/package.json`), "utf8"));
    const version =
      typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : "";
    return [name, String(version)];
  });
  return { node: process.versions.node, ...Object.fromEntries(found) };
}
