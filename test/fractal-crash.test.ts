// kill -9 while a tree grows, again and again: it goes on and comes to the same tree, in which nothing was merged twice.
import { describe, expect, test } from "vitest";
import { chance } from "../src/domain/chance.ts";
import { threadName } from "../src/engineering/subject.ts";
import { branchOf } from "../src/engineering/tree/node-branch.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { sampleGit } from "./git-samples.ts";
import { HARVEST_ORDER } from "./harvest-run.ts";
import { type Crop, HARVEST, TINY_HARVEST } from "./harvest-modules.ts";
import { cropsIn, harvestLines } from "./harvest-samples.ts";
import { type Killed, LONG, survived, survivedOften } from "./protocol-kills.ts";

const TREE = threadName("r-1", HARVEST_ORDER, "tree");

function growing(root: Crop): Killed {
  const crops = cropsIn(root);
  return {
    protocol: "fractal",
    lines: harvestLines(root),
    modules: crops.map(({ name }) => name),
    async same({ store, hub }) {
      const tree = (await store.trees.read(TREE)) ?? {};
      // How often somebody is moved depends on who is quicker; what wakes somebody does not.
      const nodes = Object.entries(tree).map(([name, { place, merges, wakes, children }]) => {
        return [name, { place: place.kind, merges, wakes, children }];
      });
      // Who was moved onto a sibling has that sibling's merge below his own commits, which is no second one.
      const folds = crops.flatMap(({ name, parts = [] }) => {
        const log = parts.length === 0 ? "" : sampleGit(hub, "log", "--format=%s", branchOf(TREE, name));
        const own = (subject: string) => parts.some((part) => subject.startsWith(`merge(${part.name})`));
        return log.split("\n").filter(own);
      });
      return { nodes: Object.fromEntries(nodes), folds: folds.toSorted() };
    },
  };
}

/** As many as work at the same time: an answer that was told of but not kept yet is asked for again. */
const AT_ONCE = 8;

describe.skipIf(!bubblewrapWorks)("a tree", () => {
  test(
    "killed twice on its way, it comes to the same end",
    { timeout: LONG ? 3_600_000 : 900_000 },
    async () => {
      const { kills, again, found, undisturbed } = await survived(growing(TINY_HARVEST), [0.35, 0.75]);
      expect(kills).toBeGreaterThan(0);
      expect(again).toBeLessThanOrEqual(kills * AT_ONCE);
      expect(found).toEqual(undisturbed);
    },
  );

  test.skipIf(!LONG)(
    "of thirteen nodes, killed a hundred times at random moments, it comes to the same end (long form)",
    { timeout: 4 * 3_600_000 },
    async () => {
      const ends = await survivedOften(growing(HARVEST), 100, chance(1, "kills"));
      expect(ends.reduce((sum, { kills }) => sum + kills, 0)).toBeGreaterThanOrEqual(100);
      for (const { found, undisturbed } of ends) expect(found).toEqual(undisturbed);
    },
  );
});
