// Reads rows as records: nothing leaves the database that does not match its schema.
import type { z } from "zod";
import { CupelError } from "../../domain/error.ts";
import { parse, preview, renderProblems } from "../../domain/parse.ts";

/** Where a row is, for the error that says it is damaged. */
export interface Place {
  table: string;
  key: string | number;
}

export function readRow<S extends z.ZodType>(schema: S, value: unknown, place: Place): z.output<S> {
  const parsed = parse(schema, value);
  if (parsed.kind === "ok") return parsed.value;
  throw damaged(place, renderProblems(parsed.problems));
}

export function readJson(text: unknown, place: Place): unknown {
  try {
    return JSON.parse(String(text));
  } catch (cause) {
    throw damaged(place, "  what should be JSON is not", cause);
  }
}

export function damaged({ table, key }: Place, why: string, cause?: unknown): CupelError {
  return new CupelError(
    "store_damaged",
    `the row ${preview(key)} of the table ${table} is damaged:\n${why}`,
    {
      expected: "a row as Cupel wrote it",
      hint: "cupel store fsck",
      cause,
    },
  );
}
