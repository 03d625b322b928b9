// All attacks.
import type { Attack } from "./attack.ts";
import { ATTACKS_ON_FILES } from "./attacks-on-files.ts";
import { ATTACKS_ON_GIT } from "./attacks-on-git.ts";
import { ATTACKS_ON_THE_HARNESS } from "./attacks-on-the-harness.ts";
import { ATTACKS_ON_THE_MACHINE } from "./attacks-on-the-machine.ts";

export const ATTACKS: readonly Attack[] = [
  ...ATTACKS_ON_GIT,
  ...ATTACKS_ON_FILES,
  ...ATTACKS_ON_THE_HARNESS,
  ...ATTACKS_ON_THE_MACHINE,
];

/** Does honest work, which every harness must be able to take: otherwise nothing that fails would mean anything. */
export const INNOCENT: Attack = {
  theme: "what the harness takes back",
  name: "honest work",
  script: () => "mkdir -p src && echo done | tee src/work.ts && git add -A && git commit -q -m work",
  sweep: true,
  carelessWalk: "take",
  succeeded: ({ output, taken, stolen, marked, held, stalled, crashed, left }) =>
    /^done$/m.test(output) &&
    taken.includes("src/work.ts") &&
    stolen.length === 0 &&
    !(marked || held || stalled || crashed || left),
};
