// One role call as a script tells it or a recording kept it: one line of JSON each.
import { z } from "zod";
import { Usage } from "../run/run-event.ts";
import { Fingerprint, Text } from "../refs.ts";
import { CallKey } from "./call-key.ts";

/** Text as it is; bytes that are no text in base64; null where the file is gone. */
export const ScriptFile = z.union([z.string(), z.null(), z.strictObject({ base64: z.base64() })]);
export type ScriptFile = z.infer<typeof ScriptFile>;

export const ScriptToolCall = z.strictObject({ tool: Text, input: z.json() });
export type ScriptToolCall = z.infer<typeof ScriptToolCall>;

export const ScriptLine = z.strictObject({
  key: CallKey,
  /** Of what the agent was asked; null in scripts written by hand that hold for any wording. */
  inputHash: Fingerprint.nullable(),
  /** How the files are in the end, by path from the workspace's root. */
  files: z.record(Text, ScriptFile),
  toolCalls: z.array(ScriptToolCall),
  /** Null where the agent gave none. */
  output: z.json(),
  usage: Usage,
  latencyMs: z.int().nonnegative(),
  ending: z.enum(["ok", "crash", "silent", "refused", "too-long"]),
  /** What the agent said besides, or why it ended so. */
  said: z.string().optional(),
  /** Files that were too large to keep; such a line cannot be played. */
  omitted: z.array(Text).min(1).optional(),
});
export type ScriptLine = z.infer<typeof ScriptLine>;
