// What stands in the way of shipping, gate by gate, in words that a Proposer can act on.
import type { Finding, GateVerdict } from "../../domain/evidence/gate-verdict.ts";
import { GateNeed } from "../../domain/evidence/gate.ts";
import type { GateName } from "../../domain/evidence/gate.ts";
import type { Reported } from "../../evidence/verify.ts";

/** The first of many is enough to go on with. */
export const MOST_PER_GATE = 12;
const MOST_CHARACTERS = 800;

export function findingsOf(reported: readonly Reported[], folder: string): string[] {
  const blocking = reported.filter(({ blocks, verdict }) => blocks && !wasStopped(verdict));
  return blocking.flatMap((one) => findingsOfGate(one, folder));
}

/** Not for want of anything, but because another gate blocks, which is what there is to say. */
export function wasStopped(verdict: GateVerdict): boolean {
  return verdict.verdict === "NOT_RUN" && !verdict.missing.some((each) => GateNeed.safeParse(each).success);
}

/** What one gate has to say against it, also where that does not block. */
export function findingsOfGate({ verdict, summary }: Reported, folder: string): string[] {
  const { gate, findings } = verdict;
  if (findings.length === 0) {
    if (verdict.verdict === "NOT_RUN") return [line(gate, `it cannot look without ${summary}`)];
    const why = verdict.verdict === "ERROR" ? verdict.message : summary;
    const advice = why.endsWith("looked at nothing") ? ADVICE[gate] : undefined;
    return [line(gate, advice === undefined ? why : `${why}: ${advice}`)];
  }
  const shown = findings.slice(0, MOST_PER_GATE).map((finding) => line(gate, worded(finding, folder)));
  const rest = findings.length - shown.length;
  return rest === 0 ? shown : [...shown, line(gate, `${rest} more of this kind`)];
}

function worded({ rule, message, file, line: at }: Finding, folder: string): string {
  const place = file === undefined ? "" : `modules/${folder}/${file}${at === undefined ? "" : `:${at}`}: `;
  return `${place}${message} (${rule})`;
}

function line(gate: GateName, text: string): string {
  return `${gate}: ${openWords(text)}`;
}

/** Built packages of others are closed: a frame or a path that leads into one tells nothing that may be known. */
export function openWords(text: string): string {
  const open = text
    .split("\n")
    .filter((each) => !/(?:^|\s|\/)modules\/[^/\s]+\/(?:index|chunk-[\w-]+)\.js\b/.test(each))
    .join(" ")
    .replaceAll(/\p{Cc}+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  const cut = open.length > MOST_CHARACTERS ? `${open.slice(0, MOST_CHARACTERS - 1)}…` : open;
  return cut === "" ? "it failed inside a dependency" : cut;
}

/** For gates that found nothing to look at. */
const ADVICE: Partial<Record<GateName, string>> = {
  integration: "write tests in test/*.integration.test.ts that use the dependencies",
  green: "write tests that run",
  mutation: "write code that tests can judge",
};
