// Runs git where its output is bytes rather than text: paths, contents, patches.
import { buffer } from "node:stream/consumers";
import { gitError, startGit } from "./git.ts";
import type { GitCall } from "./git.ts";
import type { Ending } from "../process/run-command.ts";

export type BytesResult = Ending & { stdout: Buffer; stderr: string };

/** The bytes that git wrote; anything but exit 0 throws `git_failed`. */
export async function gitBytes(args: readonly string[], call: GitCall = {}): Promise<Buffer> {
  const result = await tryGitBytes(args, call);
  if (result.kind === "exited" && result.code === 0) return result.stdout;
  throw gitError(args, { ...result, stdout: "" });
}

/** For commands whose exit code is an answer. */
export async function tryGitBytes(args: readonly string[], call: GitCall = {}): Promise<BytesResult> {
  const { stdin, ...rest } = call;
  const running = startGit(args, rest);
  running.stdin.end(stdin);
  const [stdout, stderr, ending] = await Promise.all([
    buffer(running.stdout),
    buffer(running.stderr),
    running.ended,
  ]);
  return { ...ending, stdout, stderr: stderr.toString("utf8") };
}

/** The first bytes that git writes, and whether there were more; git is ended when there are enough. */
export async function firstGitBytes(
  args: readonly string[],
  call: Omit<GitCall, "stdin">,
  limit: number,
): Promise<{ bytes: Buffer; more: boolean }> {
  const running = startGit(args, call);
  running.stdin.end();
  const errors = buffer(running.stderr);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of running.stdout) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
  if (size > limit) running.kill();
  const [ending, stderr] = await Promise.all([running.ended, errors]);
  const bytes = Buffer.concat(chunks).subarray(0, limit);
  if (size > limit) return { bytes, more: true };
  if (ending.kind === "exited" && ending.code === 0) return { bytes, more: false };
  throw gitError(args, { ...ending, stdout: "", stderr: stderr.toString("utf8") });
}

/** The fields of git's `-z` output, one character per byte. */
export function splitNul(output: Buffer): string[] {
  const fields = output.toString("latin1").split("\0");
  if (fields.at(-1) === "") fields.pop();
  return fields;
}
