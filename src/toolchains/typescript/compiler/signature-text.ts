// Takes the text of a function type apart, as far as a scaffold and the comparison of surfaces need it.
import type { EntryPoint } from "../../../domain/contract/contract.ts";

export interface SignatureParts {
  isNew: boolean;
  /** With their brackets; empty where there are none. */
  generics: string;
  /** With their brackets. */
  parameters: string;
  result: string;
}

/** Undefined where it is not one plain function type: overloads, constants, type predicates in brackets. */
export function partsOf(signature: string): SignatureParts | undefined {
  let rest = signature.trim();
  const isNew = /^new\b/.test(rest);
  if (isNew) rest = rest.slice(3).trim();
  const generics = rest.startsWith("<") ? bracketed(rest) : "";
  if (generics === undefined) return undefined;
  rest = rest.slice(generics.length).trim();
  const parameters = rest.startsWith("(") ? bracketed(rest) : undefined;
  if (parameters === undefined) return undefined;
  rest = rest.slice(parameters.length).trim();
  return rest.startsWith("=>") ? { isNew, generics, parameters, result: rest.slice(2).trim() } : undefined;
}

/** What a class is generic over, with brackets, as its constructor says in the contract; its members may speak of that. */
export function genericsOfClass(name: string, entryPoints: readonly EntryPoint[]): string {
  const made = entryPoints.find((each) => each.name === name);
  const parts = made === undefined ? undefined : partsOf(made.signature);
  return parts?.isNew === true ? parts.generics : "";
}

/** The names alone: those of `<K extends string, V = number>` are K and V. */
export function namesOfGenerics(generics: string): string[] {
  return separated(generics.slice(1, -1), /,/).flatMap(
    (each) => /^(?:const\s+)?([\p{ID_Start}$_][\p{ID_Continue}$]*)/u.exec(each)?.[1] ?? [],
  );
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/** From the first bracket to the one that closes it. */
export function bracketed(text: string): string | undefined {
  const open: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === '"' || character === "'" || character === "`") {
      at = text.indexOf(character, at + 1);
      if (at < 0) return undefined;
    } else if (text.startsWith("=>", at)) at += 1;
    else if (Object.hasOwn(CLOSING, character)) open.push(CLOSING[character] ?? "");
    else if (character === open.at(-1)) {
      open.pop();
      if (open.length === 0) return text.slice(0, at + 1);
    }
  }
  return undefined;
}

/** The parts of a text between separators that stand in no brackets and no quotes, without the empty ones. */
export function separated(text: string, separator: RegExp): string[] {
  const parts = [""];
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    const quoted = /^(["'`]).*?\1/s.exec(rest)?.[0];
    const whole = quoted ?? (Object.hasOwn(CLOSING, rest[0] ?? "") ? bracketed(rest) : undefined);
    const next = whole ?? (rest.startsWith("=>") ? "=>" : (rest[0] ?? ""));
    if (whole === undefined && separator.test(next)) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${next}`);
    at += next.length;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** Names of types that neither the language nor the signature itself declares. */
export function unknownTypes(signature: string): string[] {
  const text = signature.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
  const own = new Set(
    [...text.matchAll(/[<,]\s*(?:const\s+)?([A-Z]\w*)\s*(?=[,>=]|extends\b)/g)].map((each) => each[1]),
  );
  const isGeneric = /^\s*(?:new\s*)?</.test(text);
  const named = [...text.matchAll(/(?<![\w$.])([A-Z][\w$]*)(?!\s*\??:(?!:))/g)].map((each) => each[1] ?? "");
  return [...new Set(named)].filter(
    (name) => !KNOWN.has(name) && !(isGeneric && own.has(name)) && !(name in globalThis),
  );
}

const KNOWN = new Set(
  (
    "Array ReadonlyArray Map ReadonlyMap Set ReadonlySet WeakMap WeakSet Promise PromiseLike Awaited Record Partial " +
    "Required Readonly Pick Omit Exclude Extract NonNullable Parameters ReturnType ConstructorParameters InstanceType " +
    "Uppercase Lowercase Capitalize Uncapitalize NoInfer ThisType Iterable Iterator IterableIterator AsyncIterable " +
    "AsyncIterator AsyncIterableIterator Generator AsyncGenerator ArrayLike PropertyKey TemplateStringsArray"
  ).split(" "),
);
