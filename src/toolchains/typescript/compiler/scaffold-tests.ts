// First tests of a new module: each calls an entry point, so it is red on the stub, and stays red until a real test takes its place.
import type { EntryPoint, MicroModuleContract } from "../../../domain/contract/contract.ts";
import { genericsOfClass, partsOf } from "./signature-text.ts";

export function scaffoldTests({ name, entry_points }: MicroModuleContract): string {
  const roots = [...new Set(entry_points.map((each) => each.name.split(".")[0] ?? each.name))];
  const named = roots.filter((each) => each !== "default");
  const imported = [
    ...(roots.includes("default") ? ["main"] : []),
    ...(named.length === 0 ? [] : [`{ ${named.toSorted().join(", ")} }`]),
  ];
  return [
    'import { describe, expect, test } from "vitest";',
    `import ${imported.join(", ")} from "../src/index.ts";`,
    "",
    `describe(${JSON.stringify(name)}, () => {`,
    entry_points.map((each) => testText(each, entry_points)).join("\n\n"),
    "});",
    "",
  ].join("\n");
}

function testText(entry: EntryPoint, all: readonly EntryPoint[]): string {
  const isAsync = /^Promise\s*</.test(partsOf(entry.signature)?.result ?? "");
  return [
    `  test(${JSON.stringify(`${entry.name} does what its contract says`)}, ${isAsync ? "async " : ""}() => {`,
    `    ${isAsync ? "await " : ""}${callText(entry, all)};`,
    '    expect.fail("no real inputs and outputs are tried yet");',
    "  });",
  ].join("\n");
}

/** Without inputs, since the contract names none; a function of any parameters can be seen as one of none. */
function callText({ name, signature }: EntryPoint, all: readonly EntryPoint[]): string {
  const [root = name, member] = name.split(".");
  const instance = genericsOfClass(root, all) === "" ? root : `InstanceType<typeof ${root}>`;
  const made = `new (${root} as new (...given: never[]) => ${member === undefined ? "unknown" : instance})()`;
  if (member !== undefined) return `(${made}.${member} as (...given: never[]) => unknown)()`;
  if (partsOf(signature)?.isNew === true) return made;
  return `(${root === "default" ? "main" : root} as (...given: never[]) => unknown)()`;
}
