import { existsSync, readdirSync, readFileSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { proposerInput } from "../../test/agent-samples.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { KEY, scriptOf, WORK, writeProject } from "../../test/works-samples.ts";
import { challenger } from "../agents/roles/challenger.ts";
import { proposer } from "../agents/roles/proposer.ts";
import type { RunEvent } from "../domain/run/run-event.ts";
import { defineGraph, stateKey } from "../graph/define-graph.ts";
import { openStateStore } from "../store/state-store.ts";
import type { Ask, Asking } from "./asker.ts";
import { openWorks } from "./works.ts";
import type { Works, WorksOptions } from "./works.ts";

async function open(options: Partial<WorksOptions> & { project: string }): Promise<Works> {
  const works = await openWorks({ env: {}, ...options });
  onTestFinished(() => works.close().catch(() => undefined));
  return works;
}

function asking(change: Partial<Asking<typeof proposer.input>> = {}): Asking<typeof proposer.input> {
  return {
    input: proposerInput(),
    key: KEY,
    tools: [],
    signal: new AbortController().signal,
    ...change,
  };
}

async function journalOf(project: string): Promise<RunEvent[]> {
  const store = openStateStore(project, { durability: "normal", missing: "refuse" });
  const events = await store.journal.read(0, 1000);
  await store.close();
  return events;
}

describe("works", () => {
  test("ask a role: in the journal, on the budget, with a transcript that can be read", async () => {
    const project = temporaryDirectory();
    const works = await open({ project, replay: writeProject(project), runId: "r-1" });
    const outcome = await works.ask(proposer, asking());
    expect(outcome).toMatchObject({ kind: "done", output: WORK, costUsd: 0, asked: 1 });
    expect(works.budget()).toMatchObject({ run: { tokens: 1234, microUsd: 0 }, reservations: {} });
    const ref = outcome.transcriptRef ?? "";
    const lines = String(await works.store.payloads.get(ref))
      .trimEnd()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line).kind)).toEqual(["system", "prompt"]);
    await works.close("completed");
    expect(await journalOf(project)).toMatchObject([
      { kind: "run_opened", runId: "r-1", budget: { usd: 10 } },
      { kind: "role_call_started", runId: "r-1", role: "proposer", ...KEY },
      { kind: "role_call_finished", transcriptRef: ref },
      { kind: "run_closed", outcome: "completed" },
    ]);
  });

  test("go on from a conversation that they had themselves, and from no other", async () => {
    const project = temporaryDirectory();
    const works = await open({ project, replay: writeProject(project, [{}, {}, {}]), ignoreInput: true });
    const heard = async (attempt: number, forkFrom?: string): Promise<[string, string[]]> => {
      const outcome = await works.ask(
        proposer,
        asking({ key: { ...KEY, attempt }, ...(forkFrom === undefined ? {} : { forkFrom }) }),
      );
      const lines = String(await works.store.payloads.get(outcome.transcriptRef ?? "")).trimEnd();
      const kinds = lines.split("\n").map((line): string => JSON.parse(line).kind);
      return [outcome.kind === "done" ? outcome.session : "", kinds];
    };
    const [session, first] = await heard(1);
    expect(first).toEqual(["system", "prompt"]);
    expect((await heard(2, session))[1]).toEqual(["prompt"]);
    expect((await heard(3, "somebody-elses"))[1]).toEqual(["system", "prompt"]);
  });

  test("close once, however often and by whomever they are closed, and take no call afterwards", async () => {
    const project = temporaryDirectory();
    const works = await open({ project, replay: writeProject(project) });
    await Promise.all([works.close("halted"), works.close(), works.close("completed")]);
    await works.close();
    await expect(works.ask(proposer, asking())).rejects.toThrow("closed");
    const events = await journalOf(project);
    expect(events.map(({ kind }) => kind)).toEqual(["run_opened", "run_closed"]);
    expect(events.at(-1)).toMatchObject({ outcome: "halted" });
  });

  test("closing ends a call that is under way, and the journal has its end", async () => {
    const project = temporaryDirectory();
    const works = await open({ project, replay: writeProject(project, [{ latencyMs: 60_000 }]), pace: 1 });
    const asked = works.ask(proposer, asking());
    await expect.poll(() => Object.keys(works.budget().reservations)).toHaveLength(1);
    await works.close();
    expect(await asked).toMatchObject({ kind: "aborted" });
    const kinds = (await journalOf(project)).map(({ kind }) => kind);
    expect(kinds).toEqual(["run_opened", "role_call_started", "role_call_failed", "run_closed"]);
  });

  test("of the same run are refused with the name of who holds it", async () => {
    const project = temporaryDirectory();
    const replay = writeProject(project);
    const first = await open({ project, replay, runId: "r-1" });
    await expect(openWorks({ project, replay, runId: "r-1", env: {} })).rejects.toMatchObject({
      code: "run_held",
      message: expect.stringMatching(`^process ${process.pid} on .+ works on the run r-1$`),
      hint: expect.stringMatching(/free after 20\d\d-/),
    });
    await open({ project, replay, runId: "r-2" });
    await first.close();
    await open({ project, replay, runId: "r-1" });
  });

  test("keep their run while they live", async () => {
    const project = temporaryDirectory();
    const works = await open({ project, replay: writeProject(project), ttlMs: 100 });
    const until = async () => (await works.store.leases.list())[0]?.expiresAt ?? "";
    const first = await until();
    await expect.poll(until).not.toBe(first);
    expect(works.lost.aborted).toBe(false);
  });

  test("that lost their run stop their calls and write nothing any more", async () => {
    const project = temporaryDirectory();
    const replay = writeProject(project, [{ latencyMs: 60_000 }]);
    const first = await open({ project, replay, runId: "r-1", pace: 1, ttlMs: 100 });
    const asked = first.ask(proposer, asking());
    await expect.poll(() => Object.keys(first.budget().reservations)).toHaveLength(1);
    const second = await open({ project, replay, runId: "r-1", now: () => Date.now() + 60_000 });
    await expect(asked).rejects.toMatchObject({ code: "stale_fence" });
    expect(first.lost.aborted).toBe(true);
    await first.close();
    await second.close("completed");
    expect((await journalOf(project)).map(({ kind }) => kind)).toEqual([
      "run_opened",
      "role_call_started",
      "role_call_failed",
      "run_opened",
      "run_closed",
    ]);
  });

  test("that could not be opened leave the run free", async () => {
    const project = temporaryDirectory();
    const replay = writeProject(project);
    const broken = openWorks({
      project,
      replay,
      runId: "r-1",
      env: {},
      jobs: () => {
        throw new Error("no jobs");
      },
    });
    await expect(broken).rejects.toThrow("no jobs");
    expect((await journalOf(project)).at(-1)).toMatchObject({ kind: "run_closed", outcome: "failed" });
    await open({ project, replay, runId: "r-1" });
  });

  test("use the project's own prompts where it has some", async () => {
    const project = temporaryDirectory();
    mkdirSync(join(project, "cupel/prompts"), { recursive: true });
    writeFileSync(
      join(project, "cupel/prompts/proposer.jinja"),
      "Be brief.\n{# task #}\nBuild {{ phase }}.\n",
    );
    const works = await open({ project, replay: writeProject(project) });
    const { transcriptRef } = await works.ask(proposer, asking());
    const text = String(await works.store.payloads.get(transcriptRef ?? ""));
    expect(text).toContain('{"kind":"system","text":"Be brief."}');
  });

  test("run graphs whose nodes ask roles, under the run's own id", async () => {
    const project = temporaryDirectory();
    const seen: string[] = [];
    const works = await open({
      project,
      replay: writeProject(project),
      runId: "r-1",
      observers: [({ node }) => void seen.push(node)],
    });
    const outcome = await works.graphs.run(asks, { thread: "t-1", runId: "r-1", ports: works });
    expect(outcome).toMatchObject({ kind: "finished", state: { claim: "done" } });
    await works.close();
    await expect.poll(() => seen).toEqual(["make"]);
    const events = await journalOf(project);
    expect(new Set(events.map(({ runId }) => runId))).toEqual(new Set(["r-1"]));
    expect(events.map(({ kind }) => kind)).toContain("node_finished");
  });
});

const asks = defineGraph({
  name: "asks",
  version: 1,
  state: { claim: stateKey({ schema: z.string(), initial: () => "" }) },
  nodes: {
    make: {
      async run(_, { ask }: { ask: Ask }, { signal }) {
        const outcome = await ask(proposer, asking({ signal }));
        return { update: { claim: outcome.kind === "done" ? outcome.output.claim : outcome.kind } };
      },
      to: ["end"],
      timeoutMs: 5000,
      lane: "proposer",
      does: "asks",
    },
  },
  entries: { start: "make" },
});

describe("before anything is opened it is said", () => {
  test.each<[string, Partial<WorksOptions>, object, RegExp]>([
    ["that a role has no model", { roles: [proposer] }, {}, /no model is named for the proposer/],
    [
      "that the one role has a model and the other not",
      { roles: [proposer, challenger] },
      { models: { standard: "a:b" } },
      /no model is named for the challenger/,
    ],
    ["that the settings are wrong", {}, { concurency: 2 }, /did you mean "concurrency"/],
    ["that there is no script", { replay: "nowhere.jsonl" }, {}, /there is no file nowhere\.jsonl/],
    ["that a folder is no script", { replay: "." }, {}, /no file that can be a script/],
    ["that a run cannot be called so", { runId: "../x" }, {}, /the id of the run is not valid/],
  ])("%s", async (_, options, config, message) => {
    const project = temporaryDirectory();
    writeProject(project, [], config);
    await expect(openWorks({ project, env: {}, ...options })).rejects.toThrow(message);
    expect(existsSync(join(project, ".cupel"))).toBe(false);
  });

  test("that a project has no store, where none is to be made", async () => {
    const project = temporaryDirectory();
    await expect(openWorks({ project, missing: "refuse", env: {} })).rejects.toThrow("no state store");
    expect(existsSync(join(project, ".cupel"))).toBe(false);
  });

  test.each([
    ["scripted", "plays a script, and none was given"],
    ["acp", "needs the command that starts your agent"],
  ] as const)("and when the runtime %s is asked, what it lacks", async (runtime, message) => {
    const project = temporaryDirectory();
    const works = await open({ project, cast: { runtime, model: "a:b" } });
    await expect(works.ask(proposer, asking())).rejects.toThrow(message);
  });

  test("a model without a key fails with what to type, and costs nothing", async () => {
    const project = temporaryDirectory();
    const works = await open({ project, cast: { model: "anthropic:claude-sonnet-5" } });
    const outcome = await works.ask(proposer, asking());
    expect(outcome).toMatchObject({ kind: "failed", hint: "export ANTHROPIC_API_KEY=…", costUsd: 0 });
    expect(works.budget().run.microUsd).toBe(0);
  });
});

describe("recordings", () => {
  test("play back the same, for nobody else to read", async () => {
    const project = temporaryDirectory();
    const workspace = temporaryDirectory();
    const record = join(project, "recorded.jsonl");
    const replay = writeProject(project, [{ files: { "src/a.ts": "export const a = 1;\n" } }]);
    const first = await open({ project, replay, record });
    const recorded = await first.ask(proposer, asking({ workspace }));
    await first.close();
    expect(statSync(record).mode & 0o777).toBe(0o600);
    const elsewhere = temporaryDirectory();
    const second = await open({ project, replay: record, cast: { runtime: "model" } });
    const played = await second.ask(proposer, asking({ workspace: elsewhere }));
    expect(recorded).toMatchObject({ kind: "done", output: WORK });
    expect(played).toEqual(recorded);
    expect(readFileSync(join(elsewhere, "src/a.ts"), "utf8")).toBe("export const a = 1;\n");
  });

  test("are not played to somebody who asks something else, unless told", async () => {
    const project = temporaryDirectory();
    const record = join(project, "recorded.jsonl");
    const first = await open({ project, replay: writeProject(project), record });
    await first.ask(proposer, asking());
    await first.close();
    const other = asking({ input: proposerInput({ task_file: "# Task: something else" }) });
    const strict = await open({ project, replay: record });
    expect(await strict.ask(proposer, other)).toMatchObject({
      kind: "failed",
      why: expect.stringMatching(/asked something else than when/),
      hint: expect.stringMatching(/--ignore-input/),
    });
    const lenient = await open({ project, replay: record, ignoreInput: true });
    expect(await lenient.ask(proposer, other)).toMatchObject({ kind: "done", output: WORK });
  });

  test("go into no file that holds something, unless told", async () => {
    const project = temporaryDirectory();
    const replay = writeProject(project, [{}, {}]);
    const record = join(project, "recorded.jsonl");
    const first = await open({ project, replay, record });
    await first.ask(proposer, asking());
    await first.close();
    await expect(openWorks({ project, replay, record, env: {} })).rejects.toMatchObject({
      code: "already_exists",
      message: `${record} holds something already`,
    });
    await expect(openWorks({ project, replay, record: "/dev/null", env: {} })).rejects.toThrow(
      "no ordinary file",
    );
    const second = await open({ project, replay, record, append: true });
    await second.ask(proposer, asking({ key: { ...KEY, attempt: 2 } }));
    await second.close();
    expect(readFileSync(record, "utf8").trimEnd().split("\n")).toHaveLength(2);
  });
});

test("secrets of the environment are in nothing that is kept", async () => {
  const secret = "hunter2-hunter2-hunter2";
  const project = temporaryDirectory();
  const record = join(project, "recorded.jsonl");
  const replay = join(temporaryDirectory(), "script.jsonl");
  const crash = { ending: "crash", output: null, said: `the key ${secret} was refused` } as const;
  const leak = { output: { answer: { ...WORK, claim: `found ${secret}` } }, said: secret };
  writeFileSync(replay, scriptOf(leak, crash));
  const works = await open({ project, replay, record, env: { MY_API_KEY: secret } });
  const input = proposerInput({ task_file: `# Task: use ${secret}` });
  expect(await works.ask(proposer, asking({ input }))).toMatchObject({ kind: "done" });
  const failed = await works.ask(proposer, asking({ input, key: { ...KEY, attempt: 2 } }));
  expect(failed).toMatchObject({ kind: "failed", why: "the key [secret] was refused" });
  await works.close();

  const files = readdirSync(project, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  const texts = files.map((file) => readFileSync(join(file.parentPath, file.name), "latin1"));
  expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  // The two transcripts, the recording and the journal: all that an agent's words go into.
  expect(texts.filter((text) => text.includes("[secret]"))).toHaveLength(4);
});
