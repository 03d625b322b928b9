// A tree of nodes as people read it: one line for each node, below its parent, and how often somebody had to be woken.
import { z } from "zod";
import { type NodePlace, nodeOf, type Tree } from "./tree.ts";
import { NodeId } from "./node-spec.ts";

export const TreeRow = z.strictObject({
  node: NodeId,
  /** For each level from below the root on: whether it is the last of its siblings there. */
  last: z.array(z.boolean()),
  place: z.string(),
  merges: z.int().min(0),
  rebases: z.int().min(0),
  wakes: z.int().min(0),
});
export type TreeRow = z.infer<typeof TreeRow>;

/** Children right below their parent, in the order of planning. */
export function treeRows(tree: Tree): TreeRow[] {
  const below = (id: string, last: readonly boolean[]): TreeRow[] => {
    const { place, merges, rebases, wakes, children } = nodeOf(tree, id);
    const row = { node: id, last: [...last], place: placeWords(place), merges, rebases, wakes };
    const rows = children.flatMap((child, index) => below(child, [...last, index === children.length - 1]));
    return [row, ...rows];
  };
  return Object.entries(tree).flatMap(([id, { parent }]) => (parent === null ? below(id, []) : []));
}

export function treeLines(rows: readonly TreeRow[]): string[] {
  return rows.map((row) => `${guides(row.last)}${row.node}  ${[row.place, ...countsOf(row)].join(", ")}`);
}

/** Such as "13 nodes, 9 rebases, 2 of them woke somebody". */
export function treeSummary(rows: readonly TreeRow[]): string {
  const sum = (of: "rebases" | "wakes"): number => rows.reduce((total, row) => total + row[of], 0);
  return `${rows.length} nodes, ${sum("rebases")} rebases, ${sum("wakes")} of them woke somebody`;
}

function guides(last: readonly boolean[]): string {
  const own = last.at(-1);
  if (own === undefined) return "";
  const above = last.slice(0, -1).map((isLast) => (isLast ? "   " : "│  "));
  return `${above.join("")}${own ? "└─ " : "├─ "}`;
}

function countsOf({ merges, rebases, wakes }: TreeRow): string[] {
  return [
    ...(merges > 1 ? [`${merges} merges`] : []),
    ...(rebases > 0 ? [`${rebases} rebases`] : []),
    ...(wakes > 0 ? [`${wakes} woke somebody`] : []),
  ];
}

function placeWords(place: NodePlace): string {
  switch (place.kind) {
    case "due":
      return {
        scaffold: "is planned",
        write_tests: "gets its tests",
        impl: "is made",
        review: "is reviewed",
      }[place.at];
    case "holding":
      return "waits for its children";
    case "asking":
      return `asks: ${place.question.replaceAll(/\s+/g, " ")}`;
    case "blocked":
      return `waits for ${place.on}`;
    case "queued":
      return "waits to be merged";
    case "merged":
      return "merged";
    case "shipped":
      return "shipped";
    case "halted":
      return "halted";
  }
}
