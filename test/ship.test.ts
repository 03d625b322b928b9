// Modules through the door: real git, real tests in the sandbox, a real store; what ships is whole, what does not is told.
import { spawnSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contractFingerprint } from "../src/domain/contract/fingerprint.ts";
import { ExecutionLog, ShipEvidence } from "../src/domain/people/ship-evidence.ts";
import { examine } from "../src/engineering/ship/examine.ts";
import { ship } from "../src/engineering/ship/ship.ts";
import type { ShipPorts } from "../src/engineering/ship/port.ts";
import { checkStateStore } from "../src/store/state-store.ts";
import { parseCommitMessage } from "../src/workshop/git/commit-message.ts";
import { commitSample, sampleGit } from "./git-samples.ts";
import { atMain, FEW, LONG, shipped, world } from "./ship-bench.ts";
import { CLAMP_SAMPLE, next, orderFor, PERCENT_SAMPLE, proposed, TASK } from "./ship-samples.ts";
import { indexChanges } from "./folder-index.ts";
import { PACKAGES } from "./typescript-site.ts";

describe("one module, by every gate", () => {
  test("is sealed, in the product, indexed and told of, once", LONG, async () => {
    const ports = await world({ "package.json": '{ "name": "mine", "imports": { "#own": "./own.js" } }\n' });
    const candidate = await proposed(ports, CLAMP_SAMPLE);
    const answer = await ship(ports, orderFor(CLAMP_SAMPLE), candidate);
    expect(answer).toMatchObject({ kind: "shipped", shipped: { module: "MM-clamp@1.0.0" } });
    // Asked for again it is the same ship.
    expect(await ship(ports, orderFor(CLAMP_SAMPLE), candidate)).toEqual(answer);
    if (answer.kind !== "shipped") return;
    const { shipId, commit } = answer.shipped;
    const { store, hub } = ports;

    const module = await store.modules.get("MM-clamp@1.0.0");
    expect(module.sealedAt).not.toBeNull();
    const files = await store.modules.contents("MM-clamp@1.0.0");
    expect(Object.keys(files).toSorted()).toEqual([
      "contract.json",
      "examples.md",
      "implementation/index.ts",
      "package/broken/index.js",
      "package/whole/index.js",
      "proof/bundle.json",
      "ship.json",
      "tests/clamp.test.ts",
      "tests/execution_log.json",
      "types/index.d.ts",
    ]);
    const evidence = ShipEvidence.parse(JSON.parse(String(files["ship.json"])));
    expect(evidence).toMatchObject({
      ship_id: shipId,
      verification: { result: "PASS", interface_fingerprint: contractFingerprint(CLAMP_SAMPLE.contract) },
      environment: { repo_revision: candidate.commit, runner_id: expect.stringContaining("vitest/") },
    });
    expect(evidence).not.toHaveProperty("undebated");
    const log = await store.payloads.get(evidence.verification.evidence_ref);
    expect(ExecutionLog.parse(JSON.parse(String(log))).summary).toEqual({ total: 6, passed: 6, failed: 0 });

    expect(commit).toBe(sampleGit(hub.gitDir, "rev-parse", hub.branch));
    const message = parseCommitMessage(`${sampleGit(hub.gitDir, "log", "-1", "--format=%B", commit)}\n`);
    expect(message).toMatchObject({ phase: "ship(clamp)", session: "r-ship", node: "ship MM-clamp@1.0.0" });
    expect(atMain(ports, "modules/clamp/src/index.ts")).toBe(CLAMP_SAMPLE.files["src/index.ts"]?.trim());
    expect(JSON.parse(atMain(ports, "modules/clamp/ship.json"))).toEqual(evidence);
    expect(JSON.parse(atMain(ports, "package.json"))).toMatchObject({
      name: "mine",
      imports: { "#own": "./own.js", "#modules/clamp": "./modules/clamp/src/index.ts" },
      scripts: { test: expect.stringContaining("vitest run") },
    });
    expect(sampleGit(hub.gitDir, "rev-parse", "refs/cupel/ships/MM-clamp@1.0.0")).toBe(commit);

    expect(indexChanges(hub.project)).toEqual(["append MM-clamp@1.0.0"]);
    const events = (await store.journal.read(0, 100)).filter(({ kind }) => kind === "module_shipped");
    expect(events).toMatchObject([{ module: "MM-clamp@1.0.0", shipRef: shipId, task: TASK.task_id }]);
    const made = await store.artifacts.query({ status: "SHIPPED" });
    const types = made.map(({ envelope }) => envelope.artifact_type);
    expect(types.toSorted()).toEqual(["CONTRACT", "EXAMPLES", "IMPLEMENTATION"]);
    expect((await store.artifacts.contributions()).map(({ type }) => type)).toEqual([
      "SHIP_EVIDENCE",
      "PROOF_BUNDLE",
    ]);
    expect((await checkStateStore(hub.project, { repair: false })).problems).toEqual([]);
  });
});

describe("a module that imports another", () => {
  test("ships on the other's build, and anybody can run the tests of the product", LONG, async () => {
    const ports = await world();
    await shipped(ports, CLAMP_SAMPLE);
    const candidate = await proposed(ports, PERCENT_SAMPLE);
    const examined = await examine(ports, orderFor(PERCENT_SAMPLE), candidate);
    expect(examined.findings).toEqual([]);
    const looks = (await ports.store.journal.read(0, 500)).filter(
      (event) => event.kind === "gate_verdict_recorded" && event.during === "examine",
    );
    expect(looks.length).toBeGreaterThan(5);
    expect(looks).toContainEqual(
      expect.objectContaining({ blocks: false, module: `${PERCENT_SAMPLE.contract.module_id}@1.0.0` }),
    );
    expect(examined.evidence?.constraintTests).toEqual([
      { path: "outputs.0.invariants.0", tests: examined.evidence?.tests.map(({ name }) => name) },
    ]);
    expect(await ship(ports, orderFor(PERCENT_SAMPLE), candidate)).toMatchObject({ kind: "shipped" });

    const { hub } = ports;
    const clone = join(hub.project, "..", "clone");
    sampleGit(hub.project, "clone", "--quiet", "--branch", hub.branch, hub.gitDir, clone);
    symlinkSync(PACKAGES, join(clone, "node_modules"));
    const tested = npmTest(clone);
    expect(tested).toMatchObject({ status: 0 });
    expect(tested.stdout).toMatch(/Tests\s+10 passed/);
    const typed = spawnSync(process.execPath, [join(PACKAGES, "typescript/bin/tsc"), "-p", clone], {
      encoding: "utf8",
    });
    expect(typed.stdout).toBe("");
  });

  test("is refused with tests that would not notice a broken dependency", LONG, async () => {
    const ports = await world();
    await shipped(ports, CLAMP_SAMPLE);
    const lazy = `import { expect, test } from "vitest";
import { percent } from "../src/index.ts";

test("is there", () => {
  expect(percent).toBeTypeOf("function");
});
`;
    const real = PERCENT_SAMPLE.files["test/percent.integration.test.ts"] ?? "";
    const files = { "test/percent.integration.test.ts": lazy, "test/percent.test.ts": real };
    const sample = { ...PERCENT_SAMPLE, files: { ...PERCENT_SAMPLE.files, ...files } };
    const order = orderFor(sample, { protocol: { debated: true, gates: ["integration"] } });
    expect(await ship(ports, order, await proposed(ports, sample))).toMatchObject({
      kind: "refused",
      findings: [
        expect.stringMatching(
          /^layers: .*is there stands among integration tests, but it passes although no dependency works/,
        ),
      ],
    });
  });
});

function npmTest(directory: string) {
  return spawnSync("npm", ["test", "--silent"], {
    cwd: directory,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: directory, CI: "1", NO_COLOR: "1" },
  });
}

const EXTRA = {
  inputs: [
    ...CLAMP_SAMPLE.contract.inputs,
    { name: "step", type: "number", constraints: [], optional: true as const },
  ],
  entry_points: CLAMP_SAMPLE.contract.entry_points.map((point) => ({
    ...point,
    signature: "(value: number, low: number, high: number, step?: number) => number",
    inputs: [...point.inputs, "step"],
  })),
};
const WITH_STEP = {
  "src/index.ts": (CLAMP_SAMPLE.files["src/index.ts"] ?? "").replace(
    "high: number): number {",
    "high: number, step = 0): number {\n  if (step > 0) return clamp(Math.round(value / step) * step, low, high);",
  ),
};
const OTHER_RESULT = {
  contract: {
    outputs: [{ name: "result", type: "string", invariants: [] }],
    entry_points: CLAMP_SAMPLE.contract.entry_points.map((point) => ({
      ...point,
      signature: "(value: number, low: number, high: number) => string",
    })),
    predicates: CLAMP_SAMPLE.contract.predicates.filter(({ kind }) => kind !== "ensures"),
  },
  files: {
    "src/index.ts": `export class RangeError_ extends Error {}

/** As text. */
export function clamp(value: number, low: number, high: number): string {
  if (low > high) throw new RangeError_("low is above high");
  return String(Math.min(Math.max(value, low), high));
}
`,
    "test/clamp.test.ts": `import fc from "fast-check";
import { expect, test } from "vitest";
import { clamp, RangeError_ } from "../src/index.ts";

test("is text", () => {
  expect(clamp(5, 0, 3)).toBe("3");
  expect(() => clamp(5, 3, 0)).toThrow(RangeError_);
});

test("is the text of a number within", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3 }), (value) => {
      expect(clamp(value, 0, 3)).toBe(String(value));
    }),
  );
});
`,
  },
};

describe("versions", () => {
  test(
    "follow from the contract: patch, minor, major; who still uses an older major keeps it",
    LONG,
    async () => {
      const ports = await world();
      await shipped(ports, CLAMP_SAMPLE);
      await shipped(ports, PERCENT_SAMPLE);

      const patch = next(CLAMP_SAMPLE, "1.0.1", { files: { "examples.md": "# clamp, again\n" } });
      await expect(shipped(ports, next(patch, "1.1.0"))).rejects.toThrow(
        "its contract is unchanged, so it has to be 1.0.1",
      );
      await shipped(ports, patch);
      expect(atMain(ports, "modules/clamp/examples.md")).toBe("# clamp, again");

      const minor = next(CLAMP_SAMPLE, "1.1.0", { contract: EXTRA, files: WITH_STEP });
      await expect(shipped(ports, next(minor, "1.0.2"))).rejects.toThrow("so it has to be 1.1.0");
      await shipped(ports, minor);

      const major = next(CLAMP_SAMPLE, "2.0.0", OTHER_RESULT);
      await expect(shipped(ports, next(major, "1.2.0"))).rejects.toThrow(
        /it breaks callers: .*, so it has to be 2\.0\.0$/,
      );
      await shipped(ports, major);
      expect(atMain(ports, "modules/clamp/src/index.ts")).toContain("string {");
      expect(atMain(ports, "modules/clamp@1/src/index.ts")).toContain("step");
      expect(atMain(ports, "modules/percent/src/index.ts")).toContain('from "#modules/clamp@1"');
      const map = JSON.parse(atMain(ports, "package.json"));
      expect(map.imports).toEqual({
        "#modules/clamp": "./modules/clamp/src/index.ts",
        "#modules/clamp@1": "./modules/clamp@1/src/index.ts",
        "#modules/percent": "./modules/percent/src/index.ts",
      });
      // What is sealed is as it was.
      const sealed = await ports.store.modules.contents("MM-percent@1.0.0");
      expect(String(sealed["implementation/index.ts"])).toContain('from "#modules/clamp"');
      const { hub } = ports;
      const clone = join(hub.project, "..", "clone");
      sampleGit(hub.project, "clone", "--quiet", "--branch", hub.branch, hub.gitDir, clone);
      symlinkSync(PACKAGES, join(clone, "node_modules"));
      expect(npmTest(clone)).toMatchObject({ status: 0 });

      // The last user moves on, and the old version goes.
      const text = (PERCENT_SAMPLE.files["src/index.ts"] ?? "")
        .replace("return clamp(", "return Number(clamp(")
        .replace("100);", "100));");
      const moved = next(PERCENT_SAMPLE, "1.0.1", {
        contract: { dependencies: [{ ref: "MM-clamp@^2.0.0", why: "it keeps numbers in a range" }] },
        files: { "src/index.ts": text },
        dependencies: ["MM-clamp@2.0.0"],
      });
      await shipped(ports, moved);
      expect(sampleGit(hub.gitDir, "ls-tree", "--name-only", hub.branch, "modules/").split("\n")).toEqual([
        "modules/clamp",
        "modules/percent",
      ]);
      expect(atMain(ports, "modules/percent/src/index.ts")).toContain('from "#modules/clamp"');
      expect(Object.keys(JSON.parse(atMain(ports, "package.json")).imports)).toEqual([
        "#modules/clamp",
        "#modules/percent",
      ]);
      const states = ["1.0.0", "1.0.1", "1.1.0", "2.0.0"].map(async (version) => {
        const entry = await ports.index.get(`MM-clamp@${version}`);
        return [version, entry?.status, entry?.superseded_by];
      });
      expect(await Promise.all(states)).toEqual([
        ["1.0.0", "SUPERSEDED", "MM-clamp@1.0.1"],
        ["1.0.1", "SUPERSEDED", "MM-clamp@1.1.0"],
        ["1.1.0", "SUPERSEDED", "MM-clamp@2.0.0"],
        ["2.0.0", "SHIPPED", undefined],
      ]);
    },
  );

  test("a compatible version that breaks whoever imports it is refused by their tests", LONG, async () => {
    const ports = await world();
    await shipped(ports, CLAMP_SAMPLE);
    await shipped(ports, PERCENT_SAMPLE);
    const files = {
      "src/index.ts": (CLAMP_SAMPLE.files["src/index.ts"] ?? "")

        .replace("value > high ? high : value", "value > high && high !== 100 ? high : value"),
    };
    const patch = next(CLAMP_SAMPLE, "1.0.1", { files });
    const order = orderFor(patch, { protocol: { debated: true, gates: ["integration"] } });
    expect(await ship(ports, order, await proposed(ports, patch))).toMatchObject({
      kind: "refused",
      findings: expect.arrayContaining([expect.stringMatching(/^integration: percent imports this module;/)]),
    });
  });
});

describe("words that stay on the seal", () => {
  test("a person's override ships what an arbiter rejected, and its reason is kept", LONG, async () => {
    const ports = await world();
    const rejected = await proposed(ports, CLAMP_SAMPLE, "REJECT");
    const override = { escalation_ref: "ESC-0a1b2c3d", rationale: "We need it by noon." };
    const answer = await ship(ports, orderFor(CLAMP_SAMPLE, { protocol: FEW }), { ...rejected, override });
    expect(answer.kind).toBe("shipped");
    expect(JSON.parse(atMain(ports, "modules/clamp/ship.json"))).toMatchObject({ override });
    expect((await ports.index.get("MM-clamp@1.0.0"))?.notes).toContain("We need it by noon.");
  });

  test("a protocol without a debate ships undebated for ever", LONG, async () => {
    const ports = await world();
    const alone = { ...(await proposed(ports, CLAMP_SAMPLE)), proposal: null };
    const order = orderFor(CLAMP_SAMPLE, { protocol: { debated: false, gates: ["green"] } });
    expect((await ship(ports, order, alone)).kind).toBe("shipped");
    expect(JSON.parse(atMain(ports, "modules/clamp/ship.json"))).toMatchObject({ undebated: true });
  });
});

describe("a person at work in the same place", () => {
  test("commits while a module ships: both are there afterwards", LONG, async () => {
    const ports = await world();
    const { gitDir, project, branch } = ports.hub;
    const moving: ShipPorts = {
      ...ports,
      onStep: (step) => {
        if (step !== "committed" || existsSync(join(project, "mine.txt"))) return;
        commitSample(project, { "mine.txt": "mine\n" }, "mine");
        // The branch of the hub moves, as it does when another command takes over what the person did.
        sampleGit(gitDir, "fetch", "--quiet", project, "+main:main");
      },
    };
    const candidate = await proposed(ports, CLAMP_SAMPLE);
    const answer = await ship(moving, orderFor(CLAMP_SAMPLE, { protocol: FEW }), candidate);
    expect(answer.kind).toBe("shipped");
    expect(atMain(ports, "mine.txt")).toBe("mine");
    expect(atMain(ports, "modules/clamp/contract.json")).toContain("MM-clamp");
    const subjects = sampleGit(gitDir, "log", "--format=%s", branch).split("\n");
    expect(subjects).toEqual([expect.stringMatching(/^ship\(clamp\)/), "mine", "start"]);
  });
});
