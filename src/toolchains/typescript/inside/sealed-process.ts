// Takes from foreign code the means by which a program can look into its own process: debugger, heap snapshots, the
// engine's switches, native code. Whoever needs them is served by another runner.
import inspector from "node:inspector";
import inspectorPromises from "node:inspector/promises";
import { syncBuiltinESMExports } from "node:module";
import v8 from "node:v8";

const HOLDERS: readonly [string, object, readonly string[]][] = [
  ["inspector", inspector, ["Session", "open", "url", "console"]],
  ["inspector/promises", inspectorPromises, ["Session", "open", "url", "console"]],
  [
    "v8",
    v8,
    [
      "getHeapSnapshot",
      "writeHeapSnapshot",
      "setHeapSnapshotNearHeapLimit",
      "setFlagsFromString",
      "queryObjects",
    ],
  ],
  ["process", process, ["binding", "_linkedBinding", "dlopen", "_debugProcess", "_debugEnd"]],
];

/** Called once, before any foreign code is loaded. `refuse` is told what was asked for. */
export function sealProcess(
  refuse: (what: string) => never,
  more: readonly [string, object, readonly string[]][] = [],
): void {
  for (const [name, holder, members] of [...HOLDERS, ...more]) {
    for (const member of members) {
      if (!(member in holder)) continue;
      const refused = function (): never {
        return refuse(`${name}.${member}`);
      };
      Object.defineProperty(holder, member, { value: refused, writable: false, configurable: false });
    }
  }
  syncBuiltinESMExports();
}
