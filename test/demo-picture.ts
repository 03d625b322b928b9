// What a finished demo is compared by: its tree without what differs from run to run, its statuses, what it shipped.
import { z } from "zod";
import { sampleGit } from "./git-samples.ts";
import { cupelIn } from "./cupel-process.ts";
import { eventsIn } from "./product-samples.ts";

/** Times, and ids and hashes that follow from times and chance. Nothing else may differ. */
const VOLATILE: readonly { in: RegExp; field: RegExp }[] = [
  { in: /\/ship\.json$/, field: /(?<="(ship_id|verified_at|evidence_ref|repo_revision)": ")[^"]+/g },
  { in: /^project\/.*\.md$/, field: /(?<=^- \*\*Amended:\*\* ).*$/gm },
];

const Status = z.looseObject({
  counts: z.record(z.string(), z.number()),
  tasks: z.array(z.looseObject({ id: z.string(), status: z.string(), modules: z.array(z.string()) })),
  waiting: z.array(z.unknown()),
});

export async function pictureOf(directory: string) {
  const status = Status.parse(JSON.parse(cupelIn(directory, ["status", "--json"]).out));
  const events = await eventsIn(directory);
  const commits = sampleGit(directory, "log", "--format=%s").split("\n");
  return {
    tree: treeOf(directory),
    uncommitted: sampleGit(directory, "status", "--porcelain"),
    tags: sampleGit(directory, "tag"),
    counts: status.counts,
    tasks: status.tasks.map(({ id, status: is, modules }) => ({ id, is, modules })),
    waiting: status.waiting,
    ships: commits.filter((subject) => subject.startsWith("ship(")),
    shipped: events.flatMap((event) => (event.kind === "module_shipped" ? [event.module] : [])),
    released: events.filter(({ kind }) => kind === "product_released").length,
    approved: events.filter(({ kind }) => kind === "spec_approved").length,
    resolved: events.flatMap((event) => (event.kind === "escalation_resolved" ? [event.action] : [])),
  };
}

function treeOf(directory: string): Record<string, string> {
  const paths = sampleGit(directory, "ls-tree", "-r", "--name-only", "HEAD").split("\n");
  return Object.fromEntries(
    paths.map((path) => [path, normalised(path, sampleGit(directory, "show", `HEAD:${path}`))]),
  );
}

function normalised(path: string, text: string): string {
  const fields = VOLATILE.filter((each) => each.in.test(path)).map(({ field }) => field);
  return fields.reduce((before, field) => before.replaceAll(field, "…"), text);
}
