// What the backends say when they refuse, in one place, so that one backend can recognise what another one said.

export function notFound(path: string): string {
  return `'${path}' does not exist; list the folder to see what does`;
}

export function isFolder(path: string): string {
  return `'${path}' is a folder, not a file; list it, or name a file in it`;
}

export function notFolder(path: string): string {
  return `'${path}' is no folder, or lies below something that is none (links are never followed); list the folder above it`;
}

export function notPlain(path: string): string {
  return `'${path}' is a link, a hard link or a special file, or lies behind one; only plain files and folders are opened`;
}

export function tooBig(path: string, bytes: number, limit: number): string {
  return `'${path}' has ${bytes} bytes, more than the ${limit} that can be read or written here; split it`;
}

export function rootStays(path: string): string {
  return `'${path}' is where a backend is mounted and cannot be deleted; name something below it`;
}

/** The exact words of §12.5, with the path as it was asked for. */
export function sealedError(path: string): string {
  return `ACCESS DENIED: '${path}' is a sealed implementation directory. This module is a closed-source service — integrate via contract.json, examples.md, and ship.json only. See §12 (Opaque Implementation Rule) and §6.8 (Black-Box Integration) for rationale. If the contract is insufficient, raise an Interface Change Exception (§13).`;
}

export function isSealedRefusal(error: string): boolean {
  return error.startsWith("ACCESS DENIED: ");
}

/** A path in an error, as the caller of an outer backend spelled it. */
export function respelled(error: string, inner: string, outer: string): string {
  return error.split(`'${inner}'`).join(`'${outer}'`);
}

const REASONS: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: notFound,
  EISDIR: isFolder,
  ENOTDIR: notFolder,
  ELOOP: notPlain,
  ENXIO: notPlain,
  EEXIST: (path) => `'${path}' could not be made, since something else took its name; try again`,
  ENOTEMPTY: (path) => `'${path}' was filled again while it was deleted; try again`,
  EACCES: (path) => `'${path}' may not be touched by this user; mend the permissions of its folder`,
  EPERM: (path) => `'${path}' may not be touched by this user; mend the permissions of its folder`,
  EROFS: (path) => `'${path}' lies on a disk that is read-only; nothing was written`,
  ENOSPC: (path) => `'${path}' was not written, since the disk is full; free some space and try again`,
  EDQUOT: (path) =>
    `'${path}' was not written, since the disk quota is used up; free some space and try again`,
  ENAMETOOLONG: (path) => `'${path}' is too long for this disk; use a shorter name`,
};

/** An error of the operating system as a value; everything else is a bug and is thrown on. */
export function explained(path: string, cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (!/^E[A-Z0-9]+$/.test(code)) throw cause;
  return REASONS[code]?.(path) ?? `'${path}' could not be opened (${code}); try again`;
}
