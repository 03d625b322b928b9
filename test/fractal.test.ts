// One task through the fractal protocol with scripted agents and everything else real: a tree of three nodes unfolds, is
// tested, merged, judged and shipped.
import { describe, expect, test } from "vitest";
import { threadName } from "../src/engineering/subject.ts";
import { branchOf } from "../src/engineering/tree/node-branch.ts";
import { orderFor } from "../src/simulator/lone-task.ts";
import { checkStateStore } from "../src/store/state-store.ts";
import { announced } from "../src/toolchains/typescript/compiler/announced.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { engineered } from "./engineered.ts";
import { SIGNED_NODES, SIGNED_TASK, sentBackLines, signedLines } from "./fractal-samples.ts";
import { sampleGit } from "./git-samples.ts";

const LONG = 600_000;
const ORDER = orderFor(SIGNED_TASK, { protocol: "fractal" });

async function grown(lines: ReturnType<typeof signedLines>) {
  const { events, engineering, ...more } = await engineered({ lines, order: ORDER });
  const walked = (graph: string) =>
    events.flatMap((event) => (event.kind === "node_started" && event.graph === graph ? [event.node] : []));
  const { gitDir, branch } = engineering.ports.hub;
  return { ...more, walked, git: (...args: string[]) => sampleGit(gitDir, ...args), branch };
}

describe.skipIf(!bubblewrapWorks)("a task (needs bubblewrap)", () => {
  test(
    "unfolds into three nodes and ships as three modules, one commit each, children first",
    { timeout: LONG },
    async () => {
      const { outcome, walked, git, branch, project } = await grown(signedLines());
      expect(outcome).toEqual({
        kind: "shipped",
        task: SIGNED_TASK.task_id,
        modules: ["MM-parse_amount@1.0.0", "MM-initials@1.0.0", "MM-signed_amount@1.0.0"],
      });
      const subjects = git("log", "--reverse", "--format=%s", branch).split("\n");
      expect(subjects.filter((subject) => subject.startsWith("ship("))).toEqual([
        expect.stringContaining("ship(parse-amount): MM-parse_amount@1.0.0"),
        expect.stringContaining("ship(initials): MM-initials@1.0.0"),
        expect.stringContaining("ship(signed-amount): MM-signed_amount@1.0.0"),
      ]);
      const [root] = SIGNED_NODES;
      for (const { id, exports } of root?.children ?? []) {
        const made = announced(id, exports);
        const face = made.kind === "announced" ? made.files["src/interface.ts"] : undefined;
        const at = (path: string) => `${git("show", `${branch}:modules/${id}/${path}`).trimEnd()}\n`;
        expect(at("src/interface.ts")).toBe(face);
        expect(at("test/contract.test.ts")).toBe(root?.suites[`children/${id}/contract.test.ts`]);
      }
      expect(walked("fractal-verdict")).toEqual(["judge", "judge"]);
      expect(walked("fractal").filter((node) => node === "scaffold")).toHaveLength(3);
      expect((await checkStateStore(project, { repair: false })).problems).toEqual([]);
    },
  );

  test(
    "whose parent sends a child back gets it again with one more test, folded once more",
    { timeout: LONG },
    async () => {
      const { outcome, walked, git, branch } = await grown(sentBackLines());
      expect(outcome).toEqual({ ...outcome, kind: "shipped" });
      expect(walked("fractal-verdict")).toHaveLength(3);
      expect(git("show", `${branch}:modules/initials/test/one-word.test.ts`)).toContain("one letter");
      const root = branchOf(threadName("r-1", ORDER, "tree"), "signed-amount");
      const folds = git("log", "--format=%s", root)
        .split("\n")
        .flatMap((subject) => /^merge\(([\w-]+)\)/.exec(subject)?.[1] ?? []);
      expect(folds.toSorted()).toEqual(["initials", "initials", "parse-amount"]);
    },
  );
});
