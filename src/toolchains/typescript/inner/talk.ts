// Gives one job to the inner runner inside a site and reads its answers; what carries no mark of ours was not said by it.
import { randomBytes } from "node:crypto";
import type { Site, SiteResult } from "../../port.ts";
import type { InnerAnswer, InnerJob } from "../inside/inner-job.ts";
import { BOOT, innerProgram } from "./program.ts";

/** Without a nonce, which is made here. */
type Unmarked<Job> = Job extends InnerJob ? Omit<Job, "nonce" | "root"> : never;

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
  const nonce = randomBytes(24).toString("hex");
  const program = await innerProgram();
  const result = await site.run({
    command: "node",
    args: [`--max-old-space-size=${HEAP_MB}`, "-e", BOOT],
    stdin: JSON.stringify({ program, job: { ...job, nonce, root: site.inside } }),
    timeoutMs: options.timeoutMs,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const answers = answersIn(result.stdout, nonce);
  return { answers, whole: answers.at(-1)?.kind === "end", result };
}

function answersIn(stdout: string, nonce: string): InnerAnswer[] {
  return stdout.split("\n").flatMap((line) => {
    if (!line.startsWith(`${nonce} `)) return [];
    try {
      const answer: InnerAnswer = JSON.parse(line.slice(nonce.length + 1));
      return [answer];
    } catch {
      // Cut off by the end of the process.
      return [];
    }
  });
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
