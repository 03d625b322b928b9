// The inbox: questions that wait for a person, and the one answer that each of them gets.
import { parseOrThrow } from "../../domain/parse.ts";
import type { Answer, AnswerResult, Fence, Inbox, Question } from "../port.ts";
import type { Sql } from "../sql.ts";
import { fenced } from "./fence.ts";
import {
  answerOf,
  checkAnswer,
  checkedQuestion,
  type Found,
  findQuestion,
  insertAnswer,
  insertQuestion,
  markAnswerApplied,
  questionOf,
  SELECT,
  withdrawQuestion,
} from "./question-rows.ts";
import { StoredText } from "./stored-text.ts";

export class LocalInbox implements Inbox {
  readonly #sql: Sql;
  readonly #now: () => number;

  constructor(sql: Sql, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  async ask(fence: Fence, asked: Question): Promise<void> {
    const question = checkedQuestion(asked);
    fenced(this.#sql, fence, () => insertQuestion(this.#sql, question));
  }

  /** Who comes second hears what was answered first, even when their own answer would not have been valid. */
  async answer(questionId: string, given: unknown, by: string): Promise<AnswerResult> {
    parseOrThrow(StoredText, by, "the name of the person who answers");
    return this.#sql.transact(() => this.#answer(questionId, given, by));
  }

  async volunteer(asked: Question, given: unknown, by: string, instead?: string): Promise<AnswerResult> {
    parseOrThrow(StoredText, by, "the name of the person who answers");
    const question = checkedQuestion(asked);
    return this.#sql.transact(() => {
      const open = instead === undefined ? undefined : findQuestion(this.#sql, instead);
      if (instead !== undefined && open === undefined) return { kind: "unknown-question" };
      if (open !== undefined && open.answer !== null) return { kind: "already-answered", first: open.answer };
      const checked = checkAnswer(question, given);
      if (checked.kind === "invalid") return checked;
      insertQuestion(this.#sql, question);
      if (instead !== undefined) withdrawQuestion(this.#sql, instead, this.#time());
      return this.#answer(question.id, given, by);
    });
  }

  /** False also when there is no answer yet: there is nothing to apply. */
  async markApplied(fence: Fence, questionId: string): Promise<boolean> {
    return fenced(this.#sql, fence, () => markAnswerApplied(this.#sql, questionId, this.#time()));
  }

  /** Those without an answer, the oldest first. */
  async open(): Promise<Question[]> {
    const rows = this.#sql.all(`${SELECT} WHERE question_id IS NULL ORDER BY seq`);
    return rows.map((row) => questionOf(row));
  }

  async unapplied(): Promise<{ question: Question; answer: Answer }[]> {
    const rows = this.#sql.all(
      `${SELECT} WHERE question_id IS NOT NULL AND applied_at IS NULL ORDER BY answers.rowid`,
    );
    return rows.map((row) => ({ question: questionOf(row), answer: answerOf(row) }));
  }

  async find(questionId: string): Promise<Found | undefined> {
    return findQuestion(this.#sql, questionId);
  }

  #answer(questionId: string, given: unknown, by: string): AnswerResult {
    const found = findQuestion(this.#sql, questionId);
    if (found === undefined) return { kind: "unknown-question" };
    if (found.answer !== null) return { kind: "already-answered", first: found.answer };
    const checked = checkAnswer(found.question, given);
    if (checked.kind === "invalid") return checked;
    const about = { questionId, by, answeredAt: this.#time(), appliedAt: null };
    insertAnswer(this.#sql, about, checked.json);
    return { kind: "accepted", answer: { ...about, answer: JSON.parse(checked.json) } };
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }
}
