// What a person is told beside a specification before they decide.
import type { SpecReview } from "../../domain/people/spec-decision.ts";
import { renderDifference } from "../../domain/product/spec-difference.ts";
import { count } from "../output.ts";
import type { Line } from "../lines.ts";

export function reviewLines(review: SpecReview, id: string, isOpen: boolean): Line[] {
  return [
    ...saidLines(review),
    ...answerLines(review),
    ...section(
      review.previous === null ? "" : `What differs from ${review.previous}`,
      review.previous === null ? [] : orNothing(renderDifference(review.difference)),
    ),
    ...section("Look at this", [
      ...review.notices.map((notice) => `! ${notice}`),
      ...review.warnings.slice(0, MOST).map(({ message, path }) => `– ${message} (${path})`),
      ...(review.warnings.length > MOST
        ? [`and ${count(review.warnings.length - MOST, "more warning")}`]
        : []),
    ]),
    ...section("What was looked up", sourceLines(review)),
    ...(review.advisory === null ? [] : [review.advisory, ""]),
    ...(isOpen
      ? [
          `Next: cupel approve ${id}`,
          `      cupel approve ${id} --amend 'what should be different'`,
          `      cupel approve ${id} --reject 'why'`,
        ]
      : ["Next: cupel run"]),
  ];
}

const MOST = 50;

function section(title: string, lines: readonly string[]): Line[] {
  return lines.length === 0 ? [] : [{ bold: title }, ...lines.map((line) => `  ${line}`), ""];
}

function orNothing(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? ["nothing"] : lines;
}

function saidLines({ said }: SpecReview): Line[] {
  if (said === null) return [];
  return section("What the researcher says (nobody checked it)", [
    said.summary,
    ...said.open_questions.map((question) => `? ${question}`),
  ]);
}

function answerLines({ answers }: SpecReview): Line[] {
  return section(
    "Your points",
    answers.flatMap(({ point, text, answer, changed }) => [
      `${point}. ${text}`,
      changed.length === 0 ? `   NOT CHANGED: ${answer}` : `   ${answer} (${changed.join(", ")})`,
    ]),
  );
}

function sourceLines({ sources }: SpecReview): string[] {
  return sources.flatMap(({ query, urls, unavailable }) => [
    `"${query}"${unavailable === null ? "" : `: not possible, ${unavailable}`}`,
    ...urls.map((url) => `  ${url}`),
  ]);
}
