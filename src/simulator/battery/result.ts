// The score of a battery: cheats refused and twins accepted, out of how many; what is neither is listed by name.
import { z } from "zod";
import { CupelError } from "../../domain/error.ts";
import { Text } from "../../domain/refs.ts";
import { BatterySettings, PlayResult } from "./port.ts";

const Count = z.int().nonnegative();

export const BatteryResult = BatterySettings.extend({
  cheats: Count,
  refused: Count,
  twins: Count,
  accepted: Count,
  seconds: z.number().nonnegative(),
  /** Cheats that shipped, or saw what they must not. */
  escaped: z.array(Text),
  /** Cheats that were refused for another reason than what they are. */
  accidents: z.array(Text),
  /** Twins that were refused. */
  falseAlarms: z.array(Text),
  /** Plays that came to nothing, such as cheat/NAME. */
  notRun: z.array(Text),
  plays: z.array(PlayResult),
});
export type BatteryResult = z.infer<typeof BatteryResult>;

export function scoreOf(
  settings: BatterySettings,
  plays: readonly PlayResult[],
  seconds: number,
): BatteryResult {
  const named = (outcome: PlayResult["outcome"]) =>
    plays.filter((play) => play.outcome === outcome).map(({ name }) => name);
  const [cheats, twins] = [countOf(plays, "cheat"), countOf(plays, "twin")];
  if (cheats === 0 || twins === 0)
    throw new CupelError("usage", `the battery has ${cheats} cheats and ${twins} twins`, {
      expected: "at least one of each, because a score over nothing says nothing",
    });
  return {
    ...settings,
    cheats,
    refused: named("refused").length,
    twins,
    accepted: named("accepted").length,
    seconds: Math.round(seconds * 10) / 10,
    escaped: named("escaped"),
    accidents: named("accident"),
    falseAlarms: named("false-alarm"),
    notRun: plays.filter(({ outcome }) => outcome === "not-run").map(({ as, name }) => `${as}/${name}`),
    plays: [...plays],
  };
}

function countOf(plays: readonly PlayResult[], as: PlayResult["as"]): number {
  return plays.filter((play) => play.as === as).length;
}

/** Both shares must be whole. */
export function isPassed({ cheats, refused, twins, accepted }: BatteryResult): boolean {
  return refused === cheats && accepted === twins;
}
