// How a command ended, for scripts and CI: the one table from outcomes and error codes to exit statuses.
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
  graph_changed: EXIT.usage,
  already_exists: EXIT.usage,
  not_found: EXIT.usage,
  git_failed: EXIT.internal,
  not_a_repository: EXIT.badConfiguration,
  cannot_start: EXIT.internal,
  unsafe_without_sandbox: EXIT.badConfiguration,
  not_canonical: EXIT.internal,
};

export function exitStatusOf(code: ErrorCode): number {
  return BY_ERROR_CODE[code];
}
