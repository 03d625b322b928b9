// A draft of a commit on disk, beside the built packages of what it imports, where the toolchain can work on it.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { layOutNeighbours, writeFiles } from "../../evidence/neighbours.ts";
import type { Files, Site } from "../../toolchains/port.ts";
import { removeAll } from "../../workshop/workspace/remove.ts";
import type { EngineeringPorts } from "../port.ts";
import type { Provisions } from "../provisions.ts";
import { moduleFilesAt } from "../ship/module-files.ts";
import type { Draft } from "./draft-content.ts";

export interface AtSite {
  draft: Draft;
  commit: string;
  /** The tests of this commit instead: what held there may not hold here. */
  testsOf?: string;
}

export type InSite<T> = { kind: "done"; value: T } | { kind: "refused"; problems: string[] };

export async function inDraftSite<T>(
  ports: Pick<EngineeringPorts, "hub" | "toolchain" | "workplace">,
  around: Provisions["around"],
  at: AtSite,
  work: (site: Site) => Promise<T>,
): Promise<InSite<T>> {
  const { toolchain, workplace } = ports;
  const { draft, commit } = at;
  const found = await filesOf(ports, at);
  if (found.kind === "refused") return found;
  const provided = await around(draft.dependencies, commit);
  const dependencies = await Promise.all(provided.map((each) => each.whole()));
  const place = join(workplace, "drafts", randomUUID());
  try {
    const folder = writeFiles(join(place, "module", draft.folder), found.files);
    const detected = await toolchain.detect(folder);
    if (detected.kind === "no-module")
      return { kind: "refused", problems: [`it is no module: ${detected.why}`] };
    const beside = await layOutNeighbours(
      { dependencies, broken: [], consumers: [] },
      { toolchain, directory: join(place, "neighbours") },
    );
    const site = await toolchain.openSite({
      folder,
      layout: detected.layout,
      directory: join(place, "site"),
      dependencies: beside.dependencies,
    });
    return { kind: "done", value: await work(site) };
  } finally {
    await removeAll(place);
  }
}

async function filesOf(
  { hub }: Pick<EngineeringPorts, "hub">,
  { draft, commit, testsOf }: AtSite,
): Promise<{ kind: "module"; files: Files } | { kind: "refused"; problems: string[] }> {
  const now = await moduleFilesAt(hub, commit, draft.folder, undefined, "on-its-way");
  if (now.kind === "refused" || testsOf === undefined) return now;
  const then = await moduleFilesAt(hub, testsOf, draft.folder, undefined, "on-its-way");
  if (then.kind === "refused") return then;
  const kept = Object.entries(now.files).filter((each) => !isTest(each));
  const files = Object.fromEntries([...kept, ...Object.entries(then.files).filter(isTest)]);
  return { kind: "module", files };
}

function isTest([path]: [string, string]): boolean {
  return path.startsWith("test/");
}
