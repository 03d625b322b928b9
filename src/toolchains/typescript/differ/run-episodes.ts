// Plays episodes on one implementation in its own sandbox; what blocks or ends the process is an outcome, too.
import { randomBytes } from "node:crypto";
import type { Site } from "../../port.ts";
import { insideScript } from "../inside-script.ts";
import { importedBy } from "../module-files.ts";
import { type Builds, oneScript } from "../one-script.ts";
import type { Episode, EpisodeOrder } from "./episode.ts";

/** How each ended, in their order; undefined where it was not played or cannot be compared. */
export type Outcomes = (string | undefined)[];

export type Player =
  | { kind: "ready"; play(episodes: readonly Episode[], signal: AbortSignal): Promise<Outcomes> }
  | { kind: "impossible"; why: string };

const EPISODE_MS = 1_000;
const RUN_MS = 60_000;
/** A module that blocks the process once will do so again. */
const MOST_DEATHS = 3;

/** Of the implementation that lies in the site. */
export async function playerOn(
  site: Pick<Site, "layout" | "files" | "data" | "run">,
  builds?: Builds,
): Promise<Player> {
  const script = await oneScript(site.layout.entry, importedBy(site), { builds });
  if (script.kind === "impossible") return script;
  return { kind: "ready", play: (episodes, signal) => playAll(site, script.code, episodes, signal) };
}

async function playAll(
  site: Pick<Site, "run">,
  code: string,
  episodes: readonly Episode[],
  signal: AbortSignal,
): Promise<Outcomes> {
  const outcomes: Outcomes = [];
  for (let deaths = 0; outcomes.length < episodes.length && deaths < MOST_DEATHS; deaths++) {
    const left = episodes.slice(outcomes.length);
    const { answers, end } = await playSome(site, code, left, signal);
    signal.throwIfAborted();
    outcomes.push(...answers);
    // The one that was being played when the process ended.
    if (answers.length < left.length) outcomes.push(end);
  }
  return outcomes;
}

async function playSome(
  site: Pick<Site, "run">,
  code: string,
  episodes: readonly Episode[],
  signal: AbortSignal,
): Promise<{ answers: Outcomes; end: string }> {
  const nonce = randomBytes(16).toString("hex");
  const order: EpisodeOrder = { nonce, code, episodes: [...episodes], limitMs: EPISODE_MS };
  const result = await site.run({
    command: process.execPath,
    args: ["--max-old-space-size=1024", "--input-type=module", "-e", await insideScript("episodes")],
    stdin: JSON.stringify(order),
    timeoutMs: RUN_MS,
    signal,
  });
  const answers = result.stdout
    .split("\n")
    .filter((line) => line.startsWith(`${nonce} `))
    .slice(0, episodes.length)
    .map((line) => answerIn(line.slice(nonce.length + 1)));
  const end = result.kind === "exited" ? "ended the process" : "did not end in time";
  return { answers, end };
}

function answerIn(text: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === "string" ? answer : undefined;
  } catch {
    // Cut off by the end of the process.
    return undefined;
  }
}
