// The compiler configuration as the copy of a module has it: without what it extends outside of the module and
// without references to other projects, which are not there and over which every tool would stumble.
import { posix } from "node:path";
import { applyEdits, modify, parse, type ParseError } from "jsonc-parser";
import { OUTSIDE } from "./compiler/compiler-options.ts";

/** Only its text is read; what cannot be understood stays as it is, for the compiler to refuse. */
export function withinModule(path: string, bytes: Buffer, files: readonly string[]): Buffer | string {
  const text = bytes.toString("utf8");
  const errors: ParseError[] = [];
  const config: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || typeof config !== "object" || config === null) return bytes;
  const local = "references" in config ? changed(text, "references", undefined) : bytes;
  if (!("extends" in config)) return local;
  const extended: unknown[] = Array.isArray(config.extends) ? config.extends : [config.extends];
  const inside = extended.filter((each) => isInside(path, each, files));
  if (inside.length === extended.length) return local;
  const rest = changed(local.toString(), "extends", inside.length === 0 ? undefined : inside);
  return changed(rest, OUTSIDE, config.extends);
}

function isInside(path: string, extended: unknown, files: readonly string[]): boolean {
  if (typeof extended !== "string" || !extended.startsWith(".")) return false;
  const target = posix.join(posix.dirname(path), extended);
  return files.includes(target) || files.includes(`${target}.json`);
}

function changed(text: string, key: string, value: unknown): string {
  return applyEdits(
    text,
    modify(text, [key], value, { formattingOptions: { insertSpaces: true, tabSize: 2 } }),
  );
}
