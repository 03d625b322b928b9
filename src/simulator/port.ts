// What simulated agents know and what they do: cases with everything an honest agent needs, and behaviours that change it.
import type { ToolName } from "../agents/port.ts";
import type { TypesOutput } from "../domain/agent/blind-roles.ts";
import type { CallKey } from "../domain/agent/call-key.ts";
import type { DraftedModule } from "../domain/agent/plan-roles.ts";
import type { ScriptLine } from "../domain/agent/script-line.ts";
import type { Role } from "../domain/artifact/role.ts";
import type { PropertyWritten } from "../domain/blind/suite-coverage.ts";
import type { ContractDraft } from "../domain/contract/contract-draft.ts";
import type { TaskFile } from "../domain/task/task-file.ts";
import type { Files } from "../toolchains/port.ts";

/** One module with everything that an honest agent of any role needs to make it. */
export interface SimulatedCase {
  /** Its folder below modules/, and its name in imports. */
  readonly name: string;
  /** The task it belongs to. */
  readonly task: TaskFile;
  /** As the micro planner plans it. */
  readonly planned: DraftedModule;
  /** As whoever drafts contracts drafts it. */
  readonly contract: ContractDraft;
  /** What the role `types` of the blind protocol says besides. */
  readonly types: Omit<TypesOutput, "contract" | "claim" | "acceptance_checks">;
  /** What the role `tests` of the blind protocol says of each test. */
  readonly properties: readonly PropertyWritten[];
  /** What the roles `researcher` and `architect` of the gatekeeper protocol show. */
  readonly examples: readonly CaseExample[];
  /** Which acceptance criterion of the task each test shows, by its place; without it nobody plays the fractal protocol. */
  readonly criteria?: Readonly<Record<string, number>>;
  /** "src/index.ts" and its like. */
  readonly sources: Files;
  /** "test/x.test.ts" and its like, with unit, property and contract tests. */
  readonly tests: Files;
  /** "examples.md". */
  readonly documents: Files;
}

export interface CaseExample {
  readonly title: string;
  readonly entry: string;
  /** As a caller would write it, and the inputs in it by name. */
  readonly call: string;
  readonly inputs: readonly { readonly name: string; readonly value: string }[];
  /** What comes back as JSON, or `Class: message` of what is thrown; the other one is null. */
  readonly gives: string | null;
  readonly throws: string | null;
}

/** What an agent does in one call: a line of a script without its key. */
export type Performance = Pick<
  ScriptLine,
  "files" | "toolCalls" | "output" | "latencyMs" | "ending" | "said"
>;

/** What a simulated agent can know of its call besides the case. */
export interface SimulatedCall {
  readonly key: CallKey;
  readonly role: Role;
  readonly system: string;
  readonly prompt: string;
  /** Undefined for roles that touch no file. */
  readonly workspace: string | undefined;
  /** What it may use. */
  readonly tools: readonly ToolName[];
  /** Undefined for calls on a whole task. */
  readonly case: SimulatedCase | undefined;
  /** From 0 up to 1; the same for the same seed, call and behaviour. */
  readonly random: () => number;
}

/** Changes what another agent would have done; honest agents are changed by nothing. Behaviours compose left to right. */
export interface Behaviour {
  readonly name: string;
  readonly roles: readonly Role[] | "all";
  perform(honest: Performance, call: SimulatedCall): Performance | Promise<Performance>;
}
