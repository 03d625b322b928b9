// `cupel init`: the files that a person edits, and what to do next.
import { relative } from "node:path";
import { beginProject, type NewProject, type ProjectFiles } from "../../factory/new-project.ts";
import { colorsFor, printJson, printText } from "../output.ts";

export async function init(options: {
  directory: string;
  json: boolean;
  simulated?: boolean;
}): Promise<void> {
  const begun = beginProject(
    options.directory,
    options.simulated === true ? await simulatedFiles() : undefined,
  );
  if (options.json) printJson(begun);
  else printText(render(begun, options.simulated === true ? SIMULATED_STEPS : STEPS));
}

/** The product that simulated agents know. */
async function simulatedFiles(): Promise<ProjectFiles> {
  const { SIMULATED_PROJECT } = await import("../../factory/simulated.ts");
  return SIMULATED_PROJECT;
}

const STEPS = [
  "write what you want into SPEC.md; what the agents should read goes to cupel/documents/",
  "cupel doctor     says what is missing on this machine; with --try-key it tries your key, too",
  "cupel run        refines it, and asks you before anything is built",
];

const SIMULATED_STEPS = [
  "cupel run        builds what SPEC.md says, which is all that simulated agents know",
  "or cupel run --runtime simulator:cheat/skip-tests     with agents that cheat; cupel battery --list has more",
];

function render({ directory, written, kept, repository }: NewProject, afterwards: readonly string[]): string {
  const colors = colorsFor(process.stdout);
  const place = relative(process.cwd(), directory);
  const steps = [
    ...(place === "" ? [] : [`cd ${place}`]),
    ...(repository
      ? []
      : ["git init && git add -A && git commit -m Begin     Cupel works in a git repository"]),
    ...afterwards,
  ];
  return [
    ...written.map((name) => `${colors.green("+")} ${name}`),
    ...kept.map((name) => `${colors.yellow("=")} ${name} (was there already, left as it is)`),
    "Next:",
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
  ].join("\n");
}
