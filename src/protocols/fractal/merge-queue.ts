// Merges what is waiting for one parent, so that no two children break each other unseen: what is published was tested as it
// is, commit by commit. Many are tried at once; when together they fail, bisection finds whose turn it was.

export interface MergeGround<Candidate> {
  /** The candidate as one commit on top of another, or why the two do not fit together. */
  stack(onto: string, candidate: Candidate): Promise<Stacked>;
  /** Runs what a commit must keep. The same content judged again is not run again. */
  judge(commit: string): Promise<Judged>;
  /** Moves the parent's branch; only ever forward, along commits that were judged. */
  publish(from: string, to: string): Promise<void>;
}

export type Stacked = { kind: "stacked"; commit: string } | { kind: "conflict"; files: string[] };
export type Judged = { kind: "green" } | { kind: "red"; failing: string[] };

export type QueueResult<Candidate> = { candidate: Candidate } & (
  | { kind: "merged"; commit: string }
  | { kind: "rejected"; failing: string[] }
  | { kind: "conflict"; files: string[] }
);

interface Link<Candidate> {
  candidate: Candidate;
  commit: string;
}

/** Everybody who waits gets exactly one answer, in the order in which it became known. */
export async function drainQueue<Candidate>(
  head: string,
  waiting: readonly Candidate[],
  ground: MergeGround<Candidate>,
): Promise<{ head: string; results: QueueResult<Candidate>[] }> {
  const results: QueueResult<Candidate>[] = [];
  let tip = head;
  let rest = [...waiting];
  /** Those that were red before others came, and were let in after them once. */
  const postponed = new Set<Candidate>();
  while (rest.length > 0) {
    const { links, conflicts } = await chain(tip, rest, ground);
    results.push(...conflicts);
    const [published, red] = await greenPart(links, ground);
    const last = published.at(-1);
    if (last !== undefined) {
      await ground.publish(tip, last.commit);
      tip = last.commit;
      results.push(...published.map((link) => ({ kind: "merged" as const, ...link })));
    }
    rest = links.slice(published.length).map(({ candidate }) => candidate);
    if (red === undefined) continue;
    const { candidate, failing } = red;
    const others = rest.filter((each) => each !== candidate);
    const mayWait = red.tipIsGreen && others.length > 0 && !postponed.has(candidate);
    if (mayWait) postponed.add(candidate);
    else results.push({ kind: "rejected", candidate, failing });
    rest = mayWait ? [...others, candidate] : others;
  }
  return { head: tip, results };
}

/** One commit for each, on top of each other; what does not fit is left out and told. */
async function chain<Candidate>(
  head: string,
  candidates: readonly Candidate[],
  ground: MergeGround<Candidate>,
): Promise<{ links: Link<Candidate>[]; conflicts: QueueResult<Candidate>[] }> {
  const links: Link<Candidate>[] = [];
  const conflicts: QueueResult<Candidate>[] = [];
  for (const candidate of candidates) {
    const stacked = await ground.stack(links.at(-1)?.commit ?? head, candidate);
    if (stacked.kind === "stacked") links.push({ candidate, commit: stacked.commit });
    else conflicts.push({ kind: "conflict", candidate, files: stacked.files });
  }
  return { links, conflicts };
}

interface FirstRed<Candidate> {
  candidate: Candidate;
  failing: string[];
  /** All together would do, so it only came too early. */
  tipIsGreen: boolean;
}

/** The longest part from the head on in which every single commit is green, and what comes after it. */
async function greenPart<Candidate>(
  links: readonly Link<Candidate>[],
  ground: MergeGround<Candidate>,
): Promise<[Link<Candidate>[], FirstRed<Candidate> | undefined]> {
  const top = links.at(-1);
  if (top === undefined) return [[], undefined];
  const together = await ground.judge(top.commit);
  const upTo = together.kind === "green" ? links.length : await firstRedByHalving(links, ground);
  // A commit between two green ones can be red, so each is looked at before it can be seen by anybody.
  for (const [index, { candidate, commit }] of links.slice(0, upTo).entries()) {
    const judged = await ground.judge(commit);
    if (judged.kind === "red")
      return [
        links.slice(0, index),
        { candidate, failing: judged.failing, tipIsGreen: together.kind === "green" },
      ];
  }
  const next = links[upTo];
  if (next === undefined) return [[...links], undefined];
  const judged = await ground.judge(next.commit);
  if (judged.kind === "green")
    throw new Error(`${next.commit} was red and is green now: its suite is not to be relied on`);
  return [links.slice(0, upTo), { candidate: next.candidate, failing: judged.failing, tipIsGreen: false }];
}

/** The last of them is red; gives the place of one that is red right after one that is green, or the first. */
async function firstRedByHalving<Candidate>(
  links: readonly Link<Candidate>[],
  ground: MergeGround<Candidate>,
): Promise<number> {
  let low = 0;
  let high = links.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const judged = await ground.judge(links[middle]?.commit ?? "");
    if (judged.kind === "red") high = middle;
    else low = middle + 1;
  }
  return low;
}
