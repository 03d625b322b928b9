// Snapshots that stand in the test itself, compared as vitest does it; those in files of their own only vitest can read.
import { chai } from "@vitest/expect";
import { format } from "@vitest/pretty-format";
import { getSerializers, stripSnapshotIndentation } from "@vitest/snapshot";
import { unsupported } from "./unsupported.ts";

export function addInlineSnapshots(): void {
  chai.util.addMethod(
    chai.Assertion.prototype,
    "toMatchInlineSnapshot",
    function match(this: Chai.AssertionStatic, expected: unknown) {
      const flag = (name: string): unknown => chai.util.flag(this, name);
      // One that is to be written, or that leaves some properties open.
      if (typeof expected !== "string" || expected === "" || flag("negate") !== undefined)
        return unsupported("toMatchInlineSnapshot");
      const said = stripSnapshotIndentation(expected).trim();
      const found = shown(flag("object")).trim();
      if (said !== found)
        throw new chai.AssertionError("Snapshot mismatched", { actual: found, expected: said });
    },
  );
}

function shown(value: unknown): string {
  return format(value, {
    escapeRegex: true,
    escapeString: false,
    indent: 2,
    plugins: getSerializers(),
    printBasicPrototype: false,
    printFunctionName: false,
  }).replaceAll(/\r\n|\r/g, "\n");
}
