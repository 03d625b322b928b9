// What an event of the journal says to a person: one sentence for every kind.
import type { Budget, RunEvent, Spent } from "../../domain/run/run-event.ts";
import { count } from "../output.ts";
import { gateSentence } from "./log-gate-text.ts";
import { simulatedText } from "./run-text.ts";

type Kind = RunEvent["kind"];
type Events = { [K in Kind]: Extract<RunEvent, { kind: K }> };
type Sentences = { [K in Kind]: (event: Events[K]) => string };

export function sentenceOf(event: RunEvent): string {
  return say(event.kind, event);
}

function say<K extends Kind>(kind: K, event: Events[K]): string {
  return SENTENCES[kind](event);
}

const SENTENCES: Sentences = {
  run_opened: ({ budget, simulated }) =>
    `the run was opened; it may use ${capsIn(budget)}${simulated === undefined ? "" : `; ${simulatedText(simulated)}`}`,
  run_closed: ({ outcome }) => `the run was closed: ${outcome}`,

  spec_drafted: ({ spec }) => `the specification ${spec} was drafted`,
  spec_approved: ({ spec }) => `the specification ${spec} was approved`,
  spec_rejected: ({ spec, reason }) => `the specification ${spec} was rejected: ${reason}`,
  spec_amended: ({ spec, reason }) => `the specification ${spec} was amended: ${reason}`,

  task_transitioned: ({ task, from, to, why }) =>
    from === null ? `${task} is new and ${to}: ${why}` : `${task} went from ${from} to ${to}: ${why}`,

  module_planned: ({ task, module, reused }) =>
    `${task}: ${module} is planned, ${reused === null ? "to be made" : `and ${reused} is used for it`}`,
  module_shipped: ({ task, module, shipRef }) => `${task}: ✓ ${module} has shipped (${shipRef})`,
  module_refused: ({ task, module, during, findings }) =>
    `${task}: ✕ ${module} ${during === "ship" ? "was not let out" : "was sent back before any gate looked"}: ${firstOf(findings)}`,

  plan_refused: ({ task, attempt, findings }) =>
    `${task}: ✕ plan ${attempt} was not accepted: ${firstOf(findings)}`,
  work_challenged: ({ task, module, challenge, verdict, failures }) =>
    verdict === "PASS"
      ? `${module ?? task}: ✓ the challenger could show nothing against it (${challenge})`
      : `${module ?? task}: ✕ the challenger failed it: ${firstOf(failures)} (${challenge})`,

  role_call_started: (call) => `${callOf(call)} is asked`,
  role_call_finished: (call) => `${callOf(call)} answered; ${spentIn(call)}${transcriptIn(call)}`,
  role_call_failed: (call) =>
    `✕ ${callOf(call)} gave no answer: ${call.reason}; ${spentIn(call)}${transcriptIn(call)}`,

  node_started: (node) => `${nodeOf(node)} began`,
  node_finished: (node) => `${nodeOf(node)} is done after ${duration(node.durationMs)}`,
  node_failed: (node) => `✕ ${nodeOf(node)} failed after ${duration(node.durationMs)}: ${node.reason}`,
  node_retried: (node) =>
    `${nodeOf(node)} failed and is tried again in ${duration(node.waitMs)}: ${node.reason}`,

  message_delivered: ({ thread, node, message, messageKind, type, from }) =>
    `${thread}: the node ${node} got the ${messageKind} ${type} (${message}) from ${from}`,
  message_acknowledged: ({ thread, node, message }) =>
    `${thread}: the node ${node} has dealt with the message ${message}`,

  advice_started: ({ thread, node, job, start }) =>
    `${thread}: ${job} began beside the node ${node}${start === 1 ? "" : `, for the ${start}th time`}`,
  advice_reported: ({ thread, node, job }) =>
    `${thread}: ${job}, asked for by the node ${node}, has reported`,
  advice_failed: ({ thread, node, job, reason }) =>
    `${thread}: ${job}, asked for by the node ${node}, failed: ${reason}`,
  advice_timed_out: ({ thread, node, job }) =>
    `${thread}: ${job}, asked for by the node ${node}, took too long; work goes on without it`,

  gate_verdict_recorded: gateSentence,

  escalation_raised: ({ task, escalation }) => `${task}: a person is asked: cupel store show ${escalation}`,
  escalation_resolved: ({ task, escalation, action }) => `${task}: ${escalation} was answered with ${action}`,

  e2e_suite_refused: ({ attempt, findings }) =>
    `✕ end-to-end tests, attempt ${attempt}, were not accepted: ${firstOf(findings)}`,
  e2e_suite_accepted: ({ suite, tests, criteria, notShown, commit }) =>
    `✓ ${count(tests, "end-to-end test")} show ${criteria - notShown.length} of ${criteria} criteria (${suite}, commit ${commit.slice(0, 12)})`,
  product_released: ({ release, version, commit }) =>
    `✓ version ${version} is released at ${commit.slice(0, 12)} (${release})`,
  release_refused: ({ release, gates }) =>
    `✕ the release was refused by ${gates.join(", ")}: cupel store show ${release}`,
  module_deprecated: ({ module, reason, replacement, downstream }) =>
    `${module} is deprecated: ${reason}${replacement === null ? "" : `; use ${replacement}`}${
      downstream.length === 0 ? "" : `; ${downstream.join(", ")} build on it`
    }`,

  budget_warning: (budget) => `${budgetOf(budget)} is nearly used up`,
  budget_exhausted: (budget) => `✕ ${budgetOf(budget)} is used up`,
};

function capsIn({ usd, tokens, minutes }: Budget): string {
  const caps = [
    usd === undefined ? [] : [`$${usd}`],
    tokens === undefined ? [] : [count(tokens, "token")],
    minutes === undefined ? [] : [count(minutes, "minute")],
  ].flat();
  return caps.length === 0 ? "what it needs" : caps.join(", ");
}

function firstOf(findings: readonly string[]): string {
  const [first = "", ...rest] = findings;
  return rest.length === 0 ? first : `${first} (and ${count(rest.length, "other finding")})`;
}

type Call = Events["role_call_started"];

function callOf({
  role,
  task,
  module,
  node,
  attempt,
}: Pick<Call, "role" | "task" | "module" | "node" | "attempt">) {
  const about = module ?? task;
  const again = attempt === 1 ? "" : `, attempt ${attempt}`;
  return `the ${role}${about === null ? "" : ` of ${about}`} (${node}${again})`;
}

function spentIn({ usage, costUsd }: Spent): string {
  const tokens =
    usage === "unknown"
      ? "tokens unknown"
      : `${count(usage.inputTokens, "token")} read, ${usage.outputTokens} written`;
  return `${tokens}, ${costUsd === "unknown" ? "cost unknown" : `$${costUsd}`}`;
}

function transcriptIn({ transcriptRef }: { transcriptRef: string | null }): string {
  return transcriptRef === null ? "" : `; cupel store show ${transcriptRef}`;
}

function nodeOf({
  thread,
  node,
  attempt,
}: Pick<Events["node_started"], "thread" | "node" | "attempt">): string {
  return `${thread}: the node ${node}${attempt === 1 ? "" : ` (attempt ${attempt})`}`;
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function budgetOf({ scope, subject, unit, spent, cap }: Omit<Events["budget_warning"], "kind">): string {
  const amount = unit === "usd" ? `$${spent} of $${cap}` : `${spent} of ${cap} ${unit}`;
  return `the budget of the ${subject === null ? scope : `${scope} ${subject}`} (${amount})`;
}
