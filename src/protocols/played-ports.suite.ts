// Ports of a protocol that are played from lists, for tests of routing: every call is noted, nothing is run.
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { slugifyContract } from "../../test/arbitraries/contract.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { ARTIFACT_PREFIXES } from "../domain/artifact/artifact-type.ts";
import { ContractDraft } from "../domain/contract/contract-draft.ts";
import type { MicroModuleContract } from "../domain/contract/contract.ts";
import { Adjudication, Challenge, Proposal } from "../domain/debate/debate-records.ts";
import {
  type BlindnessCertificate,
  certificateOf,
  MUST_BE_SCANNED,
} from "../domain/evidence/blindness-certificate.ts";
import { RubricId } from "../domain/debate/rubric.ts";
import { resolveRigor, type RigorSetting } from "../domain/evidence/rigor.ts";
import { PlannedModule } from "../domain/plan/micro-plan.ts";
import { MOST_ATTEMPTS } from "../domain/run/retry.ts";
import type { RunEvent } from "../domain/run/run-event.ts";
import { TaskFile } from "../domain/task/task-file.ts";
import { openGraphs } from "../graph/graphs.ts";
import type { Update } from "../graph/port.ts";
import { LocalJournal } from "../store/local/journal.ts";
import { Sql } from "../store/sql.ts";
import type { Candidate, Stop } from "./outcome.ts";
import type { Assignment, ProtocolPorts, ShipAnswer, ToExamine, ToMerge, Work } from "./port.ts";
import type { Differs, Examination, Look, Merged, SymbolView, Tested } from "./seen.ts";

export const COMMITS = ["a", "b", "c", "d", "e", "f"].map((digit) => digit.repeat(40));
/** What merges give, in the order of the calls. */
export const MERGES = ["1", "2", "3", "4", "5", "6", "7", "8", "9"].map((digit) => digit.repeat(40));

/** What the roles answer, each list in the order of its calls; an Error instead of an answer is a stop. */
export interface Play {
  answers: Record<string, (object | Stop)[]>;
  work?: Work[];
  examinations?: Examination[];
  ships?: ShipAnswer[];
  inspections?: string[][];
  /** What is too large to be read; everything else is one small file. */
  reads?: (string | undefined)[];
  /** What that file is in some commits. */
  sources?: Readonly<Record<string, string>>;
  contents?: ReadonlyMap<string, string>[];
  merges?: Merged[];
  /** Files that differ between two commits. */
  changes?: string[][];
  tests?: Tested[];
  symbols?: SymbolView[][];
  differences?: Differs[];
  certificates?: BlindnessCertificate[];
  history?: RunEvent[];
}

export interface Noted {
  asked: {
    role: string;
    attempt: number;
    input: Record<string, unknown>;
    base?: string;
    forkFrom?: string | undefined;
  }[];
  shipped: Candidate[];
  examined: ToExamine[];
  /** The gates of each examination; undefined where all of them were asked. */
  looks: (Look | undefined)[];
  merged: ToMerge[];
  tested: string[];
  locked: MicroModuleContract[];
  proposals: Proposal[];
  /** What nodes wrote to each other, as `to: text`. */
  letters: string[];
  /** Files of what was kept. */
  kept: Record<string, string>[];
}

const EVIDENCE: Record<RubricId, string> = {
  R1: "inputs.0.constraints.0 is shown for inputs and outputs; the errors are BlankTitle only, effects none, modes sync.",
  R2: "inputs.0.constraints.0 and error_surfaces.0 each have a test that would fail without it.",
  R3: "error_surfaces.0 is the only failure I could reach with empty, huge and odd titles.",
  R4: "The list `dependencies` is empty and nothing else is imported by the candidate.",
  R5: "returns a slug for every title: the ordinary case of entry_points.0 shows it with three titles.",
  R6: "The `purpose` is one sentence with one behaviour, and one entry point exists.",
};

export function challengeOf(verdict: "PASS" | "FAIL", notMet: RubricId = "R2") {
  return {
    rubric_assessments: RubricId.options.map((criterion) => ({
      criterion,
      assessment: verdict === "FAIL" && criterion === notMet ? ("NOT_MET" as const) : ("MET" as const),
      evidence: EVIDENCE[criterion],
    })),
    verdict,
    failures:
      verdict === "PASS"
        ? []
        : [{ invariant: notMet, evidence: "no test of a blank title", required_change: "add a test of it" }],
  };
}

export const MILD = {
  ...challengeOf("PASS"),
  rubric_assessments: challengeOf("PASS").rubric_assessments.map((entry) => ({
    ...entry,
    evidence: "looks good to me",
  })),
};

export const APPROVE = {
  rationale: "Nothing that stands is left.",
  decision: "APPROVE",
  amendments: [],
  ship_directive: "SHIP",
};
export const REJECT = { ...APPROVE, decision: "REJECT", ship_directive: "NO_SHIP", rationale: "R2 stands." };
export const AMEND = {
  ...APPROVE,
  decision: "APPROVE_WITH_AMENDMENTS",
  amendments: [
    { action: "ADD", target: "rejects a blank title", detail: "a test that throws BlankTitle for ' '" },
  ],
};
export const BUILT = { claim: "done", acceptance_checks: ["`a`: shown"], applied_amendments: [] };
export const APPLIED = { ...BUILT, applied_amendments: [{ amendment_index: 0, applied: true, note: "" }] };

/** The contract of slugify as its proposer would write it. */
export function draft(change: Partial<ContractDraft> = {}) {
  const { inputs, ...contract } = slugifyContract();
  const { tags, outputs, error_surfaces, effects, modes, entry_points, predicates, error_cases } = contract;
  return {
    contract: ContractDraft.parse({
      tags,
      inputs: inputs.map((input) => ({ ...input, optional: false })),
      outputs,
      error_surfaces,
      effects,
      modes,
      entry_points,
      predicates,
      error_cases,
      dependencies: [],
      packages: [],
      latency_ms_p95: null,
      memory_mb_max: null,
      time_complexity: null,
      space_complexity: null,
      ...change,
    }),
    ...BUILT,
  };
}

export function assignment(rigor: RigorSetting = "standard"): Assignment {
  const place = { name: "Text", description: "Words for machines." };
  const task = TaskFile.parse({
    task_name: "Slugs",
    task_id: "T-text-slug-make-001",
    context: { pillar: place, epic: place, story: place },
    description: "Turn titles into slugs.",
    subtasks: ["make slugs"],
    acceptance_criteria: ["returns a slug for every title"],
    micro_module_contract: {
      inputs: "a title",
      outputs: "a slug",
      error_surfaces: "none",
      effects: "none",
      modes: "sync",
    },
    dependency_contracts: [],
    error_cases: ["blank title"],
  });
  const { module_id, name, purpose } = slugifyContract();
  const module = PlannedModule.parse({
    module_id,
    name,
    purpose,
    io_contract: {
      inputs: ["title: string"],
      outputs: ["slug: string"],
      error_surfaces: ["EmptyTitle when the title is empty"],
      effects: ["none"],
      modes: ["sync"],
    },
    error_cases: ["blank title"],
    depends_on: [],
    reuse_candidate_refs: [],
    reuse_decision: "CREATE_NEW",
    reuse_justification: "The index is empty.",
  });
  return {
    task,
    taskText: "# Task: Slugs",
    module,
    version: "1.0.0",
    folder: "slugify",
    dependencies: [],
    rigor: resolveRigor(rigor),
  };
}

export const PASSING: Examination = {
  findings: [],
  evidence: { tests: [{ name: "makes a slug", result: "PASS" }], constraintTests: [] },
  verdicts: [],
  survivors: [],
  claims: [],
};
export const GREEN: Tested = { kind: "ran", passed: 3, failures: [] };
export const HELD: BlindnessCertificate = heldCertificate();
export const SHIPS: ShipAnswer = {
  kind: "shipped",
  shipped: { module: "MM-slugify@1.0.0", shipId: "SHIP-00000001", commit: "9".repeat(40) },
};

export function playedPorts(play: Play, rigor?: RigorSetting): { ports: ProtocolPorts; noted: Noted } {
  const noted: Noted = {
    asked: [],
    shipped: [],
    examined: [],
    looks: [],
    merged: [],
    tested: [],
    locked: [],
    proposals: [],
    letters: [],
    kept: [],
  };
  const count = new Map<string, number>();
  const next = (what: string): number => {
    const before = count.get(what) ?? 0;
    count.set(what, before + 1);
    return before;
  };
  const hex = (what: string): string => (next(what) + 1).toString(16).padStart(8, "0");
  const answerOf = (name: string): object => {
    const answer = play.answers[name]?.[next(`answer ${name}`)];
    if (answer === undefined) throw new Error(`nothing is played for the ${name} any more`);
    return answer;
  };
  const ports: ProtocolPorts = {
    assignment: assignment(rigor),
    async ask(_, { role, input, attempt }) {
      const name = role.prompt ?? role.name;
      noted.asked.push({ role: name, attempt, input: plain(role.input.parse(input)) });
      const answer = answerOf(name);
      if (isStop(answer)) return { kind: "stopped", stop: answer };
      return { kind: "answered", output: role.output.parse(answer), pack: "CP-00000001" };
    },
    async write(_, { role, input, attempt, tries = attempt, base, forkFrom }) {
      const name = role.prompt ?? role.name;
      if (role.retries === true && tries > MOST_ATTEMPTS) throw new Error(`attempt ${tries} of the ${name}`);
      noted.asked.push({ role: name, attempt, input: plain(role.input.parse(input)), base, forkFrom });
      const answer = answerOf(name);
      if (isStop(answer)) return { kind: "stopped", stop: answer };
      const nth = next("work");
      const work = play.work?.[nth] ?? { kind: "taken", commit: COMMITS[nth + 1] ?? "" };
      const session = `s-${attempt}`;
      return { kind: "answered", output: role.output.parse(answer), pack: "CP-00000001", session, work };
    },
    inspect: async () => play.inspections?.[next("inspection")] ?? [],
    async lock(_, contract) {
      noted.locked.push(contract);
      return { ref: "CTR-00000001@1.0.0", lock: "0" };
    },
    scaffold: async () => COMMITS[0] ?? "",
    async merge(_, work) {
      noted.merged.push(work);
      const nth = next("merge");
      return play.merges?.[nth] ?? { kind: "merged", commit: MERGES[nth] ?? "" };
    },
    changed: async () => play.changes?.[next("changed")] ?? [],
    async test(_, { commit }) {
      noted.tested.push(commit);
      return play.tests?.[next("test")] ?? GREEN;
    },
    symbols: async () => play.symbols?.[next("symbols")] ?? [],
    differ: async () => play.differences?.[next("differ")] ?? { kind: "same", tried: 100 },
    certify: async () => play.certificates?.[next("certificate")] ?? HELD,
    async examine(_, candidate, look) {
      noted.examined.push(candidate);
      noted.looks.push(look);
      return play.examinations?.[next("examination")] ?? PASSING;
    },
    async read(_context, commit) {
      const problem = play.reads?.[next("read")];
      if (problem !== undefined) return { kind: "too-large", problem };
      return { kind: "read", files: { "src/index.ts": play.sources?.[commit] ?? "export {}" } };
    },
    contents: async () => play.contents?.[next("contents")] ?? new Map(),
    async ship(_, candidate) {
      noted.shipped.push(candidate);
      return play.ships?.[next("ship")] ?? SHIPS;
    },
    history: async () => play.history ?? [],
    letters: {
      async send(_, to, text) {
        noted.letters.push(`${to}: ${text}`);
      },
      read: async ({ node }) =>
        noted.letters
          .filter((letter) => letter.startsWith(`${node}: `))
          .map((letter) => letter.slice(node.length + 2)),
    },
    records: {
      async keep(_, kind, files) {
        noted.kept.push({ ...files });
        return `${ARTIFACT_PREFIXES[kind]}-00000001`;
      },
      async propose(_, { claim, acceptance_checks, deliverable }) {
        const id = hex("proposal");
        const target = deliverable.kind === "contract" ? `CTR-${id}` : `IMPL-${id}`;
        const proposal = Proposal.parse({
          proposal_id: `PROP-${id}`,
          target_artifact_id: target,
          claim,
          deliverable_ref: `${target}@1.0.0`,
          acceptance_checks,
        });
        noted.proposals.push(proposal);
        return proposal;
      },
      challenge: async (_, { target_artifact_id }, challenge) =>
        Challenge.parse({ ...challenge, challenge_id: `CHAL-${hex("challenge")}`, target_artifact_id }),
      adjudicate: async (_, { target_artifact_id }, adjudication) =>
        Adjudication.parse({
          ...adjudication,
          adjudication_id: `ADJ-${hex("adjudication")}`,
          target_artifact_id,
        }),
    },
  };
  return { ports, noted };
}

/** Of two workspaces that never saw each other. */
function heldCertificate(): BlindnessCertificate {
  const workspaces = [
    { id: "tests-1", role: "tests" as const, canary: "a".repeat(64), atHome: true },
    { id: "impl-1", role: "impl" as const, canary: "b".repeat(64), atHome: true },
  ];
  const looked = { files: 1, bytes: 9 };
  return certificateOf({
    runId: "r-1",
    barrier: "sandbox",
    commands: { bubblewrap: 2, none: 0 },
    workspaces,
    scanned: [
      ...workspaces.map(({ id }) => ({ kind: "workspace" as const, name: id, owner: id, ...looked })),
      ...MUST_BE_SCANNED.map((kind) => ({ kind, name: `the ${kind}`, ...looked })),
    ],
    leaks: [],
    openDoors: [],
    notScanned: [],
    plants: MUST_BE_SCANNED.map((kind) => ({ kind, planted: `a canary in a ${kind}`, found: true })),
    madeAt: "2026-01-01T00:00:00.000Z",
  });
}

function isStop(answer: object): answer is Stop {
  return "interfaceChange" in answer;
}

function plain(input: unknown): Record<string, unknown> {
  return typeof input === "object" && input !== null ? { ...input } : {};
}

/** Real graphs on a database of their own; `way` is every node that was started, in order; `updates` what each gave. */
export function watchedGraphs() {
  const sql = Sql.open(join(temporaryDirectory(), "cupel.db"), { durability: "normal" });
  onTestFinished(() => sql.close());
  const updates: Update[] = [];
  const way = async (): Promise<string[]> =>
    (await new LocalJournal(sql).read(0, 1000)).flatMap((event) =>
      event.kind === "node_started" ? [event.node] : [],
    );
  const observers = [(update: Update) => void updates.push(update)];
  return { graphs: openGraphs({ sql, holder: "us", observers }), way, updates };
}
