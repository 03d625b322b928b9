// Thousands of hostile paths against every backend: nothing outside the root is ever read, shown or changed. Naive backends
// are caught by the same oracle, so that we know it can say no.
import { lstat, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { attempt, OPERATIONS } from "./backend.suite.ts";
import type { Operation } from "./backend.suite.ts";
import { stateStoreRoutes } from "./composite.ts";
import { ContextPackBackend } from "./context-pack.ts";
import { FilesystemBackend } from "./filesystem.ts";
import { CANARY, hashOf, hostilePaths, OWN, plant, world } from "./hostile-world.suite.ts";
import type { World } from "./hostile-world.suite.ts";
import { ImmutableBackend } from "./immutable.ts";
import { OpaqueBackend } from "./opaque.ts";
import type { Backend } from "./port.ts";
import { packOf } from "./store-on-disk.suite.ts";

const LONG = process.env["CUPEL_LONG"] === "1";
const CASES = LONG ? 10_000 : 1000;
const SEED = 20_261_115;

const isSealed = (moduleId: string): boolean => moduleId === "MM-sealed";
const BACKENDS: Record<string, (root: string) => Backend> = {
  filesystem: (root) => new FilesystemBackend(root),
  "filesystem without handles": (root) => new FilesystemBackend(root, { handles: false }),
  immutable: (root) =>
    new ImmutableBackend(new FilesystemBackend(root), (path) => path.startsWith("/artifacts")),
  opaque: (root) => new OpaqueBackend(new FilesystemBackend(root), isSealed),
  composite: (root) => stateStoreRoutes({ root, isSealed, isFrozen: () => false }),
  "context pack": (root) => new ContextPackBackend(new FilesystemBackend(root), packOf(), () => undefined),
};

/** Follows whatever it is told: what all of this is about. */
class NaiveBackend extends FilesystemBackend {
  readonly #root: string;

  constructor(root: string) {
    super(root);
    this.#root = root;
  }

  override async readRaw(path: string): ReturnType<Backend["readRaw"]> {
    const content = await readFile(join(this.#root, path), "utf8").catch(() => undefined);
    if (content === undefined) return { error: "no" };
    return { data: { content, mimeType: "text/plain", created_at: "", modified_at: "" } };
  }

  override async write(path: string, content: string): ReturnType<Backend["write"]> {
    return writeFile(join(this.#root, path), content).then(
      () => ({ path }),
      () => ({ error: "no" }),
    );
  }
}

/** Looks first and acts then, which is one moment too late. */
class HastyBackend extends NaiveBackend {
  readonly #root: string;

  constructor(root: string) {
    super(root);
    this.#root = root;
  }

  override async readRaw(path: string): ReturnType<Backend["readRaw"]> {
    let here = this.#root;
    for (const name of path.split("/").filter((segment) => segment !== "")) {
      here = join(here, name);
      const stats = await lstat(here).catch(() => undefined);
      if (stats === undefined || stats.isSymbolicLink()) return { error: "no" };
    }
    return super.readRaw(path);
  }
}

/** Whether an answer holds anything of the outside world; errors may repeat what was asked. */
function leaks(answer: object): boolean {
  const text = JSON.stringify(answer, (key, value: unknown) => {
    if (key === "error") return undefined;
    return value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value;
  });
  return text.includes(CANARY);
}

/** What of the outside world was read or changed. */
async function escapes(
  build: (root: string) => Backend,
  { root, outside }: World,
  cases: number,
  operations: readonly Operation[] = OPERATIONS,
): Promise<string[]> {
  const before = await hashOf(outside);
  const found: string[] = [];
  const questions = fc.tuple(fc.constantFrom(...operations), hostilePaths(outside));
  let backend = build(root);
  for (const [index, [operation, path]] of fc.sample(questions, { numRuns: cases, seed: SEED }).entries()) {
    if (index % 200 === 199) {
      await plant(root, outside);
      backend = build(root);
    }
    if (leaks(await attempt(backend, operation, path))) found.push(`${operation} ${path} leaked`);
  }
  if ((await hashOf(outside)) !== before) found.push("the outside world was changed");
  return found;
}

const naive = (root: string): Backend => new NaiveBackend(root);

let here: World;
beforeEach(async () => {
  here = await world();
});
afterEach(() => here.remove());

describe("nothing outside the root is read or changed", () => {
  test.each(Object.entries(BACKENDS))(
    `by %s, in ${CASES} cases`,
    async (_name, build) => {
      expect(await escapes(build, here, CASES)).toEqual([]);
    },
    120_000,
  );

  test("and a backend that joins paths is caught reading and writing", async () => {
    const read = await escapes(naive, here, 400, ["read", "readRaw"]);
    expect(read).toContain("read /../outside/canary.txt leaked");
    expect(read).not.toContain("the outside world was changed");
    expect(await escapes(naive, here, 400, ["write"])).toContain("the outside world was changed");
  });
});

describe("nothing leads out while links are swapped in and out", () => {
  const SWAPPER = `
    const { workerData: { home, outside } } = require("node:worker_threads");
    const fs = require("node:fs");
    const tried = (work) => { try { work(); } catch {} };
    const at = (name) => home + "/" + name;
    for (;;) {
      tried(() => fs.mkdirSync(at("swap/sub"), { recursive: true }));
      tried(() => fs.writeFileSync(at("swap/canary.txt"), "inside", { flag: "wx" }));
      tried(() => fs.writeFileSync(at("swap/sub/deep.txt"), "inside", { flag: "wx" }));
      tried(() => fs.symlinkSync(outside, at("spare")));
      for (let n = 0; n < 20; n++) {
        tried(() => fs.renameSync(at("swap"), at("kept")));
        tried(() => fs.renameSync(at("spare"), at("swap")));
        tried(() => fs.renameSync(at("swap"), at("spare")));
        tried(() => fs.renameSync(at("kept"), at("swap")));
      }
    }`;

  /** Stops at the first escape, or when the time is up. */
  async function race(
    backend: Backend,
    disk: string,
    home: string,
    operations: readonly Operation[],
    ms: number,
  ): Promise<string[]> {
    const folder = join(disk, home, "race");
    await mkdir(folder, { recursive: true });
    const before = await hashOf(here.outside);
    // The writer of files inside must not write through its own link: it only ever creates, and outside all exists.
    const worker = new Worker(SWAPPER, { eval: true, workerData: { home: folder, outside: here.outside } });
    const found: string[] = [];
    const base = `${home}/race`;
    const targets = ["swap/canary.txt", "swap/sub/deep.txt", "swap/sub", "swap", "swap/new.txt"];
    try {
      const until = performance.now() + ms;
      for (let n = 0; performance.now() < until && found.length === 0; n++) {
        const operation = operations[n % operations.length] ?? "read";
        const target = `${base}/${targets[Math.floor(n / operations.length) % targets.length]}`;
        if (leaks(await attempt(backend, operation, target))) found.push(`${operation} ${target} leaked`);
      }
    } finally {
      await worker.terminate();
    }
    if ((await hashOf(here.outside)) !== before) found.push("the outside world was changed");
    return found;
  }

  const inside = Object.entries(BACKENDS).filter(([name]) => !name.includes("without handles"));
  test.each(inside)(
    "through %s",
    async (_name, build) => {
      expect(await race(build(here.root), here.root, OWN, OPERATIONS, LONG ? 10_000 : 400)).toEqual([]);
    },
    60_000,
  );

  test("and a backend that looks first and acts then is caught", async () => {
    const found = await race(new HastyBackend(here.root), here.root, OWN, ["readRaw"], 10_000);
    expect(found).toEqual([expect.stringContaining("leaked")]);
  });
});
