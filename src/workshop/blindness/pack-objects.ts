// Reads the objects of a git pack that an agent may have made, in an empty repository of the harness.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CupelError } from "../../domain/error.ts";
import { emptyRepository } from "../git/empty-repository.ts";
import { git, startGit } from "../git/git.ts";

export interface PackObject {
  /** For example `blob 1a2b…`. */
  name: string;
  bytes: Buffer;
}

/** Where packs begin in these bytes: a pack file itself, or the pack in a bundle. */
export function packIn(bytes: Buffer): Buffer | undefined {
  // Most files begin with something else, and there are many files.
  if (bytes[0] !== HASH && bytes[0] !== LETTER_P) return undefined;
  const bundle = /^# v\d git bundle\n/.test(bytes.toString("latin1", 0, 20));
  const start = bundle ? bytes.indexOf("\n\nPACK") + 2 : 0;
  return bytes.toString("latin1", start, start + 4) === "PACK" ? bytes.subarray(start) : undefined;
}

/**
 * The pack's index, its neighbours and the agent's settings play no part: an index can keep silent about an object.
 * Throws where git refuses the pack or where it holds more than `limit` bytes.
 */
export async function* packObjects(pack: Buffer, limit: number): AsyncGenerator<PackObject> {
  const directory = await mkdtemp(join(tmpdir(), "cupel-pack-"));
  const gitDir = join(directory, "pack.git");
  const call = {
    gitDir,
    env: { GIT_ALLOC_LIMIT: String(2 * limit) },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
  try {
    emptyRepository(gitDir, ["\tbare = true"]);
    await git(["index-pack", "--stdin", "--threads=1"], { ...call, stdin: pack });
    yield* objectsOf(call, limit);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const [HASH, LETTER_P] = [0x23, 0x50];
const TIMEOUT_MS = 120_000;

async function* objectsOf(call: Parameters<typeof startGit>[1], limit: number): AsyncGenerator<PackObject> {
  const cat = startGit(["cat-file", "--batch-all-objects", "--batch", "--buffer", "--unordered"], call);
  cat.stdin.end();
  cat.stderr.resume();
  try {
    let held: Buffer = Buffer.alloc(0);
    let parts: Buffer[] = [];
    let waiting = 0;
    let total = 0;
    for await (const chunk of chunksOf(cat.stdout)) {
      parts.push(chunk);
      waiting += chunk.length;
      total += chunk.length;
      if (total > limit) throw new CupelError("git_failed", "the pack holds too much to look at");
      if (held.length + waiting < needed(held)) continue;
      held = Buffer.concat([held, ...parts]);
      [parts, waiting] = [[], 0];
      for (let object = firstObject(held); object !== undefined; object = firstObject(held)) {
        yield object;
        held = held.subarray(object.end);
      }
    }
    const ending = await cat.ended;
    const whole = held.length === 0 && parts.length === 0 && ending.kind === "exited" && ending.code === 0;
    if (!whole) throw new CupelError("git_failed", "git could not read every object of the pack");
  } finally {
    cat.kill();
    await cat.ended;
  }
}

async function* chunksOf(stream: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const chunk of stream) if (Buffer.isBuffer(chunk)) yield chunk;
}

/** `<id> <type> <size>`, a line end, the bytes and a line end. */
function headerOf(bytes: Buffer): { name: string; start: number; end: number } | undefined {
  const start = bytes.indexOf("\n") + 1;
  const [id, type, size] = bytes.toString("latin1", 0, Math.max(0, start - 1)).split(" ");
  if (start === 0 || size === undefined) return undefined;
  return { name: `${type} ${id}`, start, end: start + Number(size) + 1 };
}

function needed(bytes: Buffer): number {
  return headerOf(bytes)?.end ?? 0;
}

function firstObject(bytes: Buffer): (PackObject & { end: number }) | undefined {
  const header = headerOf(bytes);
  if (header === undefined || header.end > bytes.length) return undefined;
  return { name: header.name, bytes: bytes.subarray(header.start, header.end - 1), end: header.end };
}
