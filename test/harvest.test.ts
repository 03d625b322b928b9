// A whole tree with scripted agents and everything else real: it unfolds, breaks, follows, asks, is stuck, and folds to one
// product whose tests pass.
import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { threadName } from "../src/engineering/subject.ts";
import { branchOf } from "../src/engineering/tree/node-branch.ts";
import { idOf } from "../src/simulator/cases/module-sketch.ts";
import { checkStateStore } from "../src/store/state-store.ts";
import { announced } from "../src/toolchains/typescript/compiler/announced.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { engineered } from "./engineered.ts";
import { sampleGit } from "./git-samples.ts";
import { HARVEST_ORDER, patiently } from "./harvest-run.ts";
import { type Crop, HARVEST, SMALL_HARVEST, usesOthers } from "./harvest-modules.ts";
import { childSpecOf, cropsIn, harvestLines } from "./harvest-samples.ts";
import { LONG } from "./protocol-kills.ts";
import { temporaryDirectory } from "./temporary.ts";
import { PACKAGES } from "./typescript-site.ts";

const TREE = threadName("r-1", HARVEST_ORDER, "tree");

async function grown(root: Crop) {
  const tiers: string[] = [];
  const made = await engineered({
    lines: harvestLines(root),
    order: HARVEST_ORDER,
    asking(works) {
      const ask = patiently(works);
      return (role, asking) => {
        if (role.name === "impl") tiers.push(`${asking.key.module ?? ""} ${role.tier}`);
        return ask(role, asking);
      };
    },
  });
  const { gitDir, branch } = made.engineering.ports.hub;
  const git = (...args: string[]): string => sampleGit(gitDir, ...args);
  const tree = (await made.store.trees.read(TREE)) ?? {};
  const roles = made.events.flatMap((event) =>
    event.kind === "role_call_finished" ? [`${event.role} ${event.node} ${event.module ?? ""}`] : [],
  );
  return { ...made, git, branch, tree, roles, tiers };
}

const FORMS: [string, Crop][] = [
  ["six nodes", SMALL_HARVEST],
  ...(LONG ? [["thirteen nodes", HARVEST] satisfies [string, Crop]] : []),
];

describe.skipIf(!bubblewrapWorks)("a tree on three levels (needs bubblewrap)", () => {
  test.each(FORMS)("of %s folds to one product", { timeout: 1_800_000 }, async (_, root) => {
    const { outcome, git, branch, tree, roles, tiers, project, engineering } = await grown(root);
    const crops = cropsIn(root);
    const names = crops.map(({ name }) => name);
    if (outcome.kind === "halted") throw new Error(JSON.stringify(outcome.escalation.failed_invariants));
    expect(outcome).toEqual({ ...outcome, kind: "shipped" });

    // One commit for each node, and what the scaffolds settled is as they left it.
    const subjects = git("log", "--format=%s", branch).split("\n");
    const shipped = subjects.flatMap((subject) => /^ship\(([\w-]+)\)/.exec(subject)?.[1] ?? []);
    expect(shipped.toSorted()).toEqual(names.toSorted());
    for (const crop of crops.slice(1)) {
      const face = announced(crop.name, childSpecOf(crop).exports);
      const at = `${git("show", `${branch}:modules/${crop.name}/src/interface.ts`).trimEnd()}\n`;
      expect(at).toBe(face.kind === "announced" ? face.files["src/interface.ts"] : "");
    }
    const folds = git("log", "--format=%s", branchOf(TREE, "orchard")).split("\n");
    expect(folds.filter((subject) => subject.startsWith("merge(apples)"))).toHaveLength(2);
    expect(folds.filter((subject) => subject.startsWith("merge(pears)"))).toHaveLength(1);

    // Somebody was woken only where what he uses was renamed.
    const woken = Object.entries(tree).filter(([, { wakes }]) => wakes > 0);
    expect(woken.map(([name, { wakes }]) => [name, wakes])).toEqual([
      ["pears", 1],
      ["plums", 1],
    ]);
    expect(roles.filter((role) => role.startsWith("rebaser"))).toHaveLength(2);
    const planned = roles.filter((role) => role === `scaffold scaffold ${idOf("plums")}`);
    expect(planned).toHaveLength(2);
    expect(roles.filter((role) => role.startsWith("scaffold clarify"))).toHaveLength(
      crops.find(({ turns = [] }) => turns.includes("asks"))?.path.length ?? 0,
    );
    expect(tiers.filter((each) => each.startsWith(idOf("kale")))).toEqual([
      `${idOf("kale")} standard`,
      `${idOf("kale")} strong`,
    ]);

    // And anybody can test what came of it.
    const clone = join(temporaryDirectory(), "clone");
    sampleGit(project, "clone", "--quiet", engineering.ports.hub.gitDir, clone);
    symlinkSync(PACKAGES, join(clone, "node_modules"));
    const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" };
    const run = spawnSync("npm", ["test"], { cwd: clone, encoding: "utf8", env });
    // Their own and their parent's for each, one for what builds upon others, and one more of apples.
    const files = names.length * 2 + crops.filter(usesOthers).length + 1;
    expect(run.stdout).toMatch(new RegExp(`Test Files +${files} passed`));
    expect(run.status).toBe(0);
    expect((await checkStateStore(project, { repair: false })).problems).toEqual([]);
  });
});
