// How a command ended, for scripts and CI: the one table from outcomes and error codes to exit statuses.
import type { RoleCallOutcome } from "../domain/agent/role-call-outcome.ts";
import type { ErrorCode } from "../domain/error.ts";

export const EXIT = {
  ok: 0,
  internal: 1,
  usage: 2,
  halted: 10,
  awaitingPerson: 11,
  budget: 12,
  gatesFailed: 13,
  held: 14,
  blocked: 20,
  wantsAnotherAttempt: 21,
  invalidAnswer: 22,
  refused: 23,
  tooLong: 24,
  timedOut: 25,
  unavailable: 26,
  failed: 27,
  badConfiguration: 78,
  interrupted: 130,
} as const;

const BY_ERROR_CODE: Readonly<Record<ErrorCode, number>> = {
  usage: EXIT.usage,
  invalid_input: EXIT.usage,
  invalid_config: EXIT.badConfiguration,
  illegal_transition: EXIT.usage,
  unknown_task: EXIT.usage,
  dependency_cycle: EXIT.usage,
  id_collision: EXIT.usage,
  id_too_long: EXIT.usage,
  store_foreign: EXIT.badConfiguration,
  store_newer: EXIT.badConfiguration,
  store_full: EXIT.internal,
  store_readonly: EXIT.badConfiguration,
  store_busy: EXIT.internal,
  store_damaged: EXIT.internal,
  stale_fence: EXIT.internal,
  run_held: EXIT.held,
  call_interrupted: EXIT.failed,
  graph_changed: EXIT.usage,
  already_exists: EXIT.usage,
  not_found: EXIT.usage,
  git_failed: EXIT.internal,
  not_a_repository: EXIT.badConfiguration,
  cannot_start: EXIT.internal,
  unsafe_without_sandbox: EXIT.badConfiguration,
  index_outdated: EXIT.badConfiguration,
  embedding_failed: EXIT.internal,
  not_canonical: EXIT.internal,
};

export function exitStatusOf(code: ErrorCode): number {
  return BY_ERROR_CODE[code];
}

const BY_CALL: Readonly<Record<RoleCallOutcome["kind"], number>> = {
  done: EXIT.ok,
  blocked: EXIT.blocked,
  retry: EXIT.wantsAnotherAttempt,
  stuck: EXIT.wantsAnotherAttempt,
  invalid: EXIT.invalidAnswer,
  refused: EXIT.refused,
  "too-long": EXIT.tooLong,
  "timed-out": EXIT.timedOut,
  unavailable: EXIT.unavailable,
  failed: EXIT.failed,
  "over-budget": EXIT.budget,
  aborted: EXIT.interrupted,
};

/** How the call of a role ended. */
export function exitStatusOfCall(kind: RoleCallOutcome["kind"]): number {
  return BY_CALL[kind];
}

/** For the help of commands that end as their call did. */
export const CALL_STATUSES = `
Exit status:
  0    the role answered; its answer is on stdout
  2    nothing was asked: the command or the input is wrong
  12   over budget: the call could have crossed a cap, so it did not start
  20   blocked: the agent says what it needs
  21   the agent wants another attempt
  22   the answer does not fit its schema, also after one repair
  23   the model refused
  24   too long: more than the model can take in
  25   timed out
  26   the provider cannot be reached, or is busy for too long
  27   failed: a wrong key, a missing package, an agent that crashed, a script that does not fit
  78   nothing was asked: the configuration is wrong or incomplete
  130  stopped by Ctrl-C`;
