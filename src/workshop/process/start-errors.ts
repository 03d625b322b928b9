// Why a command could not be started, and what a person can do about it.
import { CupelError } from "../../domain/error.ts";

export function cannotStart(command: string, cause: unknown): CupelError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
  return new CupelError("cannot_start", `${command} could not be started: ${REASONS[code] ?? code}`, {
    hint:
      code === "E2BIG"
        ? "pass less on the command line"
        : "end other programs, or lower concurrency in cupel.config.json",
    cause,
  });
}

const REASONS: Readonly<Record<string, string>> = {
  EAGAIN: "too many processes run already (EAGAIN)",
  EMFILE: "Cupel has too many files open (EMFILE)",
  ENFILE: "the machine has too many files open (ENFILE)",
  ENOMEM: "there is not enough memory (ENOMEM)",
  E2BIG: "its arguments and environment are too long (E2BIG)",
};

export function noSuchDirectory(command: string, cwd: string): CupelError {
  return new CupelError("not_found", `${command} could not be started: there is no directory ${cwd}`, {
    expected: "a directory that exists",
  });
}
