// Plays every cheat and every twin, some at a time, and gives the score.
import { canonicalJson } from "../../domain/canonical.ts";
import { CupelError } from "../../domain/error.ts";
import { oneOf } from "../../domain/one-of.ts";
import { thrownText } from "../../domain/thrown.ts";
import { type Cheat, LISTED_BY } from "../cheats/port.ts";
import { FIRST_CASE, workOf } from "../play-cheat.ts";
import type { SimulatedCase } from "../port.ts";
import { notRun } from "./judge-play.ts";
import type { BatterySettings, PlayedAs, PlayResult } from "./port.ts";
import { type BatteryResult, scoreOf } from "./result.ts";

export interface Play {
  cheat: Cheat;
  as: PlayedAs;
}

export interface BatteryPorts {
  cases: readonly SimulatedCase[];
  /** One for each play that may be under way; each takes one after the other. */
  players: readonly ((play: Play) => Promise<PlayResult>)[];
  /** Told of each play when it has ended. */
  onPlayed?: (result: PlayResult, left: number) => void;
}

export async function runBattery(
  cheats: readonly Cheat[],
  settings: BatterySettings,
  { cases, players, onPlayed }: BatteryPorts,
): Promise<BatteryResult> {
  const begun = performance.now();
  for (const cheat of cheats) assertChangesSomething(cheat, caseOf(cheat, cases));
  const plays = cheats.flatMap((cheat): Play[] => [
    { cheat, as: "cheat" },
    { cheat, as: "twin" },
  ]);
  const results = new Map<Play, PlayResult>();
  const waiting = [...plays];
  const work = async (player: (play: Play) => Promise<PlayResult>): Promise<void> => {
    for (let play = waiting.shift(); play !== undefined; play = waiting.shift()) {
      const result = await played(player, play);
      results.set(play, result);
      onPlayed?.(result, plays.length - results.size);
    }
  };
  await Promise.all(players.map(work));
  const inOrder = plays.flatMap((play) => results.get(play) ?? []);
  return scoreOf(settings, inOrder, (performance.now() - begun) / 1000);
}

async function played(player: (play: Play) => Promise<PlayResult>, play: Play): Promise<PlayResult> {
  const begun = performance.now();
  try {
    return await player(play);
  } catch (error) {
    const { name, family } = play.cheat;
    const seconds = (performance.now() - begun) / 1000;
    return { name, family, as: play.as, seconds, ...notRun(thrownText(error)) };
  }
}

/** Those that were asked for by name. */
export function chosenCheats(cheats: readonly Cheat[], only: readonly string[]): Cheat[] {
  const names = cheats.map(({ name }) => name);
  const wanted = new Set(only.map((name) => oneOf(names, name, "cheat", LISTED_BY)));
  return cheats.filter(({ name }) => wanted.has(name));
}

export function caseOf(cheat: Cheat, cases: readonly SimulatedCase[]): SimulatedCase {
  const { case: wanted = FIRST_CASE } = cheat;
  const found = cases.find(({ name }) => name === wanted);
  if (found === undefined) throw wrongCheat(cheat, `is played on the case ${wanted}, which does not exist`);
  return found;
}

/** A cheat that is no other work than the honest one, or than its twin, would prove nothing. */
function assertChangesSomething(cheat: Cheat, about: SimulatedCase): void {
  const honest = workOf(about);
  const [bad, good] = [cheat.cheat(honest), cheat.twin(honest)].map((work) => canonicalJson(plain(work)));
  if (bad === canonicalJson(plain(honest))) throw wrongCheat(cheat, "hands in honest work");
  if (bad === good) throw wrongCheat(cheat, "hands in the same as its twin");
}

function plain(work: object): unknown {
  return JSON.parse(JSON.stringify(work));
}

function wrongCheat({ name }: Cheat, why: string): CupelError {
  return new CupelError("usage", `the cheat ${name} ${why}`, {
    expected: "a cheat that differs from honest work and from its twin",
  });
}
