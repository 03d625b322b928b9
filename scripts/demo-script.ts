// What every agent of the demo says, as one script: each call of the story in demo/, in the order in which it is told.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ScriptLine } from "../src/domain/agent/script-line.ts";
import { RubricId } from "../src/domain/debate/rubric.ts";
import { draftedFrom, idOf } from "../src/simulator/cases/module-sketch.ts";
import { AGENDA, CLOCK_TIME, DAY_PLAN, type DemoModule, PARSE_DURATION } from "./demo-modules.ts";

export const DEMO_SCRIPT = "demo/script.jsonl";

export function demoScript(): string {
  return story()
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

function story(): ScriptLine[] {
  return [
    researched(),

    // The first tests would also pass on nothing; the gates send them back.
    planned(PARSE_DURATION, [drafted(PARSE_DURATION)]),
    ...contractAgreed(PARSE_DURATION),
    built(PARSE_DURATION, 2, "propose", {
      ...filesIn("modules", PARSE_DURATION),
      ...filesIn("first-tries", PARSE_DURATION),
    }),
    built(PARSE_DURATION, 3, "revise", filesIn("modules", PARSE_DURATION)),
    ...judged(PARSE_DURATION, "challenge", "adjudicate", 2),

    // These tests pass every gate, and a criterion is still not shown: the challenger fails them.
    planned(CLOCK_TIME, [drafted(CLOCK_TIME)]),
    ...contractAgreed(CLOCK_TIME),
    built(CLOCK_TIME, 2, "propose", {
      ...filesIn("modules", CLOCK_TIME),
      ...filesIn("first-tries", CLOCK_TIME),
    }),
    said("challenger", CLOCK_TIME, "challenge", 2, midnightMissing()),
    built(CLOCK_TIME, 3, "revise", filesIn("modules", CLOCK_TIME)),
    said("challenger", CLOCK_TIME, "challenge", 3, passing(CLOCK_TIME)),
    said("arbiter", CLOCK_TIME, "adjudicate", 2, APPROVED),

    // Two criteria contradict each other: nobody can build that. A person amends the task, and it begins again.
    planned(DAY_PLAN, [drafted(DAY_PLAN)]),
    said("proposer", DAY_PLAN, "propose_contract", 1, CONTRADICTION),
    planned(DAY_PLAN, [drafted(DAY_PLAN)], "micro_plan@2"),
    ...contractAgreed(DAY_PLAN, "@2"),
    built(DAY_PLAN, 2, "propose@2", filesIn("modules", DAY_PLAN)),
    ...judged(DAY_PLAN, "challenge@2", "adjudicate@2", 2),

    // The first plan makes something that has shipped already; it is refused, and the second plan reuses that.
    planned(AGENDA, [reinvented(), drafted(AGENDA)]),
    planned(AGENDA, [reused(), drafted(AGENDA)], "micro_plan", 2),
    ...contractAgreed(AGENDA),
    built(AGENDA, 2, "propose", filesIn("modules", AGENDA)),
    ...judged(AGENDA, "challenge", "adjudicate", 2),

    // Every task has shipped: the whole is tried from outside, criterion by criterion.
    triedAsAWhole(),
  ];
}

function researched(): ScriptLine {
  const spec: unknown = JSON.parse(readFileSync("demo/spec.json", "utf8"));
  const answer = {
    summary: "Two small modules about times, one that lays out a day, and the agenda on top of them.",
    open_questions: ["What happens at midnight is not said; the tasks assume that a plan goes on at 00:00."],
    answers: [],
  };
  const key = { role: "product_researcher", task: null, module: null, node: "refine", attempt: 1 };
  return line(key, answer, {}, [{ tool: "emit_structured_spec", input: { spec } }]);
}

function triedAsAWhole(): ScriptLine {
  const names = readdirSync("demo/e2e").toSorted();
  const files = names.map((name) => [`e2e/${name}`, readFileSync(join("demo/e2e", name), "utf8")]);
  const answer = {
    strategy: "From what somebody types to the lines of the agenda, with what each module gives to the next.",
    not_shown: [],
  };
  const key = { role: "architect", task: null, module: null, node: "write_e2e", attempt: 1 };
  return line(key, answer, Object.fromEntries(files));
}

function planned({ task }: DemoModule, modules: object[], node = "micro_plan", attempt = 1): ScriptLine {
  return line({ role: "micro_planner", task, module: null, node, attempt }, { modules });
}

function drafted(module: DemoModule) {
  return draftedFrom(
    module,
    module.considered ?? { refs: [], why: "The Code Index is empty: this is the first module." },
  );
}

/** Under another name, what has shipped already. */
function reinvented() {
  const name = "read-minutes";
  return {
    ...drafted(PARSE_DURATION),
    module_id: idOf(name),
    name,
    purpose: "Reads how long an item takes, such as 1h30m, as minutes.",
    reuse_justification: "Adding up needs minutes, and nothing here reads them.",
  };
}

function reused() {
  return {
    ...drafted(PARSE_DURATION),
    reuse_candidate_refs: ["MM-parse_duration@1.0.0"],
    reuse_decision: "REUSE",
    reuse_justification: "",
  };
}

function contractAgreed(module: DemoModule, again = ""): ScriptLine[] {
  return [
    said("proposer", module, `propose_contract${again}`, 1, {
      contract: module.contract,
      ...claimed(module),
    }),
    ...judged(module, `challenge_contract${again}`, `adjudicate_contract${again}`, 1),
  ];
}

function built(module: DemoModule, attempt: number, node: string, files: ScriptLine["files"]): ScriptLine {
  const key = { role: "proposer", task: module.task, module: idOf(module.name), node, attempt };
  return line(key, claimed(module), files);
}

function claimed({ name, purpose }: DemoModule) {
  return {
    claim: `${purpose} The tests show each promise of the contract.`,
    acceptance_checks: [`everything that was asked for is shown by the tests of ${name}`],
    applied_amendments: [],
  };
}

function judged(module: DemoModule, challenge: string, adjudicate: string, attempt: number): ScriptLine[] {
  return [
    said("challenger", module, challenge, attempt, passing(module)),
    said("arbiter", module, adjudicate, attempt, APPROVED),
  ];
}

function passing({ name }: DemoModule) {
  return { rubric_assessments: assessments(name), verdict: "PASS", failures: [] };
}

function assessments(name: string) {
  const evidence: Record<RubricId, string> = {
    R1: `inputs.0 of ${name} is what the task gives, outputs.0.invariants.0 holds; errors are error_surfaces.0 only, effects none, modes sync.`,
    R2: "outputs.0.invariants.0 and error_surfaces.0 are each decided by a predicate that a test exercises.",
    R3: "error_surfaces.0 is the only failure that empty, huge and odd values could reach here.",
    R4: "The field `dependencies` names what it builds on, and nothing else is imported.",
    R5: `entry_points.0 promises the part of the acceptance criteria that ${name} has to keep.`,
    R6: "The `purpose` is one sentence with one behaviour, and entry_points.0 is the only surface.",
  };
  return RubricId.options.map((criterion) => ({
    criterion,
    assessment: "MET",
    evidence: evidence[criterion],
  }));
}

const MIDNIGHT = "the end of the day, 1440 minutes after midnight, is shown as 24:00";

function midnightMissing() {
  const evidence = `No test shows that ${MIDNIGHT}; the latest time among the named tests is 23:59.`;
  return {
    rubric_assessments: assessments(CLOCK_TIME.name).map((each) =>
      each.criterion === "R5" ? { ...each, assessment: "NOT_MET", evidence } : each,
    ),
    verdict: "FAIL",
    failures: [
      {
        invariant: MIDNIGHT,
        evidence,
        required_change: "Add a test that expects clockTime(1440) to be 24:00.",
      },
    ],
  };
}

const APPROVED = {
  rationale: "The challenge found nothing that stands, and every criterion is shown by name.",
  decision: "APPROVE",
  amendments: [],
  ship_directive: "SHIP",
};

const CONTRADICTION = {
  kind: "blocker",
  why:
    "two acceptance criteria contradict each other: if a plan that runs past midnight goes on at 00:00, " +
    "then a slot from 23:30 that takes an hour ends at 00:30, before it begins",
  needs: ["a decision about what happens at midnight"],
};

function filesIn(folder: "modules" | "first-tries", { name }: DemoModule): Record<string, string> {
  const root = join("demo", folder, name);
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.\w+$/.test(path),
  );
  return Object.fromEntries(
    files.toSorted().map((path) => [`modules/${name}/${path}`, readFileSync(join(root, path), "utf8")]),
  );
}

function said(role: string, { task, name }: DemoModule, node: string, attempt: number, answer: object) {
  return line({ role, task, module: idOf(name), node, attempt }, answer);
}

function line(
  key: object,
  answer: object,
  files: ScriptLine["files"] = {},
  toolCalls: object[] = [],
): ScriptLine {
  return ScriptLine.parse({
    key,
    inputHash: null,
    files,
    toolCalls,
    output: { answer },
    usage: { inputTokens: 0, outputTokens: 0 },
    latencyMs: 0,
    ending: "ok",
  });
}
