// The one place that spells a virtual path plainly; everything that judges a path judges what this returns.

export type VirtualPath =
  | { kind: "ok"; path: string; segments: readonly string[] }
  | { kind: "refused"; reason: string };

const MAX_PATH_BYTES = 4096;
const MAX_SEGMENT_BYTES = 255;
/** Every folder is opened one by one, so that a search in a very deep tree would take its depth squared. */
const MAX_DEPTH = 128;

/** Percent-encodings are plain text. A `..` above the root is refused, not clamped: whoever wrote it meant another place. */
export function virtualPath(input: unknown): VirtualPath {
  if (typeof input !== "string") return refused(input, "a path is text", "write it as '/folder/file'");
  if (Buffer.byteLength(input) > MAX_PATH_BYTES) {
    return refused(input, `it is longer than ${MAX_PATH_BYTES} bytes`, "use a shorter path");
  }
  if (!input.startsWith("/")) return refused(input, "it is not absolute", "start it with '/'");

  const segments: string[] = [];
  for (const segment of input.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") {
      if (segments.pop() === undefined) {
        return refused(input, "it climbs above the root", "name a place below '/'");
      }
      continue;
    }
    const flaw = flawOf(segment);
    if (flaw !== undefined) return refused(input, flaw, "use a plain name");
    segments.push(segment);
  }
  if (segments.length > MAX_DEPTH) {
    return refused(input, `it is more than ${MAX_DEPTH} folders deep`, "use a flatter tree");
  }
  return { kind: "ok", path: `/${segments.join("/")}`, segments };
}

/** Whether a name found on a disk can be asked for at all; what cannot be asked for is not shown either. */
export function isPlainName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !name.includes("/") && flawOf(name) === undefined;
}

/** A path below another one; `folder` may be the root. */
export function below(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}

/** Whatever a file system, a shell or a reader might take for something else than it is. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFFD]/u;

function flawOf(segment: string): string | undefined {
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) {
    return `one of its names is longer than ${MAX_SEGMENT_BYTES} bytes`;
  }
  if (INVISIBLE.test(segment)) return "it holds a control, invisible or broken character";
  if (segment.includes("\\")) return "it holds a backslash, and names are separated by '/' only";
  if (/^[A-Za-z]:/.test(segment)) return "it holds a drive letter";
  // Some file systems fold these forms into one another, so that two spellings would reach one file.
  if (segment.normalize("NFC") !== segment) return "it is not in Unicode normal form C";
  if (segment.normalize("NFKC") !== segment) return "it holds a look-alike of another character";
  return undefined;
}

function refused(input: unknown, why: string, instead: string): VirtualPath {
  return { kind: "refused", reason: `the path ${pictured(input)} is refused: ${why}; ${instead}` };
}

function pictured(input: unknown): string {
  if (typeof input !== "string") return `(${input === null ? "null" : typeof input})`;
  const text = JSON.stringify(input.length > 200 ? `${input.slice(0, 200)}…` : input);
  return `'${text.slice(1, -1)}'`;
}
