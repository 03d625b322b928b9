// SIGKILL anywhere while a module ships: afterwards it has shipped in full or not at all, and shipping goes on.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { finishShips } from "../src/engineering/ship/finish.ts";
import { seal } from "../src/engineering/ship/seal.ts";
import type { PreparedShip } from "../src/engineering/ship/seal.ts";
import { ship } from "../src/engineering/ship/ship.ts";
import type { ShipPorts } from "../src/engineering/ship/port.ts";
import { checkStateStore } from "../src/store/state-store.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { sampleGit, writeSample } from "./git-samples.ts";
import { CLAMP_SAMPLE, orderFor, proposed } from "./ship-samples.ts";
import { indexChanges } from "./folder-index.ts";
import { openWorld } from "./ship-world.ts";

const LONG = process.env["CUPEL_LONG"] === "1";
const POINTS = LONG ? "every point (long form)" : "points all over";
const STEPS = ["leased", "sealed", "projected", "committed", "merged", "indexed", "finished"];
const SANDBOX = bubblewrapWorks ? "bubblewrap" : "none";
const MODULE = "MM-clamp@1.0.0";
const PROTOCOL = { debated: true, gates: ["green"] } as const;

const Line = z.looseObject({ what: z.string(), where: z.string().optional(), points: z.int().optional() });
type Line = z.infer<typeof Line>;

const place = realpathSync(mkdtempSync(join(tmpdir(), "cupel-test-")));
chmodSync(place, 0o755);
const worker = fileURLToPath(new URL("ship-worker.ts", import.meta.url));
/** A project in which everything is judged and nothing is sealed. */
const template = join(place, "template");

beforeAll(async () => {
  makeProject(template);
  const ports = await openWorld(template, { sandbox: SANDBOX });
  // What is handed to the store in the moment of the ship, and nothing after it.
  let prepared: PreparedShip | undefined;
  const commit: ShipPorts["store"]["ships"]["commit"] = (_run, _lease, given) => {
    prepared = { ...given, transitions: [...given.transitions] };
    throw new Error("not yet");
  };
  const ships = new Proxy(ports.store.ships, {
    get: (target, name) => {
      if (name === "commit") return commit;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const stopping = { ...ports, store: { ...ports.store, ships } };
  const order = orderFor(CLAMP_SAMPLE, { protocol: PROTOCOL });
  await ship(stopping, order, await proposed(ports, CLAMP_SAMPLE)).catch((error: unknown) => {
    if (prepared === undefined) throw error;
  });
  writeFileSync(join(template, "prepared.json"), JSON.stringify(prepared));
  await ports.store.close();
}, 120_000);
afterAll(() => rmSync(place, { recursive: true }), 120_000);

describe("kill -9", () => {
  test(`at ${POINTS} of sealing and of what follows`, { timeout: LONG ? 3_600_000 : 240_000 }, async () => {
    const undisturbed = copyOf("undisturbed");
    const points = (await run("seal", undisturbed, "r-0")).at(-1)?.points ?? 0;
    expect(await stateOf(undisturbed)).toEqual(SHIPPED);
    expect(points).toBeGreaterThan(60);
    const step = LONG ? 1 : Math.floor(points / 5) | 1;
    const places = Array.from({ length: Math.ceil(points / step) }, (_, index) => String(1 + index * step));
    const ends = new Set<string>();
    for (const point of [...STEPS, ...places]) ends.add(await killAt(point));
    // The points lie on both sides of the one moment that counts.
    expect(ends).toEqual(new Set(["shipped", "nothing"]));
  });

  const steps = LONG ? ["checked", "opened", "judged", "built", "recorded", ...STEPS] : ["sealed"];
  test.each(steps)("after the step %s of a whole ship", { timeout: 120_000 }, async (step) => {
    const project = join(place, `whole-${step}`);
    makeProject(project);
    const lines = await run("clamp", project, "r-1", step);
    expect(lines.at(-1)).toMatchObject({ what: "killed", where: step });
    await expectWholeOrNothing(project);
    const again = await run("clamp", project, "r-2");
    expect(again.at(-1)).toMatchObject({ what: "outcome", kind: "shipped" });
    expect(await stateOf(project)).toEqual(SHIPPED);
  });
});

describe("two processes", () => {
  test("ship two modules at once: both are there, one after the other", { timeout: 120_000 }, async () => {
    const project = join(place, "two");
    makeProject(project);
    const ends = await Promise.all([run("clamp", project, "r-1"), run("clip", project, "r-2")]);
    expect(ends.map((lines) => lines.at(-1)?.["kind"])).toEqual(["shipped", "shipped"]);
    const gitDir = join(project, ".cupel", "hub.git");
    expect(sampleGit(gitDir, "ls-tree", "--name-only", "main", "modules/").split("\n")).toEqual([
      "modules/clamp",
      "modules/clip",
    ]);
    const imports = JSON.parse(sampleGit(gitDir, "show", "main:package.json")).imports;
    expect(Object.keys(imports)).toEqual(["#modules/clamp", "#modules/clip"]);
    expect(sampleGit(gitDir, "log", "--format=%H", "main").split("\n")).toHaveLength(3);
    expect(indexChanges(project).toSorted()).toEqual(["append MM-clamp@1.0.0", "append MM-clip@1.0.0"]);
    const report = await checkStateStore(project, { repair: false });
    expect(report.problems).toEqual([]);
  });

  test(
    "finish the same ship at once, none of them able to keep its lease: it is finished once",
    { timeout: 60_000 },
    async () => {
      const project = copyOf("finished-twice");
      await run("seal", project, "r-1", "sealed");
      const worlds = await Promise.all(
        ["r-2", "r-3", "r-4"].map((runId) => openWorld(project, { runId, leaseMs: 1 })),
      );
      await Promise.all(worlds.map((ports) => finishShips(ports)));
      await Promise.all(worlds.map(({ store }) => store.close()));
      expect(await stateOf(project)).toEqual(SHIPPED);
    },
  );
});

async function killAt(point: string): Promise<string> {
  const project = copyOf(`point-${point}`);
  const lines = await run("seal", project, "r-1", point);
  // Heartbeats come when they come, so that the last points are not always reached.
  expect(lines.at(-1)?.what, `point ${point}`).toBe(
    lines.at(-1)?.points === undefined ? "killed" : "outcome",
  );
  const end = await expectWholeOrNothing(project, lines.at(-1)?.where);
  if (end === "nothing") {
    const again = await openWorld(project, { runId: "r-3", sandbox: SANDBOX });
    const prepared: PreparedShip = JSON.parse(readFileSync(join(project, "prepared.json"), "utf8"));
    expect(await seal(again, prepared, () => Promise.resolve(true))).toMatchObject({ kind: "shipped" });
    await again.store.close();
    expect(await stateOf(project), `shipped after ${lines.at(-1)?.where}`).toEqual(SHIPPED);
  }
  rmSync(project, { recursive: true });
  return end;
}

/** Before anything is finished nothing is wrong either; afterwards it is all there or nothing is. */
async function expectWholeOrNothing(project: string, where = ""): Promise<"shipped" | "nothing"> {
  expect((await checkStateStore(project, { repair: false })).problems, `killed ${where}`).toEqual([]);
  const ports = await openWorld(project, { runId: "r-9", sandbox: SANDBOX });
  await finishShips(ports);
  await ports.store.close();
  const state = await stateOf(project);
  const end = state.sealed ? "shipped" : "nothing";
  expect(state, `killed ${where}`).toEqual(end === "shipped" ? SHIPPED : NOTHING);
  return end;
}

interface State {
  sealed: boolean;
  unfinished: number;
  events: number;
  shippedArtifacts: number;
  contributions: number;
  index: string[];
  product: string[];
  commits: number;
  notes: string;
  problems: object[];
  behind: object[];
}

const SHIPPED: State = {
  sealed: true,
  unfinished: 0,
  events: 1,
  shippedArtifacts: 3,
  contributions: 2,
  index: ["append MM-clamp@1.0.0"],
  product: ["package.json", "modules/clamp"],
  commits: 1,
  notes: `refs/cupel/ships/${MODULE}`,
  problems: [],
  behind: [],
};
const NOTHING: State = {
  ...SHIPPED,
  sealed: false,
  events: 0,
  shippedArtifacts: 0,
  contributions: 0,
  index: [],
  product: [],
  commits: 0,
  notes: "",
};

async function stateOf(project: string): Promise<State> {
  const { store } = await openWorld(project, { runId: "r-look", sandbox: SANDBOX });
  const events = await store.journal.read(0, 1000);
  const gitDir = join(project, ".cupel", "hub.git");
  const there = sampleGit(gitDir, "ls-tree", "--name-only", "main", "package.json", "modules/");
  const report = await checkStateStore(project, { repair: false });
  const state = {
    sealed: await store.modules.isSealed("MM-clamp", "1.0.0"),
    unfinished: (await store.ships.unfinished()).length,
    events: events.filter((event) => event.kind === "module_shipped" && event.module === MODULE).length,
    shippedArtifacts: (await store.artifacts.query({ status: "SHIPPED" })).length,
    contributions: (await store.artifacts.contributions()).length,
    index: indexChanges(project),
    product: there
      .split("\n")
      .filter((line) => line !== "")
      .toReversed(),
    commits: sampleGit(gitDir, "log", "--format=%s", "main")
      .split("\n")
      .filter((line) => line.startsWith("ship(")).length,
    notes: sampleGit(
      gitDir,
      "for-each-ref",
      "--format=%(refname)",
      "refs/cupel/ships",
      "refs/cupel/ship-drafts",
    ),
    problems: report.problems,
    // Files that should have followed the database.
    behind: report.leftovers.filter(({ what }) => what.includes("older")),
  };
  await store.close();
  return state;
}

/** In a place that the worker's sandbox can walk to. */
function makeProject(directory: string): void {
  writeSample(directory, { "a.txt": "one\n" });
  sampleGit(directory, "init", "--quiet", "-b", "main");
  sampleGit(directory, "add", "--all", ".");
  sampleGit(directory, "commit", "--quiet", "-m", "start");
}

function copyOf(name: string): string {
  const project = join(place, name);
  cpSync(template, project, { recursive: true });
  return project;
}

async function run(what: string, project: string, runId: string, killAt = ""): Promise<Line[]> {
  const child = spawn(process.execPath, ["--import", "tsx", worker, what, project, runId, killAt, SANDBOX], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await once(child, "close");
  return output
    .split("\n")
    .slice(0, -1)
    .map((line) => Line.parse(JSON.parse(line)));
}
