// Whether a module is left as one leaves a workbench: laid out evenly, no forgotten notes, no code in comments, no prints.
import ts from "typescript6";
import type { StaticFinding } from "../../domain/evidence/static-finding.ts";
import type { Site, TidyReport } from "../port.ts";
import { type Comment, commentRanges, commentsOf } from "./static/comments.ts";
import { originOf } from "./static/origin.ts";
import { type CodeFile, everyNode, lineOf, parseCode, type Syntax } from "./static/syntax.ts";

export function tidy(site: Pick<Site, "layout" | "files">): Promise<TidyReport> {
  const { sources, tests } = site.layout;
  const code = parseCode(site.files(), [...sources, ...tests]);
  const findings = code.files.flatMap((file) => [
    ...layoutFindings(file),
    ...noteFindings(file),
    ...(sources.includes(file.path) ? printFindings(file, code) : []),
  ]);
  return Promise.resolve({ files: code.files.length, findings });
}

/** What formatters agree on, so that none of them is prescribed. */
const MOST_COLUMNS = 140;

type Add = (rule: string, line: number, message: string) => void;

function collected(file: CodeFile, look: (add: Add) => void): StaticFinding[] {
  const findings: StaticFinding[] = [];
  look((rule, line, message) => findings.push({ rule, file: file.path, line, message, severity: "error" }));
  return findings;
}

function layoutFindings(file: CodeFile): StaticFinding[] {
  const free = freeLines(file);
  const lines = file.text.split("\n");
  const returns = lines.filter((line) => line.endsWith("\r")).length;
  // Some machines end every line with one.
  const mixed = returns > 0 && returns < lines.length - 1;
  const indented = lines.filter((line, index) => !free.has(index + 1) && /^[\t ]+[^\s*]/.test(line));
  const tabs = indented.filter((line) => line.startsWith("\t")).length > indented.length / 2;
  return collected(file, (add) => {
    if (file.text !== "" && !file.text.endsWith("\n"))
      add("unformatted", lines.length, "the file does not end with a line break");
    if (/\n\s*\n$/.test(file.text)) add("unformatted", lines.length - 1, "the file ends with empty lines");
    lines.forEach((line, index) => {
      const at = index + 1;
      if (free.has(at)) return;
      if (/[\t ]\r?$/.test(line)) add("unformatted", at, "the line ends with blanks");
      if (mixed && line.endsWith("\r"))
        add("unformatted", at, "the line ends with a carriage return, others do not");
      if ((tabs ? /^ +(?![ *])/ : /^ *\t/).test(line))
        add("unformatted", at, `the line is indented with ${tabs ? "blanks" : "tabs"}, others are not`);
      const isUnbroken = /\S{60,}/.test(line) || /["'`/].{60,}["'`/]/.test(line);
      if (line.length > MOST_COLUMNS && (!isUnbroken || codeIn(file, index) > MOST_COLUMNS))
        add("unformatted", at, `the line is longer than ${MOST_COLUMNS} signs`);
      if (
        at > 3 &&
        [line, lines[index - 1], lines[index - 2]].every((each) => each?.trim() === "") &&
        at < lines.length
      )
        add("unformatted", at, "there are several empty lines in a row");
    });
  });
}

/** Signs of a line that are neither of a text nor of a comment, of which some cannot be broken. */
function codeIn(file: CodeFile, line: number): number {
  const { tree, text } = file;
  const begin = tree.getPositionOfLineAndCharacter(line, 0);
  const end = tree.getLineEndOfPosition(begin);
  const spans = [...everyNode(tree)]
    .filter(isText)
    .map((node) => ({ pos: node.getStart(tree), end: node.end }));
  const within = [...spans, ...commentRanges(file)].map(
    (span) => Math.min(end, span.end) - Math.max(begin, span.pos),
  );
  const code = end - begin - within.reduce((sum, each) => sum + Math.max(0, each), 0);
  return text.slice(begin, end).trim() === "" ? 0 : code;
}

function isText(node: ts.Node): boolean {
  return (
    ts.isStringLiteralLike(node) || ts.isRegularExpressionLiteral(node) || ts.isTemplateLiteralToken(node)
  );
}

/** Lines that are part of a text, where blanks are content. */
function freeLines({ tree }: CodeFile): ReadonlySet<number> {
  const free = new Set<number>();
  for (const node of everyNode(tree)) {
    const isText = ts.isTemplateLiteral(node) || node.kind === ts.SyntaxKind.JsxText;
    if (!isText) continue;
    const first = lineOf(node);
    const last = tree.getLineAndCharacterOfPosition(node.end).line + 1;
    for (let line = first; line < last; line++) free.add(line).add(line + 1);
  }
  return free;
}

function noteFindings(file: CodeFile): StaticFinding[] {
  const comments = commentsOf(file);
  return collected(file, (add) => {
    for (const { line, lines } of comments) {
      const whole = lines.join(" ");
      lines.forEach((text, index) => {
        const word = /^[-*\s]*(TODO|FIXME|XXX|HACK)\b/.exec(text)?.[1];
        if (word !== undefined && !isOwned(whole))
          add(
            "orphaned-todo",
            line + index,
            `${word} without a name, an issue or a link; do it or say whose it is`,
          );
      });
    }
    for (const { line, text } of groupsOf(comments))
      if (isCode(text))
        add("commented-out-code", line, "code in a comment; the history keeps what was there before");
  });
}

/** `TODO(ada)`, `FIXME #12` and a link say who or what it waits for. */
function isOwned(text: string): boolean {
  return (
    /\b(?:TODO|FIXME|XXX|HACK)\s*\(\s*[\w@#/.-]+\s*\)/.test(text) ||
    /#\d+\b|https?:\/\/\S+|\b[A-Z]{2,}-\d+\b/.test(text)
  );
}

/** Comments on neighbouring lines, taken together. */
function groupsOf(comments: readonly Comment[]): { line: number; text: string }[] {
  const groups: { line: number; next: number; lines: string[] }[] = [];
  for (const { line, lines, single, documents } of comments) {
    if (documents) continue;
    const last = groups.at(-1);
    if (single && last?.next === line) {
      last.lines.push(...lines);
      last.next += 1;
    } else groups.push({ line, next: single ? line + 1 : -1, lines: [...lines] });
  }
  return groups.map((group) => ({ line: group.line, text: group.lines.join("\n").trim() }));
}

function isCode(text: string): boolean {
  if (!/[;{}]\s*$/.test(text)) return false;
  const compilerOptions = { target: ts.ScriptTarget.ESNext };
  const { diagnostics = [] } = ts.transpileModule(text, { compilerOptions, reportDiagnostics: true });
  if (diagnostics.length > 0) return false;
  const { statements } = ts.createSourceFile("comment.ts", text, ts.ScriptTarget.ESNext, true);
  return statements.some(doesSomething) && (statements.length > 1 || text.length > 8);
}

/** A lone name, text or block is prose that happens to parse. */
function doesSomething(statement: ts.Statement): boolean {
  if (ts.isExpressionStatement(statement)) {
    const { expression } = statement;
    return (
      ts.isCallExpression(expression) || ts.isBinaryExpression(expression) || ts.isAwaitExpression(expression)
    );
  }
  return !ts.isBlock(statement) && !ts.isEmptyStatement(statement) && !ts.isLabeledStatement(statement);
}

function printFindings(file: CodeFile, syntax: Syntax): StaticFinding[] {
  return collected(file, (add) => {
    for (const node of everyNode(file.tree)) {
      if (node.kind === ts.SyntaxKind.DebuggerStatement)
        add("left-over", lineOf(node), "debugger was left in");
      if (!ts.isCallExpression(node)) continue;
      const origin = originOf(node.expression, syntax);
      const [member] = origin?.members ?? [];
      const isPrint = member === "log" || member === "debug" || member === "trace" || member === "dir";
      if (origin?.name === "console" && isPrint)
        add("left-over", lineOf(node), `console.${member} was left in`);
    }
  });
}
