// The first two steps of the loop: take what the person handed over, and ask the researcher for a specification of it.
import { randomUUID } from "node:crypto";
import { ProductResearcherOutput } from "../domain/agent/product-roles.ts";
import { artifactId, idOfType } from "../domain/artifact/artifact-type.ts";
import { parseOrThrow, renderProblem } from "../domain/parse.ts";
import { validateSpec } from "../domain/product/spec-criteria.ts";
import { stopOf } from "../engineering/calls/stop.ts";
import type { NodeContext } from "../graph/port.ts";
import { askResearcher, type Iterated } from "./ask-researcher.ts";
import { errorLines } from "./check.ts";
import type { ProductPorts } from "./port.ts";
import { MOST_ITERATIONS, type ProductState, type ProductUpdate } from "./state.ts";

type Going<Goto extends string> = Promise<{ update: ProductUpdate; goto: Goto }>;

/** Where the work begins, and where it begins again after a rejection or after it was stopped. */
export async function begin(
  state: ProductState,
  ports: ProductPorts,
  context: NodeContext,
): Going<"refine" | "check" | "end"> {
  const { source, store, redact } = ports;
  const isNew = state.source !== source.hash;
  if (source.kind === "text") {
    // Whoever amends a draft wants to keep it, unless they wrote something else after it came to nothing.
    const keeps = state.amends && state.end?.kind !== "stopped";
    const anew = isNew && state.source !== null && !keeps;
    const update = anew ? freshRound(state, source.hash) : { source: source.hash, left: MOST_ITERATIONS };
    return { update, goto: "refine" };
  }
  const stop = (why: string) =>
    stopped(why, `change ${source.name} and run the same command again`, source.hash);
  if (!isNew) return stop(state.end?.kind === "stopped" ? state.end.why : `${source.name} was sent back`);
  const { errors } = validateSpec(source.spec);
  if (errors.length > 0)
    return stop([`${source.name} is no complete specification:`, ...errorLines(errors)].join("\n  "));
  const artifact = await context.once("given", idOfType("PRODUCT_SPEC"), async () =>
    artifactId("PRODUCT_SPEC", randomUUID()),
  );
  const emitted = await store.payloads.put(`${JSON.stringify(redact(source.spec), null, 2)}\n`);
  const given = { artifact, emitted, author: null, said: null, points: [], research: null };
  return { update: { source: source.hash, ...given }, goto: "check" };
}

function stopped(why: string, next: string, source: string): { update: ProductUpdate; goto: "end" } {
  return { update: { source, end: { kind: "stopped", why, next } }, goto: "end" };
}

/** Nothing of the draft before is carried over. */
export function freshRound({ round }: ProductState, source: string): ProductUpdate {
  return {
    source,
    round: round + 1,
    calls: 0,
    left: MOST_ITERATIONS,
    points: [],
    draft: null,
    errors: [],
    research: null,
    createdAt: null,
    emitted: null,
    said: null,
    amends: false,
  };
}

export async function refine(
  state: ProductState,
  ports: ProductPorts,
  context: NodeContext,
): Going<"check" | "end"> {
  const asked = await askResearcher(ports, context, state, wordsOf(ports, state));
  const update: ProductUpdate = {
    calls: state.calls + 1,
    left: Math.max(0, state.left - 1),
    draft: asked.draft ?? state.draft,
    research: asked.research,
    createdAt: state.createdAt ?? asked.ids.at,
    emitted: asked.emitted,
    artifact: asked.ids.spec,
    author: { pack: asked.ids.pack, runId: asked.ids.runId },
    said: null,
    errors: [],
  };
  return goingOn(asked, update);
}

/** What the person wants, with what they said when they sent earlier drafts back. */
export function wordsOf(
  { source }: Pick<ProductPorts, "source">,
  { rejections }: Pick<ProductState, "rejections">,
): string {
  const text = source.kind === "text" ? source.text : JSON.stringify(source.spec);
  if (rejections.length === 0) return text;
  return `${text.trimEnd()}\n\n## Rejection Feedback\n\n${rejections.join("\n\n")}\n`;
}

function goingOn(
  { outcome }: Iterated,
  update: ProductUpdate,
): { update: ProductUpdate; goto: "check" | "end" } {
  switch (outcome.kind) {
    case "done": {
      const said = parseOrThrow(ProductResearcherOutput, outcome.output, "the kept answer of the researcher");
      return { update: { ...update, said }, goto: "check" };
    }
    case "invalid":
      return { update: { ...update, errors: outcome.problems.map(renderProblem) }, goto: "check" };
    case "timed-out":
      return { update: { ...update, errors: [`The call took too long: ${outcome.why}`] }, goto: "check" };
    case "aborted":
      throw new Error("the call of the researcher was kept without an end");
    default: {
      const { why } = stopOf("product_researcher", outcome, null);
      const next = "answer it in SPEC.md, or run the same command again to ask once more";
      return {
        update: { ...update, end: { kind: "stopped", why: `the researcher cannot go on: ${why}`, next } },
        goto: "end",
      };
    }
  }
}
