// Objects of a repository, read by a git that stays for a moment: starting one takes longer than most answers.
import { CupelError } from "../../domain/error.ts";
import type { RunningCommand } from "../process/run-command.ts";
import { ByteQueue } from "./byte-queue.ts";
import { startGit } from "./git.ts";

export interface ReadObject {
  id: string;
  type: string;
  content: Buffer;
}

/** One for each name that git understands, in this order; undefined where there is none. */
export async function readObjects(
  gitDir: string,
  names: readonly string[],
): Promise<(ReadObject | undefined)[]> {
  if (names.length === 0) return [];
  const odd = names.find((name) => name.includes("\n"));
  if (odd !== undefined)
    throw new CupelError("invalid_input", `${JSON.stringify(odd)} names no object of a repository`);
  const desk = desks.get(gitDir) ?? { gitDir, last: Promise.resolve(), reader: undefined, idle: undefined };
  desks.set(gitDir, desk);
  const answers = desk.last.then(() => attended(desk, names));
  desk.last = answers.then(
    () => undefined,
    () => undefined,
  );
  return answers;
}

/** Whether there is such an object, of this type. */
export async function hasObject(gitDir: string, name: string, type: string): Promise<boolean> {
  const [found] = await readObjects(gitDir, [name]);
  return found?.type === type;
}

const IDLE_MS = 1000;

interface Desk {
  gitDir: string;
  /** What was asked last; it is answered one after the other. */
  last: Promise<void>;
  reader: Reader | undefined;
  idle: NodeJS.Timeout | undefined;
}

interface Reader {
  command: RunningCommand;
  bytes: ByteQueue;
  /** What it complained of. */
  said: string;
}

const desks = new Map<string, Desk>();

async function attended(desk: Desk, names: readonly string[]): Promise<(ReadObject | undefined)[]> {
  clearTimeout(desk.idle);
  // The process that reads does not keep the harness alive, so the question must.
  const alive = setInterval(() => undefined, 1 << 30);
  try {
    return await answered(desk, names);
  } finally {
    clearInterval(alive);
    desk.idle = setTimeout(() => leave(desk), IDLE_MS).unref();
  }
}

async function answered(desk: Desk, names: readonly string[]): Promise<(ReadObject | undefined)[]> {
  const isNew = desk.reader === undefined;
  const reader = (desk.reader ??= newReader(desk.gitDir));
  try {
    reader.command.stdin.write(names.map((name) => `${name}\n`).join(""));
    const found: (ReadObject | undefined)[] = [];
    for (const name of names) found.push(await oneAnswer(reader.bytes, name));
    return found;
  } catch (cause) {
    const isGone = reader.command.stdout.readableEnded;
    // Not asked to go: it could wait for somebody to read the rest of its answers.
    reader.command.kill();
    desk.reader = undefined;
    // It may have died since it was last asked, and whatever is read can be read again.
    if (isGone && !isNew) return answered(desk, names);
    await reader.command.ended;
    const why = reader.said.trim() || String(cause);
    throw new CupelError("git_failed", `git cat-file ${names[0] ?? ""}: ${why}`, { cause });
  }
}

/** It goes when it was not asked for a while, and with the harness at the latest. */
function newReader(gitDir: string): Reader {
  const command = startGit(["cat-file", "--batch"], { gitDir });
  const reader = { command, bytes: new ByteQueue(command.stdout), said: "" };
  command.stderr.on(
    "data",
    (chunk: Buffer) => (reader.said = (reader.said + chunk.toString("utf8")).slice(-1000)),
  );
  command.unref();
  return reader;
}

/** What `git cat-file --batch` says to a name that it was given. */
export async function oneAnswer(bytes: ByteQueue, name: string): Promise<ReadObject | undefined> {
  const header = (await bytes.line()).toString("utf8");
  if (header === `${name} missing`) return undefined;
  const [, id = "", type = "", size = ""] = /^([0-9a-f]+) (\w+) (\d+)$/.exec(header) ?? [];
  if (id === "") throw new Error(header);
  const content = Buffer.from(await bytes.take(Number(size)));
  await bytes.take(1);
  return { id, type, content };
}

/** Only when nobody waits: whoever has asked here would be answered beside those who ask at the next desk. */
function leave(desk: Desk): void {
  desk.reader?.command.stdin.end();
  desks.delete(desk.gitDir);
}
