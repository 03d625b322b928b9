// What the harness sees of end-to-end tests: those that are in the product already, and those that were just written.
import { parse } from "../../domain/parse.ts";
import { E2eDecision } from "../../domain/people/e2e-decision.ts";
import type { Finding } from "../../domain/evidence/gate-verdict.ts";
import { tellOnce } from "../../engineering/trail.ts";
import type { NodeContext } from "../../graph/port.ts";
import { tipOf } from "../../workshop/git/refs.ts";
import { refresh } from "../../workshop/hub/hub.ts";
import { type Examined, examineSuite } from "./examine.ts";
import type { E2ePorts, E2eWork } from "./port.ts";
import { type E2eState, type E2eUpdate, type Going, MOST_ATTEMPTS } from "./state.ts";
import { suiteFiles, suitesIn } from "./suite-files.ts";
import { recordSuite } from "./suite-record.ts";
import type { WholeProduct } from "./whole-product.ts";

/** Where a round begins: a person may have written or mended the tests since. */
export async function look(
  state: E2eState,
  { ports, product }: E2eWork,
  context: NodeContext,
): Going<"write_e2e" | "accept"> {
  const { hub } = ports;
  await refresh(hub);
  const base = await tipOf(hub.gitDir, hub.branch);
  const begun: E2eUpdate = {
    round: state.round + 1,
    attempts: 0,
    base,
    work: null,
    outside: [],
    author: null,
    findings: [],
    stopped: null,
    end: null,
    guidance: [...state.guidance, ...(await said(ports, state))],
  };
  const files = await suiteFiles(hub.gitDir, base);
  if (Object.keys(files).length === 0) return { update: { ...begun, notShown: [] }, goto: "write_e2e" };
  const notShown = await excusedBefore(ports, product, files);
  const examined = await examineSuite(ports, product, { files, notShown }, context.signal);
  ports.onStep?.("looked");
  if (examined.kind === "accepted") {
    const record = await recordSuite({ ports, product }, { files, notShown }, examined);
    return { update: { ...begun, work: base, record }, goto: "accept" };
  }
  return { update: { ...begun, notShown: [], findings: sentences(examined) }, goto: "write_e2e" };
}

/** A person who only runs the command again wants another try. */
async function said({ store, fence }: E2ePorts, { end }: E2eState): Promise<string[]> {
  if (end?.kind !== "halted") return [];
  const id = end.question;
  const again: E2eDecision = { action: "TRY_AGAIN", guidance: null };
  await store.inbox.answer(id, again, "whoever ran it again");
  const found = await store.inbox.find(id);
  await store.inbox.markApplied(fence, id);
  const decision = parse(E2eDecision, found?.answer?.answer);
  return decision.kind === "ok" && decision.value.guidance !== null ? [decision.value.guidance] : [];
}

/** What was not shown by the tests before, as far as it is still true of these. */
async function excusedBefore(
  { store }: E2ePorts,
  { criteria }: WholeProduct,
  files: Readonly<Record<string, string>>,
): Promise<E2eState["notShown"]> {
  const texts = Object.values(files).join("\n");
  const known = new Set(criteria.map(({ id }) => id));
  const before = (await suitesIn(store)).at(-1)?.not_shown ?? [];
  return before.filter(({ criterion }) => known.has(criterion) && !texts.includes(criterion));
}

export async function examine(
  state: E2eState,
  { ports, product }: E2eWork,
  context: NodeContext,
): Going<"accept" | "write_e2e" | "halt"> {
  const { work, outside, notShown, attempts } = state;
  const findings = [...outside];
  if (work !== null && outside.length === 0) {
    const files = await suiteFiles(ports.hub.gitDir, work);
    const examined = await examineSuite(ports, product, { files, notShown }, context.signal);
    ports.onStep?.("examined");
    if (examined.kind === "accepted") {
      const record = await recordSuite({ ports, product }, { files, notShown }, examined);
      return { update: { findings: [], record }, goto: "accept" };
    }
    findings.push(...sentences(examined));
  } else if (work === null) findings.push("no-tests: nothing was written below e2e/");
  await tellOnce(ports, context, "refused", [
    { kind: "e2e_suite_refused", attempt: attempts, findings: findings.map((each) => each.slice(0, 800)) },
  ]);
  if (attempts < MOST_ATTEMPTS) return { update: { findings }, goto: "write_e2e" };
  const why = `after ${attempts} attempts there are no end-to-end tests that count: ${findings[0] ?? ""}`;
  return { update: { findings, stopped: why }, goto: "halt" };
}

const MOST_FINDINGS = 50;

function sentences(examined: Extract<Examined, { kind: "refused" }>): string[] {
  return examined.findings.slice(0, MOST_FINDINGS).map(sentence);
}

function sentence({ rule, file, line, message }: Finding): string {
  const place =
    file === undefined || message.includes(file) ? "" : `${file}${line === undefined ? "" : `:${line}`}: `;
  return `${rule}: ${place}${message}`;
}
