// What a protocol is given: work that comes back as commits, stops that say why, requests for another contract.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type Ground,
  type GroundOptions,
  line,
  openGround,
  orderOf,
} from "../../../test/engineering-ground.ts";
import {
  inModule,
  inNode,
  OWN,
  PERCENT_CONTRACT,
  PERCENT_FILES,
  percentInput,
  shipClamp,
  THREAD,
} from "../../../test/module-ground.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { show } from "../../../test/workshop-samples.ts";
import { closeCalls } from "../calls/close-calls.ts";
import { proposer } from "../../agents/roles/proposer.ts";
import { git } from "../../workshop/git/git.ts";

const WORK = { claim: "done", acceptance_checks: ["`half is fifty`: shown"], applied_amendments: [] };
const proposing = (change: Record<string, unknown> = {}) =>
  line({ role: "proposer", module: OWN, node: "make", output: WORK, ...change });

async function ground(options: GroundOptions): Promise<Ground> {
  const opened = await openGround(temporaryDirectory(), options);
  onTestFinished(() => opened.close());
  await shipClamp(opened);
  return opened;
}

describe("writing", () => {
  test("starts from the scaffold, sees what is granted, and comes back as a commit", async () => {
    const at = await ground({
      script: [
        proposing({
          files: inModule({ ...PERCENT_FILES, "contract.json": "changed" }),
          toolCalls: [{ tool: "glob", input: { pattern: "**" } }],
        }),
      ],
    });
    const { hub, store } = at.ports;
    const { base, written } = await inNode(at, async (turn) => {
      const base = await turn.ports.scaffold(turn.context, PERCENT_CONTRACT);
      const input = percentInput(turn);
      return {
        base,
        written: await turn.ports.write(turn.context, { role: proposer, input, attempt: 1, base }),
      };
    });
    const [seen] = at.told;
    expect(seen?.text.split("\n")).toEqual([
      "/contract.json",
      "/modules/",
      "/modules/clamp/",
      "/modules/clamp/contract.json",
      "/modules/clamp/examples.md",
      "/modules/clamp/ship.json",
      "/modules/clamp/types/",
      "/modules/clamp/types/index.d.ts",
      "/modules/percent/",
      "/modules/percent/contract.json",
      "/modules/percent/src/",
      "/modules/percent/src/index.ts",
      "/modules/percent/test/",
      "/modules/percent/test/percent.test.ts",
      "/src/",
      "/src/index.ts",
      "/test/",
      "/test/percent.test.ts",
    ]);
    if (written.kind !== "answered" || written.work.kind !== "taken")
      throw new Error(JSON.stringify(written));
    const { commit } = written.work;
    expect(await show(hub.gitDir, `${commit}:modules/percent/src/index.ts`)).toBe(
      PERCENT_FILES["src/index.ts"],
    );
    // What it may only read stays as it was, and nothing of a dependency is taken along.
    const changed = (await git(["diff", "--name-only", base, commit], { gitDir: hub.gitDir }))
      .trim()
      .split("\n");
    expect(changed).toEqual(["modules/percent/src/index.ts", "modules/percent/test/percent.test.ts"]);
    expect(await git(["log", "-1", "--format=%s%n%b", commit], { gitDir: hub.gitDir })).toContain(
      "Node: make",
    );
    expect(
      readdirSync(join(hub.project, ".cupel/workspaces")).filter((name) => !name.startsWith(".")),
    ).toEqual([]);
    expect(await store.packAudit.list(written.pack)).toMatchObject([{ operation: "glob", granted: true }]);
    expect(await show(hub.gitDir, `${base}:modules/percent/src/index.ts`)).toContain("percent");
  });

  test("nothing written is nothing, a link is refused with its name, and both are safe to ask again", async () => {
    const at = await ground({
      script: [proposing(), proposing({ attempt: 2, files: { "modules/percent/.git/x": "" } })],
    });
    const works = await inNode(at, async (turn) => {
      const base = await turn.ports.scaffold(turn.context, PERCENT_CONTRACT);
      const input = percentInput(turn);
      const first = await turn.ports.write(turn.context, { role: proposer, input, attempt: 1, base });
      const second = await turn.ports
        .write(turn.context, { role: proposer, input, attempt: 2, base })
        .catch((error: unknown) => error);
      return [first, second];
    });
    expect(works[0]).toMatchObject({ kind: "answered", work: { kind: "nothing" } });
    // A script that a workspace refuses is an agent that crashed, which says nothing about the work.
    expect(works[1]).toMatchObject({ code: "call_interrupted", hint: expect.stringContaining("again") });
  });
});

test("what an agent ends with is a stop that says why; what comes between interrupts the run", async () => {
  const at = await ground({
    script: [
      proposing({ output: { kind: "blocker", why: "It contradicts itself.", needs: ["a word"] } }),
      proposing({ attempt: 2, ending: "refused", said: "I will not." }),
      proposing({ attempt: 3, output: { claim: 5 } }),
    ],
  });
  const stops = await inNode(at, async (turn) => {
    const base = await turn.ports.scaffold(turn.context, PERCENT_CONTRACT);
    const ask = (attempt: number) =>
      turn.ports.write(turn.context, { role: proposer, input: percentInput(turn), attempt, base });
    return [await ask(1), await ask(2), await ask(3).catch((error: unknown) => error)];
  });
  expect(stops).toMatchObject([
    {
      stop: {
        kind: "blocked",
        why: expect.stringContaining("It contradicts itself."),
        interfaceChange: null,
      },
    },
    { stop: { kind: "refused", why: "I will not." } },
    { code: "call_interrupted", message: expect.stringContaining("the script has no line") },
  ]);
  // Each of them is on the trail, once, however often the thread is closed.
  const { store } = at.ports;
  const subject = { task: orderOf().task };
  for (let again = 0; again < 2; again += 1) await closeCalls(at.ports, THREAD, subject);
  await closeCalls(at.ports, "r-1/t/1/another", subject);
  const packs = await store.artifacts.query({ type: "CONTEXT_PACK" });
  expect(await store.artifacts.contributions()).toMatchObject(
    packs.map(({ envelope }) => ({ type: "CALL_RECORD", context_pack_ref: envelope.artifact_id })),
  );
  expect(packs).toHaveLength(3);
});

describe("a request for another contract", () => {
  const request = {
    target_module: "MM-clamp@1.0.0",
    type: "CANNOT_SUPPORT",
    reason: "It cannot wrap.",
    evidence: ["percent(-1) should be 99"],
    proposed_contract_delta: {
      added_error_surfaces: [{ name: "Wrapped", when: "it wraps", surface: "exception" }],
    },
    compatibility_expectation: "BREAKING",
    urgency: "BLOCKING",
  };
  const raise = (change: object = {}) => ({
    tool: "raise_interface_change_exception",
    input: { ...request, ...change },
  });

  test("is kept once, closes every tool of the call, and stops the work whatever the agent answers", async () => {
    const toolCalls = [
      raise({ target_module: "MM-percent@1.0.0" }),
      raise({ evidence: [] }),
      raise({ evidence: ["x".repeat(40_000)] }),
      raise(),
      raise({ reason: "Another one." }),
      { tool: "read", input: { path: "/src/index.ts" } },
      { tool: "run_tests", input: {} },
    ];
    const at = await ground({ script: [proposing({ toolCalls })] });
    const written = await inNode(at, async (turn) => {
      const base = await turn.ports.scaffold(turn.context, PERCENT_CONTRACT);
      return turn.ports.write(turn.context, { role: proposer, input: percentInput(turn), attempt: 1, base });
    });
    const { store } = at.ports;
    const [file, ...more] = readdirSync(join(store.root, "exceptions"));
    expect(more).toEqual([]);
    const id = file?.replace(".json", "") ?? "";
    expect(JSON.parse(readFileSync(join(store.root, "exceptions", file ?? ""), "utf8"))).toMatchObject({
      exception_id: id,
      reason: "It cannot wrap.",
      raised_by: { role: "proposer", artifact_ref: `${OWN}@1.0.0` },
    });
    expect(await store.artifacts.has(id)).toBe(true);
    expect(at.told.map(({ text }) => text)).toEqual([
      expect.stringContaining("its own contract changes through the debate"),
      expect.stringContaining("was not run, its input does not fit"),
      expect.stringContaining("it is longer than 32000 characters"),
      expect.stringContaining(`Raised as ${id}`),
      ...[1, 2, 3].map(() => expect.stringContaining(`Nothing was done: you raised ${id}`)),
    ]);
    expect(written).toMatchObject({ kind: "stopped", stop: { kind: "blocked", interfaceChange: id } });
  });
});
