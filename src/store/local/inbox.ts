// The inbox: questions that wait for a person, and the one answer that each of them gets.
import { z } from "zod";
import { canonicalJson, dropUndefined } from "../../domain/canonical.ts";
import { CupelError } from "../../domain/error.ts";
import { nearest } from "../../domain/nearest.ts";
import { parse, parseOrThrow, preview, renderProblem } from "../../domain/parse.ts";
import { IsoTime } from "../../domain/refs.ts";
import { SCHEMAS } from "../../domain/schemas.ts";
import type { Answer, AnswerResult, Fence, Inbox, Question } from "../port.ts";
import type { Row, Sql } from "../sql.ts";
import { fenced } from "./fence.ts";
import { damaged, readJson, readRow } from "./row.ts";
import { Key, StoredText } from "./stored-text.ts";

const StoredQuestion = z.strictObject({
  id: Key,
  kind: z.enum(["spec_approval", "escalation", "interface_change", "clarification", "budget"]),
  runId: Key,
  title: StoredText,
  body: z.unknown(),
  answerSchema: StoredText,
  askedAt: IsoTime,
}) satisfies z.ZodType<Question>;

const StoredAnswer = z.strictObject({
  questionId: Key,
  answer: z.unknown(),
  by: StoredText,
  answeredAt: IsoTime,
  appliedAt: IsoTime.nullable(),
}) satisfies z.ZodType<Answer>;

const SELECT = `SELECT id, kind, run_id, title, body, answer_schema, asked_at, answer, answered_by, answered_at, applied_at
  FROM questions LEFT JOIN answers ON question_id = id`;

interface Found {
  question: Question;
  answer: Answer | null;
}

export class LocalInbox implements Inbox {
  readonly #sql: Sql;
  readonly #now: () => number;

  constructor(sql: Sql, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  async ask(fence: Fence, asked: Question): Promise<void> {
    const question = parseOrThrow(StoredQuestion, asked, "the question");
    assertKnownSchema(question.answerSchema);
    const body = canonicalJson(dropUndefined(question.body));
    fenced(this.#sql, fence, () => {
      const before = this.#find(question.id)?.question;
      if (before !== undefined) return assertSame(before, question);
      this.#sql.run(
        `INSERT INTO questions (id, kind, run_id, title, body, answer_schema, asked_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
        [
          question.id,
          question.kind,
          question.runId,
          question.title,
          body,
          question.answerSchema,
          question.askedAt,
        ],
      );
    });
  }

  /** Who comes second hears what was answered first, even when their own answer would not have been valid. */
  async answer(questionId: string, given: unknown, by: string): Promise<AnswerResult> {
    parseOrThrow(StoredText, by, "the name of the person who answers");
    return this.#sql.transact(() => {
      const found = this.#find(questionId);
      if (found === undefined) return { kind: "unknown-question" };
      if (found.answer !== null) return { kind: "already-answered", first: found.answer };
      const checked = checkAnswer(found.question, given);
      if (checked.kind === "invalid") return checked;
      const answeredAt = this.#time();
      this.#sql.run(
        "INSERT INTO answers (question_id, answer, answered_by, answered_at, applied_at) VALUES (?, ?, ?, ?, NULL)",
        [questionId, checked.json, by, answeredAt],
      );
      const answer: unknown = JSON.parse(checked.json);
      return { kind: "accepted", answer: { questionId, answer, by, answeredAt, appliedAt: null } };
    });
  }

  /** False also when there is no answer yet: there is nothing to apply. */
  async markApplied(fence: Fence, questionId: string): Promise<boolean> {
    const mark = "UPDATE answers SET applied_at = ? WHERE question_id = ? AND applied_at IS NULL";
    return fenced(this.#sql, fence, () => this.#sql.run(mark, [this.#time(), questionId]) === 1);
  }

  /** Those without an answer, the oldest first. */
  async open(): Promise<Question[]> {
    const rows = this.#sql.all(`${SELECT} WHERE question_id IS NULL ORDER BY seq`);
    return rows.map((row) => questionOf(row));
  }

  async find(questionId: string): Promise<Found | undefined> {
    return this.#find(questionId);
  }

  #find(id: string): Found | undefined {
    const row = this.#sql.get(`${SELECT} WHERE id = ?`, [id]);
    if (row === undefined || row["id"] !== id) return undefined;
    return { question: questionOf(row), answer: row["answer"] === null ? null : answerOf(row) };
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }
}

function assertKnownSchema(name: string): void {
  if (SCHEMAS.has(name)) return;
  const meant = nearest(name, SCHEMAS.keys());
  throw new CupelError(
    "usage",
    `no answer can match the schema ${preview(name)}: there is none of that name`,
    {
      expected: meant === undefined ? "the name of a schema" : `perhaps ${meant}`,
      hint: "cupel schema",
    },
  );
}

/** The time is no part of it: whoever asks again after a crash asks at another time. */
function assertSame(before: Question, question: Question): void {
  const [first, second] = [before, question].map((one) =>
    canonicalJson(dropUndefined({ ...one, askedAt: "" })),
  );
  if (first === second) return;
  throw new CupelError(
    "already_exists",
    `the question ${preview(question.id)} was asked with another content`,
    {
      expected: "the same question, or another id",
      hint: `cupel show ${question.id}`,
    },
  );
}

type Checked = { kind: "valid"; json: string } | { kind: "invalid"; problems: string[] };

function checkAnswer({ id, answerSchema }: Question, given: unknown): Checked {
  const schema = SCHEMAS.get(answerSchema);
  if (schema === undefined) {
    throw damaged({ table: "questions", key: id }, `  nobody knows its schema ${preview(answerSchema)}`);
  }
  const parsed = parse(schema, given);
  if (parsed.kind === "invalid") return { kind: "invalid", problems: parsed.problems.map(renderProblem) };
  try {
    return { kind: "valid", json: canonicalJson(dropUndefined(parsed.value)) };
  } catch (cause) {
    if (!(cause instanceof CupelError)) throw cause;
    return { kind: "invalid", problems: [cause.message] };
  }
}

function questionOf(row: Row): Question {
  const place = { table: "questions", key: String(row["id"]) };
  const { id, kind, run_id: runId, title, answer_schema: answerSchema, asked_at: askedAt } = row;
  const body = readJson(row["body"], place);
  return readRow(StoredQuestion, { id, kind, runId, title, body, answerSchema, askedAt }, place);
}

function answerOf(row: Row): Answer {
  const place = { table: "answers", key: String(row["id"]) };
  const { id: questionId, answered_by: by, answered_at: answeredAt, applied_at: appliedAt } = row;
  const answer = readJson(row["answer"], place);
  return readRow(StoredAnswer, { questionId, answer, by, answeredAt, appliedAt }, place);
}
