// Questions and answers as rows: how they are written, found and read back; for transactions that have checked the fence.
import { z } from "zod";
import { canonicalJson, dropUndefined } from "../../domain/canonical.ts";
import { CupelError } from "../../domain/error.ts";
import { nearest } from "../../domain/nearest.ts";
import { parse, parseOrThrow, preview, renderProblem } from "../../domain/parse.ts";
import { IsoTime } from "../../domain/refs.ts";
import { SCHEMAS } from "../../domain/schemas.ts";
import type { Answer, Question } from "../port.ts";
import type { Row, Sql } from "../sql.ts";
import { damaged, readJson, readRow } from "./row.ts";
import { Key, StoredText } from "./stored-text.ts";

const StoredQuestion = z.strictObject({
  id: Key,
  kind: z.enum(["spec_approval", "escalation", "interface_change", "e2e", "clarification", "budget"]),
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

export const SELECT = `SELECT id, kind, run_id, title, body, answer_schema, asked_at, answer, answered_by, answered_at, applied_at
  FROM questions LEFT JOIN answers ON question_id = id`;

export interface Found {
  question: Question;
  answer: Answer | null;
}

export function checkedQuestion(asked: Question): Question {
  const question = parseOrThrow(StoredQuestion, asked, "the question");
  assertKnownSchema(question.answerSchema);
  return question;
}

/** Asking the same again changes nothing. */
export function insertQuestion(sql: Sql, question: Question): void {
  const body = canonicalJson(dropUndefined(question.body));
  const before = findQuestion(sql, question.id)?.question;
  if (before !== undefined) return assertSame(before, question);
  sql.run(
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
}

export function findQuestion(sql: Sql, id: string): Found | undefined {
  const row = sql.get(`${SELECT} WHERE id = ?`, [id]);
  if (row === undefined || row["id"] !== id) return undefined;
  return { question: questionOf(row), answer: row["answer"] === null ? null : answerOf(row) };
}

/** `json` was checked. */
export function insertAnswer(sql: Sql, answer: Omit<Answer, "answer">, json: string): void {
  const { questionId, by, answeredAt, appliedAt } = answer;
  sql.run(
    "INSERT INTO answers (question_id, answer, answered_by, answered_at, applied_at) VALUES (?, ?, ?, ?, ?)",
    [questionId, json, by, answeredAt, appliedAt],
  );
}

export function markAnswerApplied(sql: Sql, questionId: string, at: string): boolean {
  const mark = "UPDATE answers SET applied_at = ? WHERE question_id = ? AND applied_at IS NULL";
  return sql.run(mark, [at, questionId]) === 1;
}

/** Nobody needs to answer it any more; an answer that came first stays. */
export function withdrawQuestion(sql: Sql, questionId: string, at: string): void {
  if (findQuestion(sql, questionId)?.answer !== null) return;
  insertAnswer(sql, { questionId, by: WITHDRAWN, answeredAt: at, appliedAt: at }, "null");
}

/** Who "answered" it. */
export const WITHDRAWN = "nobody: it was withdrawn";

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

export function checkAnswer({ id, answerSchema }: Question, given: unknown): Checked {
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

export function questionOf(row: Row): Question {
  const place = { table: "questions", key: String(row["id"]) };
  const { id, kind, run_id: runId, title, answer_schema: answerSchema, asked_at: askedAt } = row;
  const body = readJson(row["body"], place);
  return readRow(StoredQuestion, { id, kind, runId, title, body, answerSchema, askedAt }, place);
}

export function answerOf(row: Row): Answer {
  const place = { table: "answers", key: String(row["id"]) };
  const { id: questionId, answered_by: by, answered_at: answeredAt, applied_at: appliedAt } = row;
  const answer = readJson(row["answer"], place);
  return readRow(StoredAnswer, { questionId, answer, by, answeredAt, appliedAt }, place);
}
