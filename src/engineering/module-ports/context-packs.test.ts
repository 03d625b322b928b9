// What each role of a debate is shown is what §9.7 says, on the disk before it is asked.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { arbiterInput, challenge, challengerInput, proposal } from "../../../test/agent-samples.ts";
import { type Ground, type GroundOptions, line, openGround, TASK } from "../../../test/engineering-ground.ts";
import { inNode, OWN, PERCENT_CONTRACT, percentInput, shipClamp } from "../../../test/module-ground.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { arbiter } from "../../agents/roles/arbiter.ts";
import { challenger } from "../../agents/roles/challenger.ts";
import { proposer } from "../../agents/roles/proposer.ts";

const WORK = { claim: "done", acceptance_checks: ["`half is fifty`: shown"], applied_amendments: [] };
const proposing = (change: Record<string, unknown> = {}) =>
  line({ role: "proposer", module: OWN, node: "make", output: WORK, ...change });

async function ground(script: GroundOptions["script"] = []): Promise<Ground> {
  const opened = await openGround(temporaryDirectory(), { script });
  onTestFinished(() => opened.close());
  await shipClamp(opened);
  return opened;
}

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
  const asked = async (): Promise<Map<string, Row>> => {
    const packs = new Map<string, Row>();
    const verdict = {
      verdict: "PASS",
      failures: [],
      rubric_assessments: challenge.rubric_assessments.map((a) => ({ ...a, assessment: "MET" })),
    };
    const at = await ground([
      proposing(),
      line({ role: "challenger", module: OWN, node: "make", output: verdict }),
      line({
        role: "arbiter",
        module: OWN,
        node: "make",
        output: { rationale: "No.", decision: "REJECT", amendments: [], ship_directive: "NO_SHIP" },
      }),
    ]);
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
    const stopped = answers.find(({ kind }) => kind === "stopped");
    if (stopped !== undefined) throw new Error(JSON.stringify(stopped));
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
    return packs;
  };

  test("for the proposer, the challenger and the arbiter", async () => {
    const packs = await asked();
    for (const { name, included, excluded } of ROWS) {
      const pack = packs.get(name);
      expect(pack?.included).toEqual(included);
      expect(pack?.excluded).toEqual(expect.arrayContaining(excluded));
      expect(pack?.excluded).toContain("other_module_source@1.0.0");
      for (const ref of pack?.excluded ?? []) expect(Object.keys(included)).not.toContain(ref);
    }
  });
});

test("what the table does not grant is not handed over, whoever wants to", async () => {
  const at = await ground();
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
