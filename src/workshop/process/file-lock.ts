// A lock that the kernel frees when its holder ends, however it ends: nothing to clear away after a crash.
import { once } from "node:events";
import type { Readable } from "node:stream";
import { startCommand } from "./run-command.ts";

export type FileLock =
  | { kind: "held"; release(): Promise<void> }
  /** Somebody else has it, also after the wait. */
  | { kind: "taken" }
  /** This machine has no such locks. */
  | { kind: "none" };

/** The file is made where it is missing; what it holds says nothing. */
export async function lockFile(file: string, waitSeconds: number): Promise<FileLock> {
  const args = ["--timeout", String(waitSeconds), "--conflict-exit-code", "75", file, "cat"];
  const holder = startCommand("flock", args, { env: { PATH: "/usr/local/bin:/usr/bin:/bin" } });
  const release = async () => {
    holder.stdin.end();
    await holder.ended;
  };
  holder.stdin.write("held\n");
  const answer = await Promise.race([firstBytes(holder.stdout), holder.ended]);
  if (answer === "held") return { kind: "held", release };
  await release();
  return { kind: answer.kind === "not-found" ? "none" : "taken" };
}

async function firstBytes(stream: Readable): Promise<"held"> {
  await once(stream, "data");
  return "held";
}
