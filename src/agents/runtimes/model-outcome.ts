// What an agent that came to its end has given: an output, or something that is none.
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { CallLimits, RuntimeAnswer } from "../port.ts";
import type { AgentProgress } from "./model-agent.ts";

type Bare<Answer> = Answer extends unknown ? Omit<Answer, "usage" | "costUsd" | "transcript"> : never;
export type Outcome = Bare<Extract<RuntimeAnswer, { kind: "answered" | "no-output" | "too-long" }>>;

export function outcomeOf(
  { answer, stopped }: AgentProgress,
  messages: readonly BaseMessage[],
  { maxInputTokens }: CallLimits,
  session: () => string,
): Outcome {
  if (answer !== undefined) return { kind: "answered", output: answer.given, session: session() };
  const last = messages.at(-1);
  const said = AIMessage.isInstance(last) ? last.text : "";
  if (stopped === "input" && !messages.some((message) => AIMessage.isInstance(message)))
    return {
      kind: "too-long",
      why: `the prompt alone is more than the ${maxInputTokens} tokens of this call`,
    };
  if (stopped !== undefined)
    return { kind: "no-output", said: `${said}\n${STOPPED[stopped]}`.trim(), session: session() };
  const given = objectIn(said);
  return given === undefined
    ? { kind: "no-output", said, session: session() }
    : { kind: "answered", output: given, session: session() };
}

const STOPPED = {
  turns: "(stopped: all turns of this call are used up)",
  input: "(stopped: the next turn would have read more tokens than this call may)",
  output: "(stopped: cut off, more was written than this call may)",
};

/** Models without a feeling for tools write their answer as text. */
function objectIn(said: string): unknown {
  const inner = /^\s*```(?:json)?\s*\n([\s\S]*?)\n```\s*$/.exec(said)?.[1] ?? said;
  try {
    const value: unknown = JSON.parse(inner);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
