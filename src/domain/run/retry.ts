// The rules of trying again: the factory counts the attempts, the last one is announced, and at the limit a wish for
// another one means stuck. Silence is answered once, then it counts as a time-out.
import { z } from "zod";
import { RequestRetry } from "../agent/exit.ts";
import { CupelError } from "../error.ts";
import { form } from "../refs.ts";

/** So many attempts at one thing; after that somebody else must look. */
export const MOST_ATTEMPTS = 5;

const Subject = form(/^[a-z][\w.:@/-]{0,199}$/, "a short label such as impl");

/** What is being tried → why each attempt so far asked for another. Kept with the thread, never told by an agent. */
export const Retries = z.record(Subject, z.array(RequestRetry).max(100));
export type Retries = z.infer<typeof Retries>;

export interface Attempt {
  /** From 1. */
  attempt: number;
  attempts: number;
  /** To be announced: after it there is none. */
  last: boolean;
  /** What the attempts before asked for. */
  before: readonly RequestRetry[];
}

export type AfterRequest = { kind: "again"; retries: Retries } | { kind: "stuck"; attempts: number };

export function isLastAttempt(attempt: number, attempts: number): boolean {
  return attempt >= attempts;
}

/** Which attempt is due; none is after the last. */
export function attemptAt(retries: Retries, subject: string, attempts = MOST_ATTEMPTS): Attempt {
  const before = Object.hasOwn(retries, subject) ? (retries[subject] ?? []) : [];
  const attempt = before.length + 1;
  if (attempt <= attempts) return { attempt, attempts, last: isLastAttempt(attempt, attempts), before };
  throw new CupelError("usage", `there is no attempt ${attempt} of ${attempts} at ${subject}`, {
    expected: "stuck to be routed to somebody else, not another attempt",
  });
}

export function afterRequest(
  retries: Retries,
  subject: string,
  request: RequestRetry,
  attempts = MOST_ATTEMPTS,
): AfterRequest {
  const { before, last } = attemptAt(retries, subject, attempts);
  return last
    ? { kind: "stuck", attempts }
    : { kind: "again", retries: { ...retries, [subject]: [...before, request] } };
}

/** The next time this is tried, it is tried for the first time. */
export function forgetAttempts(retries: Retries, subject: string): Retries {
  return { ...retries, [subject]: [] };
}

export function afterSilence(nudged: boolean): "nudge" | "timed-out" {
  return nudged ? "timed-out" : "nudge";
}
