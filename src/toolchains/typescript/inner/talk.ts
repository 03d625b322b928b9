// Gives one job to the inner runner inside a site and reads its answers; what carries no mark of ours was not said by it.
import { randomBytes } from "node:crypto";
import type { Site, SiteResult } from "../../port.ts";
import { MARK_BYTES } from "../inside/inner-frames.ts";
import type { InnerAnswer, InnerJob } from "../inside/inner-job.ts";
import { BOOT, innerProgram } from "./program.ts";

/** Without its place, which is known here. */
type Unmarked<Job> = Job extends InnerJob ? Omit<Job, "root"> : never;

export interface Conversation {
  answers: InnerAnswer[];
  /** Whether the runner itself came to its end. */
  whole: boolean;
  result: SiteResult;
}

export interface TalkOptions {
  timeoutMs: number;
  signal?: AbortSignal;
}

/** The heap of the inner runner; a mutant that allocates without end dies early. */
const HEAP_MB = 1024;

export async function talk(site: Site, job: Unmarked<InnerJob>, options: TalkOptions): Promise<Conversation> {
  const marks = randomBytes(MARK_BYTES * mostFrames(job));
  const program = await innerProgram();
  const result = await site.run({
    command: "node",
    args: [`--max-old-space-size=${HEAP_MB}`, "-e", BOOT],
    stdin: Buffer.concat([
      lengthOf(marks),
      marks,
      Buffer.from(JSON.stringify({ program, job: { ...job, root: site.inside } })),
    ]),
    timeoutMs: options.timeoutMs,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const answers = answersIn(result.stdout, marks);
  return { answers, whole: answers.at(-1)?.kind === "end", result };
}

/** One for each mutant and for each control, and a few for what is said before and after. */
function mostFrames(job: Unmarked<InnerJob>): number {
  return 16 + ("mutants" in job ? 2 * job.mutants : 0);
}

function lengthOf(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return length;
}

/** Marks count in their order only. */
function answersIn(stdout: string, marks: Buffer): InnerAnswer[] {
  const answers: InnerAnswer[] = [];
  let at = 0;
  for (const line of stdout.split("\n")) {
    const mark = marks.toString("hex", at, at + MARK_BYTES);
    if (mark === "" || !line.startsWith(`${mark} `)) continue;
    at += MARK_BYTES;
    try {
      answers.push(JSON.parse(line.slice(mark.length + 1)));
    } catch {
      // Cut off by the end of the process.
    }
  }
  return answers;
}

/** How it ended, for people. */
export function describeEnd(result: SiteResult): string {
  const tail = result.stderr.trim().split("\n").slice(-3).join(" | ").slice(0, 500);
  const said = tail === "" ? "" : `: ${tail}`;
  switch (result.kind) {
    case "exited":
      return `the inner runner exited with ${result.code} before it had reported${said}`;
    case "killed":
      return `the inner runner was ended by ${result.signal}${said}`;
    case "timed-out":
      return `the inner runner was ended after ${result.afterMs} ms`;
    case "cancelled":
      return "the run was cancelled";
  }
}
