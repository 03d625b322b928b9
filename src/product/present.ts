// Puts a complete specification before a person: kept as an artifact, with everything that helps to decide beside it.
import { z } from "zod";
import type { ArtifactStatus } from "../domain/artifact/artifact-envelope.ts";
import { parseOrThrow } from "../domain/parse.ts";
import { SpecReview } from "../domain/people/spec-decision.ts";
import { questionTitle } from "../domain/people/question-title.ts";
import { renderDifference } from "../domain/product/spec-difference.ts";
import { renderSpec } from "../domain/product/spec-markdown.ts";
import { IsoTime, moduleIdOf, PayloadRef, Text } from "../domain/refs.ts";
import { contributionOf, tellOnce } from "../engineering/trail.ts";
import type { NodeContext } from "../graph/port.ts";
import type { ProductPorts } from "./port.ts";
import { specIn } from "./records.ts";
import { reviewOf } from "./review.ts";
import type { ProductState, ProductUpdate } from "./state.ts";

/** Found out once: whoever goes on after a crash says the same again. */
const Presented = z.strictObject({ at: IsoTime, runId: Text, review: PayloadRef });

export async function present(
  state: ProductState,
  ports: ProductPorts,
  context: NodeContext,
): Promise<{ update: ProductUpdate }> {
  const { emitted, artifact, version } = state;
  if (emitted === null || artifact === null) throw new Error("there is no specification to show");
  const { store, fence, now } = ports;
  const presented = await context.once("presented", Presented, async () => {
    const review = await reviewOf(state, ports, await specIn(ports, emitted), `${artifact}@${version}`);
    const kept = await store.payloads.put(`${JSON.stringify(review, null, 2)}\n`);
    return { at: now().toISOString(), runId: ports.runId, review: kept };
  });
  const json: unknown = JSON.parse(String(await store.payloads.get(presented.review)));
  const review = parseOrThrow(SpecReview, json, "the kept review");
  await keep(state, ports, presented, review);
  await advance(ports, artifact, "CHALLENGED");
  await tellOnce(ports, context, "drafted", [{ kind: "spec_drafted", spec: review.artifact }]);
  await store.inbox.ask(fence, {
    id: artifact,
    kind: "spec_approval",
    runId: presented.runId,
    title: questionTitle(`Approve the specification of ${review.title}: ${review.summary}`),
    body: review,
    answerSchema: "SpecDecision",
    askedAt: presented.at,
  });
  return { update: { shown: { ref: review.artifact, spec: emitted }, end: { kind: "waiting", artifact } } };
}

async function keep(
  { emitted, artifact, author, shown, version }: ProductState,
  ports: ProductPorts,
  { at, runId, review: reviewRef }: z.infer<typeof Presented>,
  review: SpecReview,
): Promise<void> {
  if (emitted === null || artifact === null) return;
  const { store, fence } = ports;
  const by =
    author === null
      ? ({ role: "person", run_id: runId } as const)
      : ({ role: "product_researcher", run_id: author.runId } as const);
  await store.artifacts.create(fence, {
    id: artifact,
    type: "PRODUCT_SPEC",
    pillar: "product",
    createdBy: by,
    contextPackRef: author?.pack ?? null,
    notes: `made from sha256:${review.source}`,
    body: {
      "spec.json": await store.payloads.get(emitted),
      "spec.md": renderSpec(await specIn(ports, emitted), review.warnings),
      "review.json": await store.payloads.get(reviewRef),
      ...(review.previous === null
        ? {}
        : { "difference.txt": `${renderDifference(review.difference).join("\n")}\n` }),
    },
    ...(shown === null ? {} : { successorOf: { artifactId: moduleIdOf(shown.ref), version } }),
  });
  const contribution = {
    type: "PRODUCT_SPEC",
    produced_by: by,
    artifact_ref: review.artifact,
    task_ref: null,
    created_at: at,
  } as const;
  const own = `CONTRIB-${artifact.slice("SPEC-".length)}`;
  await store.artifacts.contribute(
    fence,
    author === null
      ? { ...contribution, contribution_id: own, context_pack_ref: null }
      : contributionOf(author.pack, contribution),
  );
}

const WAY: readonly ArtifactStatus[] = ["DRAFT", "CHALLENGED", "ADJUDICATED", "SHIPPED"];

/** Step by step as far as it has to go; what was done before a crash is not done again. */
export async function advance(
  { store, fence }: ProductPorts,
  artifact: string,
  to: "CHALLENGED" | "ADJUDICATED" | "SHIPPED",
): Promise<void> {
  const { status } = (await store.artifacts.get(artifact)).envelope;
  for (const next of WAY.slice(WAY.indexOf(status) + 1, WAY.indexOf(to) + 1))
    await store.artifacts.transition(fence, artifact, next);
}
