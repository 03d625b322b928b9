// Knows of a source which function a place lies in, and takes away comments that would tell a tool to look elsewhere.
import { extname } from "node:path";
import { Lang, parse, type SgNode } from "@ast-grep/napi";
import { isBefore, type Position } from "./place.ts";

export interface CodeMap {
  /** The source, in which no comment switches mutants off; every place is where it was. */
  text: string;
  functionAt(position: Position): string | undefined;
  slice(place: { start: Position; end: Position }): string;
}

export function mapCode(path: string, source: string): CodeMap {
  const language = extname(path).endsWith("x") ? Lang.Tsx : Lang.TypeScript;
  const root = parse(language, source).root();
  const functions = root
    .findAll({ rule: { any: FUNCTIONS.map((kind) => ({ kind })) } })
    .flatMap((node) => named(node));
  const text = withoutDirectives(root, source);
  const lines = source.split("\n");
  return {
    text,
    functionAt: (position) => {
      const around = functions.filter(
        ({ start, end }) => !isBefore(position, start) && isBefore(position, end),
      );
      // The innermost is the one that begins last.
      return around.toSorted((one, other) => (isBefore(one.start, other.start) ? 1 : -1))[0]?.name;
    },
    slice: ({ start, end }) => {
      const inside = lines.slice(start.line, end.line + 1);
      const last = inside.length - 1;
      return inside
        .map((line, index) =>
          line.slice(index === 0 ? start.column : 0, index === last ? end.column : line.length),
        )
        .join("\n");
    },
  };
}

const FUNCTIONS = [
  "function_declaration",
  "generator_function_declaration",
  "method_definition",
  "function_expression",
  "generator_function",
  "arrow_function",
];

interface Named {
  name: string;
  start: Position;
  end: Position;
}

/** A function without a name of its own is known by what it is assigned to; else it belongs to the one around it. */
function named(node: SgNode): Named[] {
  const parent = node.parent();
  const own = node.field("name") ?? (parent?.kind() === "variable_declarator" ? parent.field("name") : null);
  if (own === null) return [];
  const owner = node
    .ancestors()
    .find((ancestor) => ancestor.kind() === "class_declaration")
    ?.field("name");
  const isMethod = node.kind() === "method_definition" && owner !== null && owner !== undefined;
  const { start, end } = (parent?.kind() === "variable_declarator" ? parent : node).range();
  return [{ name: isMethod ? `${owner.text()}.${own.text()}` : own.text(), start, end }];
}

/** Whoever writes the code must not decide what of it is mutated. */
function withoutDirectives(root: SgNode, source: string): string {
  if (!/Stryker\s+(?:disable|restore)/i.test(source)) return source;
  const edits = root.findAll({ rule: { kind: "comment" } }).flatMap((comment) => {
    const text = comment.text();
    const silenced = text.replaceAll(/(Stryke)r(?=\s+(?:disable|restore))/gi, "$1_");
    return silenced === text ? [] : [comment.replace(silenced)];
  });
  return edits.length === 0 ? source : root.commitEdits(edits);
}
