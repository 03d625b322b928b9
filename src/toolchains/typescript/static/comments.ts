// The comments of a file, and those among them that tell other tools to look away.
import ts from "typescript6";
import type { StaticFinding } from "../../../domain/evidence/static-finding.ts";
import type { CodeFile } from "./syntax.ts";

export interface Comment {
  line: number;
  /** Without its marks, one text for each of its lines. */
  lines: readonly string[];
  /** Of `//` comments; those on neighbouring lines often belong together. */
  single: boolean;
  /** Documentation, which may hold examples of code. */
  documents: boolean;
}

/** Each would make another gate blind for the code behind it. */
const BLINDING: readonly RegExp[] = [
  /^@ts-(?:ignore|nocheck|expect-error)\b/,
  /^(?:v8|c8|istanbul|node:coverage)\s+(?:ignore|disable)\b/,
  /^Stryker\s+disable\b/i,
];

/** Said to tools that no gate asks. */
const ELSEWHERE: readonly RegExp[] = [
  /^(?:eslint|oxlint|tslint)[-:]disable\b/,
  /^(?:biome|deno-lint|prettier|oxfmt)-ignore\b/,
];

export function suppressionFindings(file: CodeFile): StaticFinding[] {
  return commentsOf(file).flatMap(({ line, lines }) =>
    lines.flatMap((text, index): StaticFinding[] => {
      const blinding = firstMatch(BLINDING, text);
      const found = blinding ?? firstMatch(ELSEWHERE, text);
      if (found === undefined) return [];
      const message = `"${found}" hides code from a check; change the code instead`;
      const severity = blinding === undefined ? "warning" : "error";
      return [{ rule: "suppression", file: file.path, line: line + index, message, severity }];
    }),
  );
}

function firstMatch(patterns: readonly RegExp[], text: string): string | undefined {
  return patterns.map((pattern) => pattern.exec(text)?.[0]).find((each) => each !== undefined);
}

export function commentsOf(file: CodeFile): Comment[] {
  return commentRanges(file).map((range) => commentAt(file.tree, file.text, range));
}

export function commentRanges({ tree, text }: Pick<CodeFile, "tree" | "text">): ts.CommentRange[] {
  const ranges = new Map<number, ts.CommentRange>();
  const waiting: ts.Node[] = [tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (ts.isJSDoc(node) || node.kind === ts.SyntaxKind.JsxText) continue;
    const children = node.getChildren(tree);
    waiting.push(...children);
    if (children.length > 0 && !ts.isSourceFile(node)) continue;
    const around = [
      ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
    ];
    for (const range of around) ranges.set(range.pos, range);
  }
  return [...ranges.values()].toSorted((one, other) => one.pos - other.pos);
}

function commentAt(tree: ts.SourceFile, text: string, { pos, end, kind }: ts.CommentRange): Comment {
  const whole = text.slice(pos, end);
  const lines = whole.split(/\r\n|[\n\r\u2028\u2029]/).map((line) =>
    line
      .replace(/^\s*(?:\/\*+!?|\/\/+!?|\*+(?!\/))?/, "")
      .replace(/\*+\/\s*$/, "")
      .trim(),
  );
  return {
    line: tree.getLineAndCharacterOfPosition(pos).line + 1,
    lines,
    single: kind === ts.SyntaxKind.SingleLineCommentTrivia,
    documents: whole.startsWith("/**"),
  };
}
