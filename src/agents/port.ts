// What a role is, and what plays it. A runtime turns one prompt into one answer; what must hold whichever runtime plays
// (validation, one repair, budgets, patience, transcripts) stands once, around it, in `call-role.ts`.
import type { z } from "zod";
import type { CallKey } from "../domain/agent/call-key.ts";
import type { Role } from "../domain/artifact/role.ts";
import type { RuntimeName, Tier } from "../domain/config.ts";
import type { Problem } from "../domain/parse.ts";
import type { Spent } from "../domain/run/run-event.ts";

export type { CallKey, RuntimeName, Spent, Tier };

/** A role as data. What it may see is decided by `domain/artifact/role-access.ts`. */
export interface RoleDefinition<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  name: Role;
  /** Which template tells it what to do, where a role does more than one kind of work; its name unless told. */
  prompt?: string;
  /** One line for lists and pictures. */
  purpose: string;
  /** What the prompt is rendered from; checked before. */
  input: Input;
  /** What must come back, beside a blocker, which every role may answer with. */
  output: Output;
  tools: readonly ToolName[];
  /** How much its work needs of a model; a project says which model each tier is. */
  tier: Tier;
  /** What the prompt is rendered from besides: words of ours, never of others. */
  facts?: Readonly<Record<string, unknown>>;
  /** Whether it works in attempts and may ask for the next one. */
  retries?: boolean;
  /** Rules between what was asked and what came back. */
  check?(input: z.output<Input>, output: z.output<Output>): readonly Problem[];
}

export type ToolName =
  | "read"
  | "write"
  | "edit"
  | "ls"
  | "glob"
  | "grep"
  | "run_tests"
  | "build"
  | "search_code_index"
  | "raise_interface_change_exception"
  | "web_search"
  | "validate_spec"
  | "emit_structured_spec";

/** Something an agent can do. It runs in the harness, never in the agent. */
export interface AgentTool {
  name: ToolName;
  description: string;
  input: z.ZodType;
  /** What the agent reads as the result; a refusal is a result, too. */
  run(input: unknown, signal: AbortSignal): Promise<string>;
}

export interface RuntimeRequest {
  role: Role;
  /** Which call this is, for scripts and recordings; no runtime decides anything by it but `scripted`. */
  key: CallKey;
  /** Who the agent is and what always holds. */
  system: string;
  prompt: string;
  /** JSON Schema (draft 2020-12) with a `title`. */
  outputSchema: Readonly<Record<string, unknown>>;
  tools: readonly AgentTool[];
  /** Where an agent with file tools of its own works; undefined for roles that touch no file. */
  workspace?: string;
  /** `provider:model`; runtimes that know only one ignore it. */
  model: string;
  limits: CallLimits;
  /** Goes on from that conversation instead of a fresh one; the one gone on from stays as it was. */
  forkFrom?: string;
  signal: AbortSignal;
}

export interface CallLimits {
  /** Nothing heard for so long is silence. */
  silenceMs: number;
  /** Of the whole call. */
  timeoutMs: number;
  /** What all turns of the call may read and write together; a runtime ends the call before it would cross. */
  maxInputTokens: number;
  maxOutputTokens: number;
  maxTurns: number;
}

export interface Runtime {
  name: RuntimeName;
  /** Whether a conversation can be gone on from after the process that had it is gone. */
  forks: "always" | "while-alive" | "never";
  /** Set where no model is asked, so that its calls need no price. */
  costs?: "nothing";
  run(request: RuntimeRequest): Promise<RuntimeAnswer>;
  close(): Promise<void>;
}

/**
 * Also an answer that is no use was paid for; what a runtime does not tell is unknown, never zero. The transcript is of
 * this run alone, without what it went on from.
 */
export type RuntimeAnswer = Spent & { transcript: readonly TranscriptEntry[] } & (
    | { kind: "answered"; output: unknown; session: string }
    /** It came to its end and gave nothing that could be an output. */
    | { kind: "no-output"; said: string; session: string }
    | { kind: "refused"; why: string }
    /** Asked to come back later; undefined when it was not said when. */
    | { kind: "busy"; why: string; retryAfterMs: number | undefined }
    /** The provider cannot be reached or fails by itself. */
    | { kind: "unavailable"; why: string }
    /** More than the model can take in. */
    | { kind: "too-long"; why: string }
    | { kind: "silent"; afterMs: number; session: string | undefined }
    /** Nothing that waiting would change: a wrong key, a missing package, an agent that crashed. */
    | { kind: "failed"; why: string; hint?: string }
    | { kind: "aborted" }
  );

export type TranscriptEntry =
  | { kind: "system" | "prompt" | "said" | "thought"; text: string }
  | { kind: "tool-call"; tool: string; input: unknown }
  | { kind: "tool-result"; tool: string; text: string; failed: boolean };
