// Paths as git and the disk keep them: bytes, one character each, so that a name that is no text is not lost.

/** A relative path with `/` between its names; each character is one byte (latin1). */
export type BytePath = string & { readonly bytes: unique symbol };

export function toBytePath(text: string): BytePath {
  return asBytePath(Buffer.from(text, "utf8").toString("latin1"));
}

/** For bytes that were read as latin1 already. */
export function asBytePath(latin1: string): BytePath {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where the brand is given
  return latin1 as BytePath;
}

/** For people and records; a name that is not UTF-8 shows replacement characters. */
export function toText(path: BytePath): string {
  return toBuffer(path).toString("utf8");
}

/** Whether the name survives being written as text. */
export function isText(path: BytePath): boolean {
  return toBytePath(toText(path)) === path;
}

export function toBuffer(path: BytePath): Buffer {
  return Buffer.from(path, "latin1");
}

/** The name of a repository's own folder, in every spelling that git or some file system takes for it. */
export function isGitName(name: string): boolean {
  return /^(\.git|git~\d)[ .]*([:\\].*)?$/is.test(name.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ""));
}
