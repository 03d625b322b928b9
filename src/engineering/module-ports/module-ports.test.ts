// What a protocol is given: calls with their packs, work that comes back as commits, records, locks, scaffolds.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { arbiterInput, challenge, challengerInput, proposal } from "../../../test/agent-samples.ts";
import { type Ground, type GroundOptions, line, openGround, TASK } from "../../../test/engineering-ground.ts";
import {
  inModule,
  inNode,
  OWN,
  PERCENT_CONTRACT,
  PERCENT_FILES,
  percentInput,
  shipClamp,
} from "../../../test/module-ground.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { show } from "../../../test/workshop-samples.ts";
import { arbiter } from "../../agents/roles/arbiter.ts";
import { challenger } from "../../agents/roles/challenger.ts";
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
      const second = await turn.ports.write(turn.context, { role: proposer, input, attempt: 2, base });
      return [first, second];
    });
    expect(works[0]).toMatchObject({ kind: "answered", work: { kind: "nothing" } });
    // A script that a workspace refuses is an agent that crashed.
    expect(works[1]).toMatchObject({ kind: "stopped", stop: { kind: "failed", role: "proposer" } });
  });
});

test("every ending but an answer is a stop that says why", async () => {
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
    return [await ask(1), await ask(2), await ask(3)];
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
    { stop: { kind: "failed" } },
  ]);
});

interface Row {
  name: string;
  included: Record<string, string>;
  excluded: string[];
}

describe("the packs are those of §9.7", () => {
  const task = `${TASK.task_id}@1.0.0`;
  const own = `${OWN}@1.0.0`;
  const ROWS: Row[] = [
    {
      name: "proposer",
      included: {
        [task]: "FULL",
        [own]: "FULL",
        "MM-clamp@1.0.0": "CONTRACT_ONLY",
        "code_index_results@1.0.0": "FULL",
        "implementation_source@1.0.0": "FULL",
        "harness_schemas@1.0.0": "FULL",
      },
      excluded: [
        "challenge@1.0.0",
        "adjudication@1.0.0",
        "evaluation_rubric@1.0.0",
        "decomposition_rubric@1.0.0",
        "debate_trail@1.0.0",
        "evidence_report@1.0.0",
        "critiques@1.0.0",
      ],
    },
    {
      name: "challenger",
      included: {
        [own]: "CONTRACT_ONLY",
        "MM-clamp@1.0.0": "CONTRACT_ONLY",
        "PROP-0a1b2c3d@1.0.0": "FULL",
        "evaluation_rubric@1.0.0": "FULL",
        "decomposition_rubric@1.0.0": "FULL",
        "evidence_report@1.0.0": "FULL",
        "acceptance_criteria@1.0.0": "FULL",
        "CHAL-0a1b2c3d@1.0.0": "FULL",
      },
      excluded: [
        task,
        "code_index_results@1.0.0",
        "harness_schemas@1.0.0",
        "workspace@1.0.0",
        "implementation_source@1.0.0",
        "adjudication@1.0.0",
      ],
    },
    {
      name: "arbiter",
      included: {
        [task]: "FULL",
        [own]: "CONTRACT_ONLY",
        "PROP-0a1b2c3d@1.0.0": "FULL",
        "CHAL-0a1b2c3d@1.0.0": "FULL",
      },
      excluded: [
        "MM-clamp@1.0.0",
        "code_index_results@1.0.0",
        "harness_schemas@1.0.0",
        "workspace@1.0.0",
        "implementation_source@1.0.0",
        "evaluation_rubric@1.0.0",
        "decomposition_rubric@1.0.0",
      ],
    },
  ];
  const packs = new Map<string, Row>();

  beforeEach(async () => {
    if (packs.size > 0) return;
    const verdict = {
      verdict: "PASS",
      failures: [],
      rubric_assessments: challenge.rubric_assessments.map((a) => ({ ...a, assessment: "MET" })),
    };
    const at = await ground({
      script: [
        proposing(),
        line({ role: "challenger", module: OWN, node: "make", output: verdict }),
        line({
          role: "arbiter",
          module: OWN,
          node: "make",
          output: { rationale: "No.", decision: "REJECT", amendments: [], ship_directive: "NO_SHIP" },
        }),
      ],
    });
    const answers = await inNode(at, async (turn) => {
      const { ports, context } = turn;
      const base = await ports.scaffold(context, PERCENT_CONTRACT);
      const contract = PERCENT_CONTRACT;
      const dependencies = [...ports.assignment.dependencies];
      const input = percentInput(turn, { harness_schemas: { Proposal: {} } });
      return [
        await ports.write(context, { role: proposer, input, attempt: 1, base }),
        await ports.ask(context, {
          role: challenger,
          input: challengerInput({ contract, dependencies, debate_trail: [{ proposal, challenge }] }),
          attempt: 1,
        }),
        await ports.ask(context, { role: arbiter, input: arbiterInput({ contract }), attempt: 1 }),
      ];
    });
    for (const answer of answers) expect(answer).toMatchObject({ kind: "answered" });
    const { root } = at.ports.store;
    for (const file of readdirSync(join(root, "context_packs"))) {
      const pack = JSON.parse(readFileSync(join(root, "context_packs", file), "utf8"));
      const included = pack.included_refs.map((entry: { ref: string; permission: string }) => [
        entry.ref,
        entry.permission,
      ]);
      const excluded = pack.excluded_refs.map(({ ref }: { ref: string }) => ref);
      packs.set(pack.created_for.role, {
        name: pack.created_for.role,
        included: Object.fromEntries(included),
        excluded,
      });
    }
  });

  test.each(ROWS)("of the $name", ({ name, included, excluded }) => {
    const pack = packs.get(name);
    expect(pack?.included).toEqual(included);
    expect(pack?.excluded).toEqual(expect.arrayContaining(excluded));
    expect(pack?.excluded).toContain("other_module_source@1.0.0");
    for (const ref of pack?.excluded ?? []) expect(Object.keys(included)).not.toContain(ref);
  });
});

test("what the table does not grant is not handed over, whoever wants to", async () => {
  const at = await ground({ script: [] });
  const asking = inNode(at, ({ ports, context }) =>
    ports.ask(context, {
      role: { ...arbiter, facts: { rubric: "R1 to R6" } },
      input: arbiterInput(),
      attempt: 1,
    }),
  );
  await expect(asking).rejects.toThrow("evaluation rubric was to be shown to the arbiter");
  expect(at.calls()).toBe(0);
});

describe("records", () => {
  test("lie in the store and in debates/, move their target on, and are made once", async () => {
    const at = await ground({ script: [] });
    const { store } = at.ports;
    const work = () =>
      inNode(at, async ({ ports: { records, lock }, context }) => {
        const by = { role: "harness" } as const;
        const first = await records.propose(context, {
          claim: "The contract says it all.",
          acceptance_checks: ["read it"],
          deliverable: { kind: "contract", contract: PERCENT_CONTRACT },
          by,
        });
        const { challenge_id, target_artifact_id, ...judged } = challenge;
        const failed = await records.challenge(context, first, judged, by);
        const revised = { ...PERCENT_CONTRACT, purpose: "Turns a share into percents." };
        const second = await records.propose(context, {
          claim: "Better.",
          acceptance_checks: ["read it"],
          deliverable: { kind: "contract", contract: revised },
          revises: first,
          by,
        });
        await records.challenge(context, second, judged, by);
        const decision = { amendments: [], rationale: "Fine." };
        const adjudication = await records.adjudicate(
          context,
          second,
          { ...decision, decision: "APPROVE", ship_directive: "SHIP" },
          by,
        );
        const locked = [await lock(context, revised), await lock(context, revised)];
        const other = await lock(context, { ...revised, tags: ["x"] });
        return { first, failed, second, adjudication, locked, other };
      });
    const { first, failed, second, adjudication, locked, other } = await work();
    const status = async (id: string) => (await store.artifacts.get(id)).envelope;
    expect(await status(first.target_artifact_id)).toMatchObject({ status: "CHALLENGED", version: "1.0.0" });
    expect(await status(second.target_artifact_id)).toMatchObject({
      status: "ADJUDICATED",
      version: "1.1.0",
    });
    const read = (id: string, name: string) =>
      JSON.parse(readFileSync(join(store.root, "debates", id, `${name}.json`), "utf8"));
    expect(read(first.target_artifact_id, "proposal")).toEqual(first);
    expect(read(first.target_artifact_id, "challenge")).toEqual(failed);
    expect(read(second.target_artifact_id, "adjudication")).toEqual(adjudication);
    // What was debated is what is locked.
    expect(locked[0]).toEqual(locked[1]);
    expect(locked[0]?.ref).toBe(`${second.target_artifact_id}@1.1.0`);
    expect(other.ref).not.toBe(locked[0]?.ref);
    expect((await store.artifacts.contributions()).map(({ type }) => type)).toEqual([
      "CONTRACT",
      "CHALLENGE",
      "CONTRACT",
      "CHALLENGE",
      "ADJUDICATION",
    ]);
  });

  test("a node that dies on the way makes none of them twice", async () => {
    const at = await ground({ script: [] });
    let tries = 0;
    const work = () =>
      inNode(at, async ({ ports: { records, scaffold }, context }) => {
        const by = { role: "person" } as const;
        const commit = await scaffold(context, PERCENT_CONTRACT);
        const proposed = await records.propose(context, {
          claim: "done",
          acceptance_checks: ["run it"],
          deliverable: { kind: "module", commit },
          by,
        });
        const { challenge_id, target_artifact_id, ...judged } = challenge;
        await records.challenge(context, proposed, judged, by);
        tries += 1;
        if (tries < 3) throw new Error("killed");
        return { commit, proposed };
      });
    await expect(work()).rejects.toThrow("killed");
    await expect(work()).rejects.toThrow("killed");
    const { commit, proposed } = await work();
    const { artifacts } = at.ports.store;
    const types = (await artifacts.query({})).map(({ envelope }) => envelope.artifact_type);
    expect(types).toEqual(["IMPLEMENTATION", "PROPOSAL", "CHALLENGE"]);
    expect(await artifacts.contributions()).toHaveLength(2);
    const body = await artifacts.readBody(proposed.target_artifact_id, "deliverable.json");
    expect(JSON.parse(String(body))).toEqual({ module: `${OWN}@1.0.0`, folder: "percent", commit });
    expect(
      existsSync(join(at.ports.store.root, "debates", proposed.target_artifact_id, "challenge.json")),
    ).toBe(true);
  });
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
      expect.stringContaining(`Raised as ${id}`),
      ...[1, 2, 3].map(() => expect.stringContaining(`Nothing was done: you raised ${id}`)),
    ]);
    expect(written).toMatchObject({ kind: "stopped", stop: { kind: "blocked", interfaceChange: id } });
  });
});
