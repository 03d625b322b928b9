// Gathers what a report on a product says, from its state store and its Code Index, and renders it.
import { z } from "zod";
import { redactor } from "../agents/secrets.ts";
import type { CodeIndex } from "../code-index/port.ts";
import { hasCode } from "../domain/environment-error.ts";
import { parse } from "../domain/parse.ts";
import { EscalationArtifact } from "../domain/people/escalation.ts";
import type { HumanResolution } from "../domain/people/resolution.ts";
import { ShipEvidence } from "../domain/people/ship-evidence.ts";
import { Text } from "../domain/refs.ts";
import type { RunEvent } from "../domain/run/run-event.ts";
import { addSpent, NOTHING_SPENT } from "../domain/run/spent.ts";
import type { ShipRecord } from "../domain/run/ship-record.ts";
import { SHIP } from "../engineering/ship/module-files.ts";
import { proofOf } from "../engineering/ship/proof-of.ts";
import { suitesIn } from "../release/e2e/suite-files.ts";
import { manifestsIn } from "../release/released-before.ts";
import { renderReport } from "../report/render-report.ts";
import type {
  ProductReport,
  ReportedCost,
  ReportedCriterion,
  ReportedDecision,
  ReportedDeprecation,
  ReportedModule,
  ReportedTask,
} from "../report/report-data.ts";
import { everyEvent } from "../store/every-event.ts";
import type { ProjectHead } from "../store/port.ts";
import type { StateStore } from "../store/state-store.ts";
import { cupelVersion } from "../version.ts";
import { openCodeIndex } from "./code-index.ts";
import { withStore } from "./stores.ts";
import { treesByTask } from "./trees.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** One HTML document without any secret that this process knows of. */
export async function reportOn(project: string, env: Environment): Promise<string> {
  const { index, close } = await openCodeIndex({ directory: project, env });
  try {
    return await withStore(project, async (store) =>
      renderReport(redactor(env)(await gathered(store, index))),
    );
  } finally {
    close();
  }
}

const Titled = z.looseObject({ title: Text });

/** A page about a product whose specification cannot be read any more is still a page. */
async function titleOf({ payloads }: StateStore, head: ProjectHead): Promise<string> {
  try {
    const spec = parse(Titled, JSON.parse(String(await payloads.get(head.specRef))));
    return spec.kind === "ok" ? spec.value.title : head.projectId;
  } catch {
    return head.projectId;
  }
}

async function gathered(store: StateStore, index: Pick<CodeIndex, "get">): Promise<ProductReport> {
  const head = await store.project.head();
  const told = await fromJournal(store);
  const ships = await store.ships.list();
  const modules: ReportedModule[] = [];
  for (const { record } of ships) modules.push(await moduleOf(store, index, record));
  return {
    title: head === undefined ? "Product" : await titleOf(store, head),
    specVersion: head?.specVersion ?? null,
    generatedAt: new Date().toISOString(),
    cupelVersion: cupelVersion(),
    tasks: await tasksOf(store, told.reasons),
    criteria: await criteriaOf(store),
    modules,
    releases: await manifestsIn(store),
    costs: [...told.costs.values()],
    decisions: [...told.decisions, ...(await resolutions(store))].toSorted((a, b) => (a.at < b.at ? -1 : 1)),
    deprecations: told.deprecations,
  };
}

async function criteriaOf(store: StateStore): Promise<ReportedCriterion[]> {
  const suite = (await suitesIn(store)).at(-1);
  return (suite?.criteria ?? []).map(({ id, text, shown_by }) => ({
    id,
    text,
    shownBy: shown_by,
    why: suite?.not_shown.find(({ criterion }) => criterion === id)?.why ?? null,
  }));
}

interface Told {
  costs: Map<string, ReportedCost>;
  decisions: ReportedDecision[];
  deprecations: ReportedDeprecation[];
  /** The newest word about a task. */
  reasons: Map<string, string>;
}

async function fromJournal({ journal }: StateStore): Promise<Told> {
  const told: Told = { costs: new Map(), decisions: [], deprecations: [], reasons: new Map() };
  for await (const event of everyEvent(journal)) take(told, event);
  return told;
}

function take({ costs, decisions, deprecations, reasons }: Told, event: RunEvent): void {
  switch (event.kind) {
    case "role_call_finished":
    case "role_call_failed": {
      const { role } = event;
      const before = costs.get(role) ?? { role, calls: 0, failed: 0, spent: NOTHING_SPENT };
      costs.set(role, {
        role,
        calls: before.calls + 1,
        failed: before.failed + (event.kind === "role_call_failed" ? 1 : 0),
        spent: addSpent(before.spent, { usage: event.usage, costUsd: event.costUsd }),
      });
      return;
    }
    case "spec_approved":
      decisions.push({ at: event.at, subject: event.spec, what: "APPROVED", why: "" });
      return;
    case "spec_rejected":
    case "spec_amended": {
      const what = event.kind === "spec_rejected" ? "REJECTED" : "AMENDED";
      decisions.push({ at: event.at, subject: event.spec, what, why: event.reason });
      return;
    }
    case "module_deprecated": {
      const { at, module, reason, replacement, downstream } = event;
      deprecations.push({ at, module, reason, replacement, downstream });
      return;
    }
    case "task_transitioned":
      reasons.set(event.task, event.why);
      return;
    default:
      return;
  }
}

async function tasksOf(store: StateStore, reasons: Told["reasons"]): Promise<ReportedTask[]> {
  const trees = await treesByTask(store);
  return (await store.project.entries()).map(([id, entry]) => {
    const { task, pillar, epic, story, status, module_refs, halted_reason } = entry;
    const isStuck = status === "HALTED" || status === "ABANDONED";
    const why = isStuck ? (halted_reason ?? reasons.get(id) ?? null) : null;
    const tree = trees.get(id) ?? null;
    return { id, name: task, path: [pillar, epic, story], status, modules: module_refs, why, tree };
  });
}

/** What cannot be read any more is left out, so that the rest can be looked at; fsck and the release say it. */
async function moduleOf(
  store: StateStore,
  index: Pick<CodeIndex, "get">,
  { module, task, shippedAt, entry }: ShipRecord,
): Promise<ReportedModule> {
  const proof = await readable(() => proofOf(store, module));
  const evidence = await readable(() => evidenceOf(store, module));
  const certificate = proof?.certificate;
  return {
    module,
    name: entry.name,
    purpose: entry.purpose,
    task,
    shippedAt,
    status: (await index.get(module))?.status ?? null,
    undebated: evidence?.undebated === true,
    override: evidence?.override?.rationale ?? null,
    rigor: proof?.rigor.base ?? "unknown",
    sandbox: proof?.sandbox ?? "unknown",
    gates: proof?.verdicts ?? [],
    blindness:
      certificate === undefined
        ? null
        : { result: certificate.result, barrier: certificate.barrier, doubts: certificate.doubts },
  };
}

async function readable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (hasCode(error, "not_found", "store_damaged", "invalid_input")) return undefined;
    throw error;
  }
}

async function evidenceOf({ modules, payloads }: StateStore, module: string) {
  const ref = (await modules.get(module)).files[SHIP];
  const text = ref === undefined ? "null" : String(await payloads.get(ref));
  const parsed = parse(ShipEvidence, JSON.parse(text));
  return parsed.kind === "ok" ? parsed.value : undefined;
}

const ESCALATION = "escalation.json";

async function resolutions({ artifacts }: StateStore): Promise<ReportedDecision[]> {
  const decisions: ReportedDecision[] = [];
  for (const { envelope, body } of await artifacts.query({ type: "ESCALATION" })) {
    if (body[ESCALATION] === undefined) continue;
    const text = String(await artifacts.readBody(envelope.artifact_id, ESCALATION));
    const parsed = parse(EscalationArtifact, JSON.parse(text));
    if (parsed.kind === "invalid" || parsed.value.resolution === null) continue;
    const { task_id, resolution } = parsed.value;
    const { action } = resolution;
    decisions.push({ at: envelope.created_at, subject: task_id, what: action, why: reasonOf(resolution) });
  }
  return decisions;
}

function reasonOf(resolution: HumanResolution): string {
  switch (resolution.action) {
    case "APPROVE_OVERRIDE":
    case "ABANDON_TASK":
    case "ATTEST_SHIPPED":
      return resolution.rationale;
    case "AMEND_SPEC":
      return resolution.amendment_rationale;
    case "PROVIDE_FIX":
      return resolution.fix_description;
    case "SPLIT_TASK":
      return `into ${resolution.new_tasks.map((each) => each.name).join(", ")}`;
    case "REVISE_PLAN":
      return `with ${resolution.revised_micro_plan.map((each) => each.module_id).join(", ")}`;
  }
}
