// What an example must give, in one of four forms: a value as JSON, a value as Node prints it, an error, or printed text.
import type { MarkdownPart } from "./markdown-parts.ts";

/** What the value of the code, its error or what the module printed is compared with. */
export type ExampleOutput =
  | { form: "json"; value: unknown; text: string; line: number }
  | { form: "text" | "console"; text: string; line: number }
  | { form: "error"; name: string; message: string; text: string; line: number };

export const FORMS = "```json, ```text, ```error or ```console";

/** A text is what is wrong. */
export function outputOf({ language, text, line }: MarkdownPart & { kind: "block" }): ExampleOutput | string {
  switch (language) {
    case "json":
      try {
        const value: unknown = JSON.parse(text);
        return { form: "json", value, text, line };
      } catch {
        return "this is no JSON: write the value as JSON, or use ```text with the value as Node prints it";
      }
    case "text":
    case "console":
      return { form: language, text, line };
    case "error": {
      const [, name, message = ""] =
        /^([\p{L}$_][\p{L}\p{N}$_.]*)(?::[ ]?([^]*))?$/u.exec(text.trimEnd()) ?? [];
      if (name === undefined) return "write the error as Node does: its class, a colon and its message";
      return { form: "error", name, message, text, line };
    }
    default:
      return `a block of "${language}" is no output: open it by ${FORMS}`;
  }
}

/** `effect`: something before and after, or what the module printed. */
export type ExampleKind = "result" | "error" | "effect";

export function kindOf(output: ExampleOutput): ExampleKind {
  switch (output.form) {
    case "error":
      return "error";
    case "console":
      return "effect";
    case "json": {
      const { value } = output;
      return typeof value === "object" && value !== null && "before" in value && "after" in value
        ? "effect"
        : "result";
    }
    case "text":
      return /^\{\s*before:[^]*\bafter:/.test(output.text) ? "effect" : "result";
  }
}
