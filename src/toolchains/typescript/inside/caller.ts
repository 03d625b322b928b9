// Finds out who called: the nearest frame outside of the system, where it belongs to the module under test.

export interface CallPlace {
  file: string;
  line: number;
}

const FRAMES = 24;

/** Paths as frames name them, and as the module calls them. */
let sources = new Map<string, string>();
const self = import.meta.url.replace(/[?#].*$/, "");
const captureStackTrace = Error.captureStackTrace.bind(Error);
const mapped = new Map<string, number>();

/** `root` ends with a slash. */
export function watchSources(root: string, paths: readonly string[]): void {
  sources = new Map(paths.map((path) => [`${root}${path}`, path]));
}

/**
 * Undefined when it was not the module. `direct` is for what the system itself also uses on behalf of others. Inexpensive,
 * since most calls are those of others.
 */
export function callerOf(direct: boolean): CallPlace | undefined {
  const prepare: unknown = Reflect.get(Error, "prepareStackTrace");
  const limit = Error.stackTraceLimit;
  let frames: readonly NodeJS.CallSite[] = [];
  const holder: { stack?: unknown } = {};
  try {
    Error.stackTraceLimit = FRAMES;
    Error.prepareStackTrace = (_, sites) => {
      frames = sites;
      return "";
    };
    captureStackTrace(holder, callerOf);
    void holder.stack;
  } finally {
    Error.stackTraceLimit = limit;
    Reflect.set(Error, "prepareStackTrace", prepare);
  }
  const frame = nearest(frames, direct);
  const path = frame && sources.get(plain(frame.getFileName()));
  if (frame === undefined || path === undefined) return undefined;
  return { file: path, line: lineIn(frame, prepare) };
}

/** What the system reads to load a module is not the module's doing. */
function nearest(frames: readonly NodeJS.CallSite[], direct: boolean): NodeJS.CallSite | undefined {
  for (const frame of frames) {
    const name = frame.getFileName() ?? "";
    if (name.startsWith("node:internal/modules/")) return undefined;
    const isSystem = name.startsWith("node:") || name.startsWith("internal/");
    if (isSystem && direct) return undefined;
    if (!isSystem && name !== "" && plain(name) !== plain(self)) return frame;
  }
  return undefined;
}

function plain(name: string | null | undefined): string {
  return (name ?? "").replace(/^file:\/\//, "").replace(/[?#].*$/, "");
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
