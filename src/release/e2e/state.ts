// What the making of end-to-end tests remembers between its steps.
import { z } from "zod";
import { idOfType } from "../../domain/artifact/artifact-type.ts";
import { NotShown } from "../../domain/evidence/e2e-suite.ts";
import { IsoTime, PayloadRef, Text } from "../../domain/refs.ts";
import { GitId } from "../../domain/run/workspace-record.ts";
import { stateKey } from "../../graph/define-graph.ts";
import type { StateOf, UpdateOf } from "../../graph/port.ts";

/** So often the architect is asked; after that a person is. */
export const MOST_ATTEMPTS = 3;

export const E2eEnd = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("accepted"), suite: idOfType("TEST_SUITE") }),
  z.strictObject({ kind: z.literal("halted"), why: Text, question: Text }),
]);

export const Author = z.strictObject({ pack: idOfType("CONTEXT_PACK"), runId: Text, at: IsoTime });
export type Author = z.infer<typeof Author>;

export const e2eState = {
  /** Each halt ends one. */
  round: stateKey({ schema: z.int().nonnegative(), initial: () => 0 }),
  /** Of this round. */
  attempts: stateKey({ schema: z.int().nonnegative(), initial: () => 0 }),
  /** What a person said, over all rounds. */
  guidance: stateKey({ schema: z.array(Text), initial: () => [] }),
  /** What the next tests are written upon, and those of the last attempt, if they were taken. */
  base: stateKey({ schema: GitId.nullable(), initial: () => null }),
  work: stateKey({ schema: GitId.nullable(), initial: () => null }),
  /** What the agent did besides that speaks against its work. */
  outside: stateKey({ schema: z.array(Text), initial: () => [] }),
  notShown: stateKey({ schema: z.array(NotShown), initial: () => [] }),
  /** Null where a person or an earlier round wrote the tests. */
  author: stateKey({ schema: Author.nullable(), initial: () => null }),
  findings: stateKey({ schema: z.array(Text), initial: () => [] }),
  /** The record of tests that were just accepted. */
  record: stateKey({ schema: PayloadRef.nullable(), initial: () => null }),
  /** Why nobody goes on by themselves. */
  stopped: stateKey({ schema: Text.nullable(), initial: () => null }),
  end: stateKey({ schema: E2eEnd.nullable(), initial: () => null }),
};
export type E2eState = StateOf<typeof e2eState>;
export type E2eUpdate = UpdateOf<typeof e2eState>;

export type Going<Goto extends string> = Promise<{ update: E2eUpdate; goto: Goto }>;
