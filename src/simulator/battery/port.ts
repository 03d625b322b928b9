// What the battery plays, what the harness saw of it, and what that means.
import { z } from "zod";
import { GateName } from "../../domain/evidence/gate.ts";
import { ProtocolName, RigorName } from "../../domain/evidence/rigor.ts";
import { Text } from "../../domain/refs.ts";
import { CHEAT_FAMILIES } from "../cheats/port.ts";

export const PlayedAs = z.enum(["cheat", "twin"]);
export type PlayedAs = z.infer<typeof PlayedAs>;

/** Everything that holds for all plays of a battery. */
export const BatterySettings = z.strictObject({
  protocol: ProtocolName,
  rigor: RigorName,
  seed: z.int().nonnegative(),
  /** Whether gates block; where they only advise, cheats must escape, or the battery itself is not to be believed. */
  gates: z.enum(["on", "off"]),
});
export type BatterySettings = z.infer<typeof BatterySettings>;

/** One real run, as the harness saw it. */
export interface Seen {
  ended: "shipped" | "halted" | "stopped";
  /** Gates that blocked the module, in the order in which they did, each with its first finding. */
  blocked: readonly { gate: GateName; finding: string }[];
  /** In the words of the halt. */
  why: string;
  /** Whether some agent did anything else than an honest one would have done. */
  acted: boolean;
  /** Whether a call on the module came to no answer; without one, a run that stopped says nothing. */
  callFailed: boolean;
  /** How many results of tools the agents got. */
  toolResults: number;
  /** What an agent was shown by its tools although it must not see it. */
  leaked: readonly string[];
}

export const Refuser = z.union([GateName, z.enum(["harness", "barrier"])]);

export const PlayOutcome = z.enum([
  /** A cheat that something refused for the reason it is a cheat. */
  "refused",
  /** A cheat that was refused for another reason. */
  "accident",
  /** A cheat that shipped, or that saw what it must not. */
  "escaped",
  /** A twin that shipped. */
  "accepted",
  /** A twin that was refused. */
  "false-alarm",
  /** Nothing that could count: it could not be run, or nobody behaved otherwise. */
  "not-run",
]);
export type PlayOutcome = z.infer<typeof PlayOutcome>;

export const PlayResult = z.strictObject({
  name: Text,
  family: z.enum(CHEAT_FAMILIES),
  as: PlayedAs,
  outcome: PlayOutcome,
  /** What refused it. */
  by: z.array(Refuser),
  /** What was found, in one line; empty for what shipped. */
  finding: z.string(),
  seconds: z.number().nonnegative(),
});
export type PlayResult = z.infer<typeof PlayResult>;
