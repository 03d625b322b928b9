// `cupel resolve e2e`: shows why a product has no end-to-end tests, or carries what a person says to the architect.
import { resolveE2e, whatE2eHalted } from "../../factory/resolve-e2e.ts";
import { EXIT } from "../exit-codes.ts";
import { oneLine, printJson, printText } from "../output.ts";
import { nameOfPerson } from "../person.ts";

export interface ResolveE2eCommand {
  directory: string;
  /** Any of the two is an answer; there is one only. */
  action?: string;
  rationale?: string;
  json: boolean;
}

export async function resolveWhole(project: string, command: ResolveE2eCommand): Promise<number> {
  const { action, rationale, json } = command;
  if (action === undefined && rationale === undefined) {
    const halt = await whatE2eHalted(project);
    if (json) printJson(halt);
    else printText(choices(halt).map(oneLine).join("\n"));
    return EXIT.ok;
  }
  await resolveE2e(project, rationale ?? null, nameOfPerson());
  if (json) printJson({ carriedOut: false });
  else printText("Noted. The architect hears it.\nNext: cupel run --resume");
  return EXIT.ok;
}

function choices({ why, findings, work }: Awaited<ReturnType<typeof whatE2eHalted>>): string[] {
  return [
    `The product has no end-to-end tests that count: ${why}`,
    ...findings.map((finding) => `  ✕ ${finding}`),
    ...(work === null ? [] : [`What was written last: git --git-dir=.cupel/hub.git show ${work}`]),
    "",
    "You can",
    "  tell the architect more       cupel resolve e2e --rationale TEXT, then cupel run --resume",
    "  let it try again              cupel run --resume",
    "  write the tests yourself      files in e2e/, committed; then cupel run --resume looks at them",
    '  do without                    take "e2e" out of rigor.layers in cupel.config.json; then cupel run --resume',
  ];
}
