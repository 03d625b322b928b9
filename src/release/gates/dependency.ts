// Whatever a module of the release needs is in the release, in a version that will do.
import { refSatisfies } from "../../domain/semver.ts";
import type { Violation } from "../../domain/people/integration-verdict.ts";
import type { Need, PicturedModule } from "../picture.ts";
import { PLANTED, withFirst } from "./integration-gate.ts";
import type { PictureGate } from "./integration-gate.ts";

export const dependency: PictureGate = {
  name: "dependency_check",
  look: ({ modules }) => {
    const needs = modules.flatMap((module) => module.needs);
    return {
      looked: modules.length + needs.length,
      summary: `${needs.length} dependencies of ${modules.length} modules`,
      violations: modules.flatMap((module) => module.needs.flatMap((need) => violationOf(module, need))),
    };
  },
  plants: (picture) =>
    picture.modules.length === 0
      ? []
      : [
          {
            what: `a dependency on ${PLANTED}, which is not in the release`,
            picture: withFirst(picture, (module) => ({ ...module, needs: [...module.needs, dangling()] })),
          },
        ],
};

function violationOf({ module }: PicturedModule, { range, built, given, reverified }: Need): Violation[] {
  const violation = (explanation: string, next: string): Violation[] => [
    { module_ref: module, references: [range], explanation, next },
  ];
  if (built === undefined)
    return violation(
      `${module} needs ${range}, and its ship names no version of it`,
      `cupel store show ${module}`,
    );
  if (given === undefined)
    return violation(
      `${module} needs ${range}, and no version of it is in the release`,
      "cupel store ls modules",
    );
  if (refSatisfies(given, range) || reverified) return [];
  return violation(
    `${module} needs ${range}, and the release gives it ${given}, which it was not verified with`,
    `cupel index show ${given}`,
  );
}

function dangling(): Need {
  return {
    range: PLANTED,
    built: PLANTED,
    given: undefined,
    builtFingerprint: undefined,
    givenFingerprint: undefined,
    reverified: false,
  };
}
