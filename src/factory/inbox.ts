// The inbox of a project for its doors: what waits for a person, and the decision about a specification.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { CupelError } from "../domain/error.ts";
import type { SpecDecision } from "../domain/people/spec-decision.ts";
import type { Answer, Question } from "../store/port.ts";
import type { StateStore } from "../store/state-store.ts";
import { projectAround, projectNear } from "./project.ts";
import { withStore } from "./stores.ts";

/** The oldest first. Nothing waits in a project in which nothing has run yet. */
export async function openQuestions(directory: string): Promise<Question[]> {
  const near = projectNear(directory);
  if (near !== undefined && !existsSync(join(near, ".cupel"))) return [];
  return withStore(projectAround(directory), ({ inbox }) => inbox.open());
}

export interface Decided {
  question: Question;
  answer: Answer;
}

/** The one that waits, unless told which; whoever comes second hears who was first. */
export async function decideSpec(
  directory: string,
  id: string | undefined,
  decision: SpecDecision,
  by: string,
): Promise<Decided> {
  return withStore(projectAround(directory), async (store) => {
    const question = id === undefined ? await theOnlyOne(store) : await approvalNamed(store, id);
    const result = await store.inbox.answer(question.id, decision, by);
    switch (result.kind) {
      case "accepted":
        return { question, answer: result.answer };
      case "already-answered":
        throw tooLate(question, result.first);
      case "invalid":
        throw new CupelError("invalid_input", `the answer does not fit: ${result.problems.join("; ")}`, {
          hint: "cupel schema SpecDecision",
        });
      case "unknown-question":
        throw unknown(question.id);
    }
  });
}

async function theOnlyOne({ inbox }: StateStore): Promise<Question> {
  const open = (await inbox.open()).filter(({ kind }) => kind === "spec_approval");
  const [first, ...others] = open;
  if (first === undefined) {
    throw new CupelError("not_found", "no specification waits for approval", {
      expected: "one that the product loop has put into the inbox",
      hint: "cupel inbox (lists what waits)",
    });
  }
  if (others.length === 0) return first;
  throw new CupelError("usage", `${open.length} specifications wait for approval`, {
    expected: `the id of one of them: ${open.map((each) => each.id).join(", ")}`,
    hint: `cupel approve ${first.id}`,
  });
}

async function approvalNamed({ inbox }: StateStore, given: string): Promise<Question> {
  const [id = given] = given.split("@");
  const question = (await inbox.find(id))?.question;
  if (question === undefined) throw unknown(given);
  if (question.kind === "spec_approval") return question;
  throw new CupelError("usage", `${id} is no specification but ${kindInWords(question.kind)}`, {
    expected: "the id of a specification that waits for approval, such as SPEC-0a1b2c3d",
    hint: `cupel show ${id}`,
  });
}

export function kindInWords(kind: Question["kind"]): string {
  return KINDS[kind];
}

const KINDS: Readonly<Record<Question["kind"], string>> = {
  spec_approval: "a specification to approve",
  escalation: "a halted task",
  interface_change: "a request for another contract",
  e2e: "a product without end-to-end tests",
  clarification: "a question",
  budget: "a budget that is used up",
};

function unknown(id: string): CupelError {
  return new CupelError("not_found", `nobody asked anything under ${JSON.stringify(id)}`, {
    expected: "an id from the inbox",
    hint: "cupel inbox",
  });
}

function tooLate({ id }: Question, { by, answer, answeredAt }: Answer): CupelError {
  const action: unknown = typeof answer === "object" && answer !== null ? Reflect.get(answer, "action") : "";
  return new CupelError(
    "already_exists",
    `${by} has answered ${id} already: ${String(action)}, ${answeredAt}`,
    {
      expected: "one answer to each question; the first one counts",
      hint: `cupel show ${id}`,
    },
  );
}
