// Turns refusals of the disk and of the database into errors that say what to do next.
import { CupelError } from "./error.ts";
import type { ErrorCode } from "./error.ts";

interface Reason {
  codes: RegExp;
  code: ErrorCode;
  what: string;
  hint: string;
}

const REASONS: readonly Reason[] = [
  {
    codes: /^(SQLITE_FULL.*|ENOSPC|EDQUOT|EFBIG)$/,
    code: "store_full",
    what: "the disk is full; nothing was changed",
    hint: "free some space and run the same command again",
  },
  {
    // How SQLite reports a quota or a size limit: the write was refused, what is there is sound.
    codes: /^SQLITE_IOERR_(WRITE|SHMSIZE)$/,
    code: "store_full",
    what: "the disk takes no more (full, over a quota or a limit); nothing was changed",
    hint: "look with df -h and ulimit -f, then run the same command again",
  },
  {
    codes: /^(SQLITE_READONLY.*|SQLITE_CANTOPEN.*|SQLITE_PERM|EACCES|EROFS|EPERM|ENOTDIR)$/,
    code: "store_readonly",
    what: "it cannot be opened or written",
    hint: "look at the permissions with ls -ld, or point Cupel at another directory",
  },
  {
    codes: /^SQLITE_(BUSY|LOCKED).*$/,
    code: "store_busy",
    what: "another process has held it for too long",
    hint: "wait until the other cupel command has ended",
  },
  {
    codes: /^(SQLITE_(CORRUPT|NOTADB|IOERR).*|EIO)$/,
    code: "store_damaged",
    what: "it is damaged",
    hint: "cupel store fsck",
  },
];

/** The same error for whoever it is not about. */
export function environmentError(path: string, cause: unknown): unknown {
  if (cause instanceof CupelError || !(cause instanceof Error)) return cause;
  const code = "code" in cause ? String(cause.code) : "";
  const reason = REASONS.find(({ codes }) => codes.test(code));
  if (reason === undefined) return cause;
  return new CupelError(reason.code, `${path}: ${reason.what}`, { hint: reason.hint, cause });
}

/** Whether it is an error of the system with one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
