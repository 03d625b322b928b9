// What of an agent's work can be taken: all of it, or nothing where it touched what is not its own.
import type { NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts, Work } from "../port.ts";
import { workProblems } from "../work-problems.ts";

export interface Brought {
  base: string;
  work: Work;
  /** Folders that its author may write in. */
  places: readonly string[];
  todo: string;
  standing?: readonly string[];
}

export async function workFindings(
  ports: ProtocolPorts,
  context: NodeContext,
  { base, work, places, todo, standing = [] }: Brought,
): Promise<{ kind: "taken"; commit: string } | { kind: "refused"; findings: string[] }> {
  if (work.kind !== "taken") return { kind: "refused", findings: workProblems(work, { todo, standing }) };
  const changed = await ports.changed(context, { base, commit: work.commit });
  const stray = changed.filter((path) => !places.some((place) => path.startsWith(place)));
  if (stray.length === 0) return { kind: "taken", commit: work.commit };
  return {
    kind: "refused",
    findings: stray.map(
      (path) => `${path} is not yours to change; all of your work was thrown away, do it again without`,
    ),
  };
}
