// Lets every gate look at the release and at what it must refuse, in the same run.
import { judgeIntegration } from "../../domain/people/integration-verdict.ts";
import type { IntegrationVerdict } from "../../domain/people/integration-verdict.ts";
import type { ReleasePicture } from "../picture.ts";
import { codeIndex } from "./code-index.ts";
import { dependency } from "./dependency.ts";
import { deprecation } from "./deprecation.ts";
import { fingerprint } from "./fingerprint.ts";
import type { PictureGate } from "./integration-gate.ts";

const PICTURE_GATES: readonly PictureGate[] = [dependency, fingerprint, deprecation, codeIndex];

export function judgePicture(
  picture: ReleasePicture,
  gates: readonly PictureGate[] = PICTURE_GATES,
): IntegrationVerdict[] {
  return gates.map((gate) => judgeOne(gate, picture));
}

function judgeOne(gate: PictureGate, picture: ReleasePicture): IntegrationVerdict {
  const began = performance.now();
  const { looked, summary, violations } = gate.look(picture);
  // A gate that found something has just shown that it can say no.
  const plants = violations.length > 0 ? [] : gate.plants(picture);
  const passed = plants.filter((plant) => gate.look(plant.picture).violations.length === 0);
  const shown = passed.length > 0 ? passed : plants;
  const planted = { planted: shown.map(({ what }) => what).join("; "), refused: passed.length === 0 };
  return judgeIntegration({
    gate: gate.name,
    summary,
    looked,
    violations,
    ...(plants.length === 0 ? {} : { planted }),
    durationMs: performance.now() - began,
  });
}
