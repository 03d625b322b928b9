// What a person types around a product: run, status, next, resolve, ice. Stores made by the supervisor, the command line real.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cupelIn } from "./cupel-process.ts";
import { sampleProject } from "./git-samples.ts";
import { line, scriptText } from "./invoice-script.ts";
import { haltedProduct } from "./halted-product.ts";
import { deskIn } from "./project-samples.ts";
import { id, specOf } from "./project-specs.ts";
import { temporaryDirectory } from "./temporary.ts";

const AMEND = [
  "--action",
  "amend-spec",
  "--criterion",
  "one",
  "--criterion",
  "two",
  "--rationale",
  "because",
];

describe("a halted product", () => {
  test("says where it stands, what it needs and what to type", async () => {
    const directory = await haltedProduct();
    const status = cupelIn(directory, ["status"]);
    expect(status.code).toBe(0);
    expect(status.out).toContain(`✕ HALTED      ${id(1)}  Task 1  (Say what an empty title means.)`);
    expect(status.out).toContain(`▪ BLOCKED     ${id(2)}  Task 2  (waits for ${id(1)})`);
    expect(status.out).toContain("0/3 shipped · 1 halted · 1 blocked · $0.00");
    expect(cupelIn(directory, ["next"]).out).toBe(`cupel resolve ${id(1)}\n`);
    const shown = cupelIn(directory, ["resolve", id(1)]);
    expect(shown.out).toContain("Say what an empty title means.");
    expect(shown.out).toMatch(/^ \* AMEND_SPEC/m);
  });

  test("goes on after an answer, which is carried out at once", async () => {
    const directory = await haltedProduct();
    expect(cupelIn(directory, ["resolve", id(1), ...AMEND])).toMatchObject({
      code: 0,
      out: `${id(1)} is PENDING now.\nNext: cupel run --resume\n`,
    });
    expect(cupelIn(directory, ["next"]).out).toBe("cupel run --resume\n");
    const state = readFileSync(join(directory, ".cupel/state_store/project/state_machine.json"), "utf8");
    expect(JSON.parse(state)).toMatchObject({ tasks: { [id(2)]: { status: "PENDING" } } });
    expect(cupelIn(directory, ["resolve", id(1), ...AMEND])).toMatchObject({
      code: 2,
      err: expect.stringContaining("this one is PENDING"),
    });
  });

  test("keeps an answer for whoever works on it, and takes the first of two", async () => {
    const directory = await haltedProduct();
    const desk = await deskIn(directory, "somebody else");
    expect(cupelIn(directory, ["resolve", id(1), ...AMEND])).toMatchObject({
      code: 0,
      out: expect.stringContaining("carries it out soon"),
    });
    const second = cupelIn(directory, ["resolve", id(1), "--action", "ABANDON_TASK", "--rationale", "no"]);
    expect(second).toMatchObject({ code: 2, err: expect.stringContaining("the first answer counts") });
    expect(await desk.store.inbox.unapplied()).toMatchObject([
      { answer: { answer: { action: "AMEND_SPEC" } } },
    ]);
  });

  test.each([
    ["an action that does not exist", ["--action", "SHIP_IT"], /APPROVE_OVERRIDE/],
    ["too few criteria", [...AMEND.slice(0, 4), "--rationale", "x"], /at least 2/],
    ["a circle", [...AMEND, "--file", "FILE"], /wait for each other/],
    ["no words", ["--action", "ABANDON_TASK"], /rationale/],
  ])("refuses %s and changes nothing", async (_, args, why) => {
    const directory = await haltedProduct();
    const file = join(temporaryDirectory(), "payload.json");
    writeFileSync(file, JSON.stringify({ depends_on: [id(2)] }));
    const before = cupelIn(directory, ["status", "--json"]).out;
    const refused = cupelIn(directory, [
      "resolve",
      id(1),
      ...args.map((arg) => (arg === "FILE" ? file : arg)),
    ]);
    expect(refused).toMatchObject({ code: 2, err: expect.stringMatching(why) });
    expect(cupelIn(directory, ["status", "--json"]).out).toBe(before);
  });

  test("does not know other tasks, and names the one that was meant", async () => {
    const directory = await haltedProduct();
    const wrong = cupelIn(directory, ["resolve", "T-core-work-story-1-01", ...AMEND]);
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining(`did you mean ${id(1)}`) });
    expect(cupelIn(directory, ["ice"]).out).toBe("No request waits for you.\n");
    const decided = cupelIn(directory, ["ice", "ICE-0a1b2c3d", "--approve"]);
    expect(decided).toMatchObject({ code: 2, err: expect.stringContaining("cupel ice") });
  });
});

function ready(spec: unknown = specOf([[], [1]])): { directory: string; file: string } {
  const models = { standard: "anthropic:claude-sonnet-5", strong: "anthropic:claude-opus-5" };
  const directory = sampleProject({ "cupel.config.json": JSON.stringify({ models }) });
  const file = join(temporaryDirectory(), "spec.json");
  writeFileSync(file, JSON.stringify(spec));
  return { directory, file };
}

describe("cupel run", () => {
  test("shows the plan and what it could cost without doing anything", () => {
    const { directory, file } = ready();
    const { code, out, err } = cupelIn(directory, ["run", "--spec", file, "--dry-run", "--max-cost", "3"]);
    expect({ code, err }).toEqual({ code: 0, err: "Nothing was done. Next: cupel run\n" });
    expect(out).toContain(`  ${id(2)}  Task 2  after ${id(1)}`);
    expect(out).toMatch(/At least 14 calls of agents, about \$\d+\.\d\d .* never more than \$3\.00\./);
    expect(cupelIn(directory, ["status"]).code).toBe(2);
  });

  test("begins nothing that nobody agreed to, and says how to agree", () => {
    const { directory, file } = ready();
    const { code, err } = cupelIn(directory, ["run", "--spec", file, "--no-input"]);
    expect(code).toBe(11);
    expect(err).toContain("cupel run --yes");
    expect(cupelIn(directory, ["next"]).out).toBe("cupel run\n");
  });

  test.each([
    ["no specification", ["--yes"], 2, /cupel init/],
    ["nothing to go on with", ["--resume"], 2, /nothing was begun/],
    ["a cap that is no amount", ["--max-cost", "much"], 2, /dollars such as/],
    ["a time that is none", ["--max-time", "-1"], 2, /minutes such as/],
    ["a file that is not there", ["--spec", "nowhere.json"], 2, /there is no file nowhere\.json/],
  ])("with %s says so", (_, args, code, why) => {
    const ran = cupelIn(ready().directory, ["run", ...args]);
    expect(ran).toMatchObject({ code, err: expect.stringMatching(why) });
  });

  test("names the circle in a specification and leaves no project", () => {
    const { directory, file } = ready(specOf([[2], [1]]));
    const ran = cupelIn(directory, ["run", "--spec", file, "--yes"]);
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/TSK-001.*TSK-002/s);
  });

  test("in a folder that is no repository says what to type", () => {
    const { file } = ready();
    const directory = join(temporaryDirectory(), "plain");
    mkdirSync(directory);
    const script = join(temporaryDirectory(), "script.jsonl");
    writeFileSync(
      script,
      scriptText([line({ role: "arbiter", task: null, module: null, node: "x", attempt: 1 }, {})]),
    );
    const ran = cupelIn(directory, ["run", "--spec", file, "--replay", script]);
    expect(ran).toMatchObject({ code: 78, err: expect.stringMatching(/git init/) });
  });
});
