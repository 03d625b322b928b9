// The one error class for misuse and for refusals of the environment; expected outcomes are values instead.

/** Every stable code, with when it is thrown. Doors map codes to exit and HTTP statuses. */
export const ERROR_CODES = {
  usage: "the caller asked for something that does not exist or does not make sense",
  invalid_input: "data from outside does not match its schema",
  invalid_config: "cupel.config.json does not match its schema",
  illegal_transition: "a status change that the rules do not allow",
  unknown_task: "a task id that the state machine does not hold",
  dependency_cycle: "a change would make tasks or modules wait for each other for ever",
  id_collision: "two things would get the same id",
  id_too_long: "an id would exceed its length limit",
  store_foreign: "the state store's database belongs to another program",
  store_newer: "the state store was written by a newer Cupel",
  store_full: "the disk is full",
  store_readonly: "the state store cannot be written",
  store_busy: "another process holds the state store for too long",
  store_damaged: "the state store is damaged or incomplete",
  stale_fence: "a lease was taken over by somebody else, whose work this call would overwrite",
  run_held: "another process works on the run",
  call_interrupted:
    "a role could not be asked for reasons that lie outside of the work; it goes on from there later",
  graph_changed: "a thread was begun with another graph than the one it should go on with",
  already_exists: "something that is written once exists already",
  not_found: "something that was asked for by its name is not there",
  git_failed: "git refused or could not be started",
  not_a_repository: "a directory is not a git repository that Cupel can work with",
  cannot_start: "the machine would not start a command, or its sandbox",
  unsafe_without_sandbox: "a command of an agent would run without a sandbox, and nobody allowed that",
  index_outdated: "the vectors of the Code Index were made by another model than the one that is set",
  embedding_failed: "the model that embeds could not be reached, refused, or answered nonsense",
  not_canonical: "a value cannot be written as canonical JSON without losing something",
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface CupelErrorDetails {
  /** What would have been right. */
  expected?: string;
  /** What to do next; a command to type where there is one. */
  hint?: string;
  cause?: unknown;
}

export class CupelError extends Error {
  override readonly name = "CupelError";
  readonly code: ErrorCode;
  readonly expected: string | undefined;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, details: CupelErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.expected = details.expected;
    this.hint = details.hint;
  }
}
