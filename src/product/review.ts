// What a person is told beside a specification: warnings, sources, answers to their points, and what differs from before.
import { type AnsweredPoint, amendmentAdvice, type SpecReview } from "../domain/people/spec-decision.ts";
import type { ProductSpec } from "../domain/product/product-spec.ts";
import { type ConsultedSource, unseenAddresses } from "../domain/product/research.ts";
import { validateSpec } from "../domain/product/spec-criteria.ts";
import { specSummary } from "../domain/product/spec-markdown.ts";
import { amendedBy } from "./check.ts";
import type { ProductPorts } from "./port.ts";
import { consultedIn } from "./records.ts";
import { wordsOf } from "./refine.ts";
import type { ProductState } from "./state.ts";

export async function reviewOf(
  state: ProductState,
  ports: ProductPorts,
  spec: ProductSpec,
  artifact: string,
): Promise<SpecReview> {
  const { round, said, shown, amends, amendments, author } = state;
  const sources = await consultedIn(ports, state.research);
  return {
    artifact,
    title: spec.title,
    summary: specSummary(spec),
    source: state.source ?? ports.source.hash,
    round,
    said: said === null ? null : { summary: said.summary, open_questions: said.open_questions },
    warnings: validateSpec(spec).warnings,
    notices: author === null ? [] : noticesOf(state, ports, spec, sources),
    sources,
    answers: answersOf(state),
    previous: amends && shown !== null ? shown.ref : null,
    difference: await amendedBy(state, ports),
    advisory: amendmentAdvice(amendments),
  };
}

function noticesOf(
  state: ProductState,
  ports: ProductPorts,
  spec: ProductSpec,
  sources: readonly ConsultedSource[],
): string[] {
  const failed = sources.flatMap(({ unavailable }) => (unavailable === null ? [] : [unavailable]));
  const reasons = [...new Set(failed)].map((why) => `A search was not possible: ${why}.`);
  const none = sources.every(({ urls }) => urls.length === 0)
    ? ["Nothing was looked up: all of it rests on what you wrote and on what the model knows."]
    : [];
  const people = [wordsOf(ports, state), ...state.points.map(({ text }) => text)];
  const unseen = unseenAddresses(spec, sources, people).map(
    (address) => `It names ${address}, which no search gave and nobody wrote.`,
  );
  return [...reasons, ...none, ...unseen];
}

function answersOf({ points, said }: ProductState): AnsweredPoint[] {
  return points.flatMap(({ point, text }) => {
    const found = said?.answers.find((answer) => answer.point === point);
    return found === undefined ? [] : [{ point, text, answer: found.answer, changed: found.changed }];
  });
}
