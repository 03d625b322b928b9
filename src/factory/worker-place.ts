// Where worker processes put what is gone afterwards: in memory, where there is room for it, because the projects of a battery
// or a trial are thousands of small files that nobody ever reads again.
import { rmSync } from "node:fs";
import { access, constants, mkdtemp, rm, statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** Each worker takes some tens of megabytes at a time; a code that fills its disk takes what it may. */
const ROOM_BYTES = 4 * 1024 ** 3;

/** Gone when the work is done or given up, with whatever workers left behind that were killed. */
export async function inWorkerPlace<T>(work: (env: { TMPDIR: string }) => Promise<T>): Promise<T> {
  const place = await mkdtemp(join(await roomiest(), "cupel-workers-"));
  const giveUp = () => rmSync(place, { recursive: true, force: true });
  process.once("exit", giveUp);
  try {
    return await work({ TMPDIR: place });
  } finally {
    process.off("exit", giveUp);
    await rm(place, { recursive: true, force: true });
  }
}

/** A person who has named a place means it. */
async function roomiest(): Promise<string> {
  if (process.env["TMPDIR"] !== undefined) return tmpdir();
  return (await hasRoom()) ? MEMORY : tmpdir();
}

async function hasRoom(): Promise<boolean> {
  try {
    await access(MEMORY, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(MEMORY);
    return Math.min(bavail * bsize, freemem()) >= ROOM_BYTES;
  } catch {
    return false;
  }
}
