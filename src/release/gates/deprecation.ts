// Nothing that is in use stands on something that was given up; only what is given up itself may.
import type { CodeIndexEntry } from "../../domain/plan/reuse.ts";
import type { PicturedModule, ReleasePicture } from "../picture.ts";
import { PLANTED, withFirst } from "./integration-gate.ts";
import type { PictureGate } from "./integration-gate.ts";

export const deprecation: PictureGate = {
  name: "deprecation_check",
  look: ({ modules, entries }) => {
    const needs = modules.flatMap((module) => module.needs);
    return {
      looked: modules.length + needs.length,
      summary: `what ${modules.length} modules build on`,
      violations: modules.flatMap((module) => violationsOf(module, entries)),
    };
  },
  plants: (picture) => {
    const [first] = picture.modules;
    if (first === undefined) return [];
    const fake: CodeIndexEntry = { ...first.sealedEntry, status: "DEPRECATED" };
    const need = { range: PLANTED, built: PLANTED, given: PLANTED, reverified: true };
    const same = { builtFingerprint: undefined, givenFingerprint: undefined };
    const inUse: CodeIndexEntry = { ...first.sealedEntry, status: "SHIPPED" };
    const spoiled = withFirst(picture, (module) => ({
      ...module,
      needs: [...module.needs, { ...need, ...same }],
    }));
    const entries = new Map([...picture.entries, [PLANTED, fake], [first.module, inUse]]);
    return [{ what: `a dependency on ${PLANTED}, which is deprecated`, picture: { ...spoiled, entries } }];
  },
};

function violationsOf({ module, needs }: PicturedModule, entries: ReleasePicture["entries"]) {
  if (entries.get(module)?.status === "DEPRECATED") return [];
  return needs.flatMap(({ given }) => {
    const entry = given === undefined ? undefined : entries.get(given);
    if (given === undefined || entry === undefined || entry.status === "SHIPPED") return [];
    const successor = entry.superseded_by === undefined ? "" : ` in favour of ${entry.superseded_by}`;
    return [
      {
        module_ref: module,
        references: [given],
        explanation: `${module} builds on ${given}, which is ${entry.status}${successor}`,
        next: `ship a version of ${module} without it, or: cupel deprecate ${module} --reason "…"`,
      },
    ];
  });
}
