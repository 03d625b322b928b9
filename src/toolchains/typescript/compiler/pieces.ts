// Every function and test of a module by name, with a hash of its code, so that what changed can be told by name.
import { sha256Hex } from "../../../domain/canonical.ts";
import { squeeze } from "../../../domain/contract/fingerprint.ts";
import { moduleFunctions } from "./declarations.ts";
import { leansOn } from "./leans-on.ts";
import type { ModuleView } from "./module-view.ts";
import { withProgram } from "./program.ts";
import { testCases } from "./test-cases.ts";

/** Functions or tests that share a name are one piece together. */
export function pieces(view: ModuleView): ReadonlyMap<string, string> {
  return withProgram(view, (program) => {
    const texts = new Map<string, string[]>();
    const add = (name: string, text: string) => texts.set(name, [...(texts.get(name) ?? []), squeeze(text)]);
    for (const { name, node } of moduleFunctions(program)) add(name, node.getText());
    for (const { name, code } of testCases(program)) {
      const own = code();
      const text = [...own, ...leansOn(program, own)].map((node) => node.getText());
      add(name, text.join("\n"));
    }
    return new Map([...texts].map(([name, all]) => [name, sha256Hex(JSON.stringify(all))]));
  });
}
