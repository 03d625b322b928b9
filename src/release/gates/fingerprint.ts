// What is released is what was sealed, byte for byte, and whoever was built against a contract still gets that contract.
import type { Violation } from "../../domain/people/integration-verdict.ts";
import type { PicturedModule } from "../picture.ts";
import { PLANTED, withFirst } from "./integration-gate.ts";
import type { PictureGate } from "./integration-gate.ts";

export const fingerprint: PictureGate = {
  name: "fingerprint_check",
  look: ({ modules }) => {
    const files = modules.flatMap(({ sealedFiles }) => Object.keys(sealedFiles)).length;
    const pairs = modules.flatMap(({ needs }) => needs).length;
    return {
      looked: files + pairs,
      summary: `${files} sealed files of ${modules.length} modules, ${pairs} pairs of producer and consumer`,
      violations: modules.flatMap((module) => [...ownViolations(module), ...drift(module)]),
    };
  },
  plants: (picture) => {
    const [first] = picture.modules;
    const [path] = Object.keys(first?.sealedFiles ?? {});
    if (first === undefined || path === undefined) return [];
    const need = { range: PLANTED, built: PLANTED, given: PLANTED, reverified: false };
    const drifted = { ...need, builtFingerprint: "0".repeat(64), givenFingerprint: "1".repeat(64) };
    return [
      {
        what: `another ${path} in modules/${first.name}`,
        picture: withFirst(picture, (module) => ({
          ...module,
          committedFiles: { ...module.committedFiles, [path]: "0".repeat(64) },
        })),
      },
      {
        what: "a contract that has drifted",
        picture: withFirst(picture, (module) => ({ ...module, needs: [...module.needs, drifted] })),
      },
    ];
  },
};

function ownViolations(seen: PicturedModule): Violation[] {
  const { module, name, damage, fingerprints, sealedFiles, committedFiles, restore } = seen;
  const violation = (references: string[], explanation: string, next: string): Violation => ({
    module_ref: module,
    references,
    explanation,
    next,
  });
  if (damage !== undefined) return [violation([], `${module}: ${damage}`, "cupel store fsck")];
  if (Object.keys(committedFiles).length === 0)
    return [
      violation([`modules/${name}`], `${module} has shipped, and modules/${name} is not there`, restore),
    ];
  const differing = differences(sealedFiles, committedFiles).map((path) => `modules/${name}/${path}`);
  const changed = `${module} is sealed, and not what modules/${name} holds: ${listed(differing)}`;
  const mismatched = `the evidence of ${module} is for another contract than the one that is sealed`;
  return [
    ...(differing.length === 0 ? [] : [violation(differing.slice(0, MOST), changed, restore)]),
    ...(fingerprints.evidence === fingerprints.contract
      ? []
      : [violation(["contract.json", "ship.json"], mismatched, `cupel store show ${module}`)]),
  ];
}

function drift({ module, needs }: PicturedModule): Violation[] {
  return needs.flatMap(({ built, given, builtFingerprint, givenFingerprint, reverified }) =>
    built === undefined || given === undefined || reverified || builtFingerprint === givenFingerprint
      ? []
      : [
          {
            module_ref: module,
            references: [built, given],
            explanation: `${module} was built against ${built}, and ${given}, which it gets, promises something else`,
            next: `cupel index show ${given}`,
          },
        ],
  );
}

/** Changed, missing or new. */
function differences(
  sealed: Readonly<Record<string, string>>,
  committed: Readonly<Record<string, string>>,
): string[] {
  const paths = new Set([...Object.keys(sealed), ...Object.keys(committed)]);
  return [...paths].filter((path) => sealed[path] !== committed[path]).toSorted();
}

const MOST = 20;
const SHOWN = 3;

function listed(paths: readonly string[]): string {
  const rest = paths.length - SHOWN;
  return `${paths.slice(0, SHOWN).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
