// What the harness sees in a node's code: which test reaches what, and whether a change only follows what others changed.
import { squeeze } from "../../domain/contract/fingerprint.ts";
import { CupelError } from "../../domain/error.ts";
import type { SeenTest } from "../../domain/fractal/test-manifest.ts";
import type { MergeEvent } from "../../domain/run/merge-event.ts";
import type { Files } from "../../toolchains/port.ts";
import { moduleFilesAt } from "../ship/module-files.ts";
import { draftsIn, readTree, type TreeDesk } from "./tree-desk.ts";

/** Of the node's own tests: what its parent wrote shows the parent's criteria. */
export async function reached(desk: TreeDesk, node: string, commit: string): Promise<SeenTest[]> {
  const drafts = await draftsIn(desk, await readTree(desk));
  const seen = await drafts.inSite({ draft: drafts.get(node), commit }, async (site) => {
    const own = await site.fork({ "test/contract.test.ts": null });
    try {
      return await desk.ports.toolchain.groundTruth(own);
    } finally {
      await own.remove();
    }
  });
  if (seen.kind === "refused")
    throw new CupelError("invalid_input", `${node} in ${commit}: ${seen.problems.join("; ")}`);
  return seen.value.tests.map(({ name, calls }) => ({ name, reaches: [...calls] }));
}

export async function beyondMechanical(
  { ports }: TreeDesk,
  node: string,
  { base, commit, event }: { base: string; commit: string; event: MergeEvent },
): Promise<string[]> {
  const [before, after] = await Promise.all([base, commit].map((at) => codeAt(ports.hub, at, node)));
  const places = ports.toolchain.beyondMechanical(before ?? {}, after ?? {}, { renamed: renamedBy(event) });
  return places.map(({ file, line, message }) => `${file}:${line} ${message}`);
}

async function codeAt(hub: TreeDesk["ports"]["hub"], commit: string, node: string): Promise<Files> {
  const found = await moduleFilesAt(hub, commit, node, undefined, "on-its-way");
  if (found.kind === "refused") return {};
  return Object.fromEntries(Object.entries(found.files).filter(([path]) => /^(?:src|test)\//.test(path)));
}

/** What went and what came with the very same signature is the same thing under another name. */
function renamedBy({ changes }: MergeEvent): Record<string, string> {
  const fresh = changes.filter(({ changeType }) => changeType === "NewExport");
  const renamed: Record<string, string> = {};
  for (const { changeType, symbol, from } of changes) {
    if (changeType !== "RemovedExport" || from === undefined) continue;
    const alike = fresh.filter(({ to }) => to !== undefined && squeeze(to) === squeeze(from));
    const [only, ...more] = alike;
    if (only !== undefined && more.length === 0) renamed[symbol] = only.symbol;
  }
  return renamed;
}
