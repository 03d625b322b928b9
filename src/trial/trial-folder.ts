// The folder of a trial: what is registered, the lock on it, the rows, and which process works on it.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { environmentError } from "../domain/environment-error.ts";
import { CupelError } from "../domain/error.ts";
import { Holder } from "../domain/run/workspace-record.ts";
import { protocolHash, TrialLock, TrialProtocol } from "../domain/trial/trial-protocol.ts";
import { readRecord } from "../evidence/record-file.ts";
import { writeAtomically } from "../store/atomic-file.ts";
import { lockFile } from "../workshop/process/file-lock.ts";
import { stateOf, thisProcess } from "../workshop/workspace/holder.ts";

export interface TrialPlaces {
  folder: string;
  protocol: string;
  lock: string;
  rows: string;
  report: string;
  /** What is kept by content while runs are played, among all of them. */
  cache: string;
}

export function placesOf(folder: string): TrialPlaces {
  return {
    folder,
    protocol: join(folder, PROTOCOL),
    lock: join(folder, "trial.lock.json"),
    rows: join(folder, "rows.jsonl"),
    report: join(folder, "report.html"),
    cache: join(folder, ".cache"),
  };
}

const PROTOCOL = "trial.json";

export async function registerTrial(folder: string, protocol: TrialProtocol): Promise<void> {
  refuseTrialIn(folder);
  await writeAtomically(placesOf(folder).protocol, `${JSON.stringify(protocol, null, 2)}\n`, "full");
}

/** What is there already stays. */
export function refuseTrialIn(folder: string): void {
  const { protocol, lock } = placesOf(folder);
  if (!existsSync(protocol) && !existsSync(lock)) return;
  throw new CupelError("already_exists", `${folder} holds a trial already`, {
    expected: "a folder without one: every trial has its own",
    hint: `cupel trial run ${folder} (goes on with it), or name another folder`,
  });
}

/** The folder itself, or those below it that were registered together. */
export function trialsIn(folder: string): string[] {
  if (existsSync(join(folder, PROTOCOL))) return [folder];
  const below = existsSync(folder) ? readdirSync(folder) : [];
  const found = below
    .toSorted()
    .map((name) => join(folder, name))
    .filter((each) => existsSync(join(each, PROTOCOL)));
  if (found.length > 0) return found;
  throw new CupelError("not_found", `there is no trial in ${folder}`, {
    expected: `a folder with ${PROTOCOL}, or folders below it that have one`,
    hint: `cupel trial init ${folder} --preset short`,
  });
}

/** Whether its first run may have begun. */
export function isLocked(folder: string): boolean {
  return existsSync(placesOf(folder).lock);
}

/** As it was registered; refused where it has been changed since the lock. */
export async function protocolIn(folder: string): Promise<TrialProtocol> {
  const { protocol: file, lock } = placesOf(folder);
  const protocol = await readRecord(TrialProtocol, file, {
    what: "the protocol of a trial",
    schema: "TrialProtocol",
  });
  if (!existsSync(lock)) return protocol;
  const { sha256 } = await readRecord(TrialLock, lock, { what: "the lock of a trial", schema: "TrialLock" });
  if (sha256 === protocolHash(protocol)) return protocol;
  throw new CupelError("usage", `${file} was changed after the trial had begun`, {
    expected: `the protocol with the hash ${sha256}: what is compared, and how, is fixed before the first run`,
    hint: `put it back as it was, or cupel trial init OTHER-FOLDER (another protocol is another trial)`,
  });
}

/** From now on the protocol may not change. */
export async function lockProtocol(folder: string, protocol: TrialProtocol): Promise<void> {
  if (isLocked(folder)) return;
  const lock = TrialLock.parse({ sha256: protocolHash(protocol) });
  await writeAtomically(placesOf(folder).lock, `${JSON.stringify(lock)}\n`, "full");
}

/** A killed process takes a moment to let go. */
const WAIT_SECONDS = 2;

/** One process at a time; the returned function lets others in. */
export async function holdFolder(folder: string, waitSeconds = WAIT_SECONDS): Promise<() => Promise<void>> {
  const file = join(folder, ".held");
  try {
    mkdirSync(folder, { recursive: true });
    const lock = await lockFile(file, waitSeconds);
    const holder = holderIn(file);
    const isAlive = holder !== undefined && stateOf(holder) === "alive" && holder.pid !== process.pid;
    if (lock.kind === "taken" || (lock.kind === "none" && isAlive)) throw held(folder, holder);
    writeFileSync(file, `${JSON.stringify(thisProcess())}\n`);
    return async () => {
      writeFileSync(file, "");
      if (lock.kind === "held") await lock.release();
    };
  } catch (cause) {
    throw environmentError(file, cause);
  }
}

function held(folder: string, holder: Holder | undefined): CupelError {
  const who = holder === undefined ? "another process" : `the process ${holder.pid}`;
  return new CupelError("run_held", `${who} works on the trial in ${folder}`, {
    expected: "one process for each trial; with --jobs it plays several runs at a time",
    hint: `wait until it has ended, then cupel trial resume ${folder}`,
  });
}

function holderIn(file: string): Holder | undefined {
  try {
    return Holder.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  } catch {
    return undefined;
  }
}
