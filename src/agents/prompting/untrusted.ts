// Keeps what others wrote apart from what we ask: fenced, labelled, and with a fence that the content cannot close.
import { z } from "zod";
import { sha256Hex } from "../../domain/canonical.ts";

/**
 * The input as templates see it. Numbers, booleans and words of a closed list cannot carry an instruction and stay as
 * they are; everything else becomes a fenced text. What is empty stays empty, so that templates can ask for it.
 */
export function fencedInput(
  schema: z.ZodType,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const shape = schema instanceof z.ZodObject ? schema.shape : {};
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => {
      if (isEmpty(value)) return [key, null];
      return [key, isClosed(shape[key]) ? value : fenced(key.replaceAll("_", " "), value)];
    }),
  );
}

/** Whoever wrote the content cannot know the id before writing it, so no text inside can end the fence. */
export function fenced(name: string, value: unknown, hash: (text: string) => string = sha256Hex): string {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 1);
  let id = hash(text).slice(0, 16);
  while (text.includes(id)) id = hash(id + text).slice(0, 16);
  return `<untrusted name="${name}" id="${id}">\n${text}\n</untrusted id="${id}">`;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function isClosed(schema: z.core.$ZodType | undefined): boolean {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return isClosed(schema.unwrap());
  if (schema instanceof z.ZodArray) return isClosed(schema.element);
  return CLOSED.some((kind) => schema instanceof kind);
}

const CLOSED = [z.ZodEnum, z.ZodLiteral, z.ZodNumber, z.ZodBoolean];
