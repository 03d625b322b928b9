// Finds out who called: the nearest frame outside of the system, where it belongs to the module under test.

export interface CallPlace {
  file: string;
  line: number;
}

const FRAMES = 24;
/** A direct caller stands right above our own frames. */
const DIRECT_FRAMES = 6;

/** Paths as frames name them, and as the module calls them; without a prototype that foreign code could change. */
let sources: Record<string, string> = Object.create(null);
/** Who is told when somebody hides the frames. */
let suspect = "";
const self = import.meta.url.replace(/[?#].*$/, "");
const captureStackTrace = Error.captureStackTrace.bind(Error);
const mapped = new Map<string, number>();

/** `root` ends with a slash. */
export function watchSources(root: string, paths: readonly string[]): void {
  sources = Object.create(null);
  suspect = paths[0] ?? "";
  for (const path of paths) sources[`${root}${path}`] = path;
}

/**
 * Undefined when it was not the module. `direct` is for what the system itself also uses on behalf of others. Inexpensive,
 * since most calls are those of others.
 */
export function callerOf(direct: boolean): CallPlace | undefined {
  const prepare: unknown = Reflect.get(Error, "prepareStackTrace");
  const frames = framesAbove(callerOf, direct ? DIRECT_FRAMES : FRAMES);
  // There is always one frame, unless somebody sees to it that there is none; only a module has a reason to.
  if (frames.length === 0) return { file: suspect, line: 1 };
  const frame = nearest(frames, direct);
  const path = frame && sources[plain(frame.getFileName())];
  if (frame === undefined || path === undefined) return undefined;
  return { file: path, line: lineIn(frame, prepare) };
}

/** Whether this is the file from which the function that asks was called. */
export function isCalledFrom(file: string): boolean {
  return plain(nearest(framesAbove(isCalledFrom, FRAMES), false)?.getFileName()) === file;
}

function framesAbove(asked: Function, most: number): readonly NodeJS.CallSite[] {
  const prepare: unknown = Reflect.get(Error, "prepareStackTrace");
  const limit = Error.stackTraceLimit;
  let frames: readonly NodeJS.CallSite[] = [];
  const holder: { stack?: unknown } = {};
  try {
    Error.stackTraceLimit = most;
    Error.prepareStackTrace = (_, sites) => {
      frames = sites;
      return "";
    };
    captureStackTrace(holder, asked);
    void holder.stack;
  } catch {
    return [];
  } finally {
    restore(limit, prepare);
  }
  return frames;
}

function restore(limit: number, prepare: unknown): void {
  try {
    Error.stackTraceLimit = limit;
    Reflect.set(Error, "prepareStackTrace", prepare);
  } catch {
    // Whoever made it unchangeable has hidden the frames, which was noticed.
  }
}

/** What the system reads to load a module is not the module's doing. */
function nearest(frames: readonly NodeJS.CallSite[], direct: boolean): NodeJS.CallSite | undefined {
  for (let at = 0; at < frames.length; at++) {
    const frame = frames[at];
    const name = frame?.getFileName() ?? "";
    if (begins(name, "node:internal/modules/")) return undefined;
    const isSystem = begins(name, "node:") || begins(name, "internal/");
    if (isSystem && direct) return undefined;
    if (!isSystem && name !== "" && plain(name) !== plain(self)) return frame;
  }
  return undefined;
}

const { apply } = Reflect;
const slice: (this: string, from: number, to?: number) => string = Reflect.get(String.prototype, "slice");

/** Here and below without what foreign code could replace: text is cut and compared, and nothing else. */
function begins(text: string, start: string): boolean {
  return apply(slice, text, [0, start.length]) === start;
}

/** Asked for the same few names many thousand times. */
const plainNames: Record<string, string> = Object.create(null);

function plain(name: string | null | undefined): string {
  const known = plainNames[name ?? ""];
  if (known !== undefined) return known;
  return (plainNames[name ?? ""] = withoutQuery(name ?? ""));
}

function withoutQuery(name: string): string {
  const path = begins(name, "file://") ? apply(slice, name, [7]) : name;
  for (let at = 0; at < path.length; at++)
    if (path[at] === "?" || path[at] === "#") return apply(slice, path, [0, at]);
  return path;
}

/** The line that the author wrote: whoever prepares stacks here knows the source maps. */
function lineIn(frame: NodeJS.CallSite, prepare: unknown): number {
  const [line, column] = [frame.getLineNumber() ?? 1, frame.getColumnNumber() ?? 1];
  const key = `${frame.getFileName()}:${line}:${column}`;
  const known = mapped.get(key);
  if (known !== undefined) return known;
  const text: unknown = typeof prepare === "function" ? prepare(new Error("where"), [frame]) : "";
  const found = /:(\d+):\d+\)?\s*$/.exec(String(text))?.[1];
  const own = found === undefined ? line : Number(found);
  mapped.set(key, own);
  return own;
}
