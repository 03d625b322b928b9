// Two modules of a tree that nobody has shipped, one of which imports the other, in commits of a hub, and a node that
// works on the second.
import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import { viewOf } from "../src/engineering/dependency-view.ts";
import { doorWith } from "../src/engineering/ship/door.ts";
import { modulePorts } from "../src/engineering/module-ports/module-ports.ts";
import { directProvisions } from "../src/engineering/provisions.ts";
import type { Draft } from "../src/engineering/tree/draft-content.ts";
import { type Drafts, draftsOf } from "../src/engineering/tree/drafts.ts";
import { suitesOf, type Suites } from "../src/engineering/tree/suites.ts";
import { type LivenessCache, noCache } from "../src/evidence/liveness.ts";
import { renderTaskFile } from "../src/domain/task/task-file.ts";
import { type Ground, type GroundOptions, openGround, orderOf, personsModule } from "./engineering-ground.ts";
import { PERCENT_CONTRACT, PERCENT_FILES } from "./module-ground.ts";
import { CLAMP, CLAMP_CONTRACT, CLAMP_EXAMPLES } from "./module-samples.ts";
import { temporaryDirectory } from "./temporary.ts";
import { haltOf, tinyProtocol, type Turn } from "./tiny-protocol.ts";
import { rootCommit } from "./tree-ground.ts";
import { PACKAGES } from "./typescript-site.ts";
import { cupelVersion } from "../src/version.ts";

export const CLAMP_DRAFT: Draft = { ref: "MM-clamp@1.0.0", folder: "clamp", dependencies: [] };
export const PERCENT_DRAFT: Draft = {
  ref: "MM-percent@1.0.0",
  folder: "percent",
  dependencies: ["MM-clamp@1.0.0"],
};

export function below(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`modules/${folder}/${path}`, text]));
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

export const TREE_FILES: Readonly<Record<string, string>> = {
  ...below("clamp", { ...CLAMP, "contract.json": json(CLAMP_CONTRACT), "examples.md": CLAMP_EXAMPLES }),
  ...below("percent", { ...PERCENT_FILES, "contract.json": json(PERCENT_CONTRACT) }),
};

export interface DraftGround extends Ground {
  drafts: Drafts;
  suites: Suites;
  /** How many packages were built, and how often tests of a module ran. */
  built: () => number;
  ran: () => number;
  /** The tree with these files instead of its own. */
  commit: (files?: Readonly<Record<string, string>>) => Promise<string>;
}

export async function openDrafts(
  options: GroundOptions & { cache?: LivenessCache; drafts?: readonly Draft[] } = {},
): Promise<DraftGround> {
  const project = temporaryDirectory();
  const ground = await openGround(project, { packages: PACKAGES, ...options });
  onTestFinished(() => ground.close());
  let ran = 0;
  const { toolchain } = ground.ports;
  const test: typeof toolchain.test = (site, how) => ((ran += 1), toolchain.test(site, how));
  const ports = { ...ground.ports, toolchain: { ...toolchain, test } };
  const builds: Parameters<typeof draftsOf>[0]["builds"] = new Map();
  const drafts = draftsOf({ ...ports, builds }, options.drafts ?? [CLAMP_DRAFT, PERCENT_DRAFT]);
  const shipping = {
    ...ports,
    versions: { cupel: cupelVersion() },
    memory: `${project}/.cupel/memory`,
  };
  return {
    ...ground,
    ports: { ...ports, openDoor: doorWith(shipping) },
    drafts,
    suites: suitesOf({
      drafts,
      toolchain: ports.toolchain,
      cache: options.cache ?? noCache(),
      secondsPerTest: 30,
      signal: new AbortController().signal,
    }),
    built: () => builds.size,
    ran: () => ran,
    commit: (files = {}) => rootCommit(ports.hub, { ...TREE_FILES, ...files }),
  };
}

/** Runs `work` as the node `make` of a thread that makes percent on top of a draft. */
export async function inDraftNode<T>(
  { ports, drafts }: DraftGround,
  commit: string,
  work: (turn: Turn) => Promise<T>,
): Promise<T> {
  const gave: { value?: T } = {};
  const failed: { error?: unknown } = {};
  const protocol = tinyProtocol(async (turn) => {
    try {
      gave.value = await work(turn);
    } catch (error) {
      failed.error = error;
    }
    return haltOf("MM-percent");
  });
  const order = orderOf();
  const direct = await directProvisions(drafts, PERCENT_DRAFT.dependencies, commit);
  const views = direct.map(async ({ ref, open }) => viewOf(ref, await open()));
  const assignment = {
    task: order.task,
    taskText: renderTaskFile(order.task),
    module: { ...personsModule("percent"), depends_on: [...PERCENT_DRAFT.dependencies] },
    version: "1.0.0",
    folder: "percent",
    dependencies: await Promise.all(views),
    rigor: order.rigor,
  };
  const thread = `r-1/t/1/percent-${randomUUID().slice(0, 8)}`;
  const making = { assignment, protocol, thread, pillar: "text", provisions: drafts };
  await protocol.go(ports.graphs, { thread, runId: "r-1", ports: modulePorts(ports, order, making) });
  if (failed.error !== undefined) throw failed.error;
  if (gave.value === undefined) throw new Error("the node did not run");
  return gave.value;
}
