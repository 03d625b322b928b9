// Finds inputs that are pasted into text which somebody else reads as code: SQL, a shell, HTML, a regular expression.
import ts from "typescript6";
import type { StaticFinding } from "../../../domain/evidence/static-finding.ts";
import { memberOf, originOf, unwrapped } from "./origin.ts";
import { isWritten } from "./safe-text.ts";
import { type CodeFile, everyNode, lineOf, type Syntax } from "./syntax.ts";

export function injectionFindings({ path, tree }: CodeFile, syntax: Syntax): StaticFinding[] {
  return [...everyNode(tree)].flatMap((node): StaticFinding[] => {
    const found =
      sqlIn(node, syntax) ?? shellIn(node, syntax) ?? htmlIn(node, syntax) ?? patternIn(node, syntax);
    if (found === undefined) return [];
    return [{ severity: "error", ...found, file: path, line: lineOf(node) }];
  });
}

type Found = Pick<StaticFinding, "rule" | "message"> & Partial<Pick<StaticFinding, "severity">>;

/** Wherever a database is asked; the words of the text say that it is SQL, whatever the function is called. */
const ASKS =
  /^(?:query|execute|exec|run|all|get|each|iterate|prepare|raw|unsafe|\$?(?:query|execute)RawUnsafe)$/i;
const UNSAFE = /unsafe$/i;
const SQL =
  /^\s*(?:select\b[^]*\bfrom\b|insert\s+into\b|update\s+\S+\s+set\b|delete\s+from\b|replace\s+into\b|merge\s+into\b|with\s[^]*\bas\s*\(|(?:create|alter|drop|truncate)\s+(?:\w+\s+)*(?:table|index|view|trigger|schema|database|user)\b|pragma\s)/i;

function sqlIn(node: ts.Node, syntax: Syntax): Found | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const callee = unwrapped(node.expression);
  const [first] = node.arguments;
  if (first === undefined || !ts.isPropertyAccessExpression(callee) || !ASKS.test(callee.name.text))
    return undefined;
  const text = pieced(first, syntax);
  const isSql = text !== undefined && (UNSAFE.test(callee.name.text) || SQL.test(shapeOf(text)));
  if (!isSql || isWritten(text, syntax)) return undefined;
  return {
    rule: "sql-injection",
    message: `${callee.name.text} is given SQL with values pasted in; write ? or $1 and hand the values over beside it`,
  };
}

/** The template or sum that makes a text, also where it was given a name first; a tagged template is no text. */
function pieced(node: ts.Node, syntax: Syntax): ts.TemplateExpression | ts.BinaryExpression | undefined {
  const inner = unwrapped(node);
  if (ts.isTemplateExpression(inner)) return inner;
  if (ts.isBinaryExpression(inner) && inner.operatorToken.kind === ts.SyntaxKind.PlusToken) return inner;
  if (!ts.isIdentifier(inner)) return undefined;
  for (const declaration of syntax.declarationsOf(inner)) {
    if (!ts.isVariableDeclaration(declaration) || declaration.initializer === undefined) continue;
    const initial = unwrapped(declaration.initializer);
    if (!ts.isIdentifier(initial)) return pieced(initial, syntax);
  }
  return undefined;
}

/** What stands in the code, with a question mark for everything else. */
function shapeOf(text: ts.Node): string {
  const inner = unwrapped(text);
  if (ts.isStringLiteralLike(inner)) return inner.text;
  if (ts.isBinaryExpression(inner)) return shapeOf(inner.left) + shapeOf(inner.right);
  if (!ts.isTemplateExpression(inner)) return "?";
  return (
    inner.head.text + inner.templateSpans.map((span) => shapeOf(span.expression) + span.literal.text).join("")
  );
}

function shellIn(node: ts.Node, syntax: Syntax): Found | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const origin = originOf(node.expression, syntax);
  if (origin?.name !== "child_process") return undefined;
  const name = origin.members.at(-1) ?? "";
  const isShell = name === "exec" || name === "execSync" || node.arguments.some(asksForShell);
  const given = node.arguments.filter(
    (each) => !ts.isObjectLiteralExpression(unwrapped(each)) && !isFunction(each),
  );
  if (!isShell || given.every((each) => isWritten(each, syntax))) return undefined;
  return {
    rule: "shell-injection",
    message: `${name} gives a shell a command that inputs are pasted into; use execFile with a list of arguments`,
  };
}

function isFunction(node: ts.Node): boolean {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

function asksForShell(argument: ts.Node): boolean {
  const options = unwrapped(argument);
  return (
    ts.isObjectLiteralExpression(options) &&
    options.properties.some(
      (each) =>
        ts.isPropertyAssignment(each) &&
        each.name.getText() === "shell" &&
        each.initializer.kind !== ts.SyntaxKind.FalseKeyword,
    )
  );
}

const SINKS = ["innerHTML", "outerHTML", "srcdoc"];

function htmlIn(node: ts.Node, syntax: Syntax): Found | undefined {
  const [sink, given] = sinkOf(node, syntax) ?? [];
  if (sink === undefined || given === undefined || isWritten(given, syntax)) return undefined;
  return {
    rule: "html-injection",
    message: `${sink} makes HTML of a text that inputs have a say in; use textContent or make elements`,
  };
}

function sinkOf(node: ts.Node, syntax: Syntax): [sink: string, given: ts.Node | undefined] | undefined {
  if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) {
    const target = unwrapped(node.left);
    const member = isAccess(target) ? memberOf(target) : undefined;
    return member !== undefined && SINKS.includes(member) ? [member, node.right] : undefined;
  }
  if (ts.isJsxAttribute(node))
    return node.name.getText() === "dangerouslySetInnerHTML"
      ? ["dangerouslySetInnerHTML", node.initializer]
      : undefined;
  if (!ts.isCallExpression(node)) return undefined;
  const callee = unwrapped(node.expression);
  if (!isAccess(callee)) return undefined;
  const member = memberOf(callee);
  if (member === "insertAdjacentHTML") return [member, node.arguments[1]];
  const isDocument = originOf(callee.expression, syntax)?.name === "document";
  return isDocument && (member === "write" || member === "writeln")
    ? [`document.${member}`, node.arguments[0]]
    : undefined;
}

function isAccess(node: ts.Node): node is ts.PropertyAccessExpression | ts.ElementAccessExpression {
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind === ts.SyntaxKind.EqualsToken || kind === ts.SyntaxKind.PlusEqualsToken;
}

/** A pattern that is wholly an input is what its caller asked for, and only noted; one that is pasted together is not. */
function patternIn(node: ts.Node, syntax: Syntax): Found | undefined {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return undefined;
  const origin = originOf(node.expression, syntax);
  const [first] = node.arguments ?? [];
  if (origin?.name !== "RegExp" || origin.members.length > 0 || first === undefined) return undefined;
  const text = pieced(first, syntax);
  const parts = text === undefined ? [] : partsOf(text);
  if (parts.every((part) => isWritten(part, syntax) || isEscaped(part, syntax))) return undefined;
  return {
    rule: "regexp-injection",
    message:
      "a pattern is put together with an input in it; escape the input first, or test it against a list",
  };
}

function partsOf(text: ts.Node): ts.Node[] {
  const inner = unwrapped(text);
  if (ts.isTemplateExpression(inner))
    return inner.templateSpans.flatMap(({ expression }) => partsOf(expression));
  if (ts.isBinaryExpression(inner)) return [...partsOf(inner.left), ...partsOf(inner.right)];
  return [inner];
}

const NUMBERS = [ts.SyntaxKind.NumberKeyword, ts.SyntaxKind.BigIntKeyword, ts.SyntaxKind.BooleanKeyword];

/** By a function that says so, by the usual replacement, or because it is a pattern or a number already. */
function isEscaped(node: ts.Node, syntax: Syntax, steps = 8): boolean {
  const inner = unwrapped(node);
  if (steps === 0) return false;
  if (ts.isPropertyAccessExpression(inner))
    return inner.name.text === "source" || inner.name.text === "length";
  if (ts.isIdentifier(inner))
    return syntax.declarationsOf(inner).some((each) => {
      if (!ts.isVariableDeclaration(each) && !ts.isParameter(each)) return false;
      const isNumber = each.type !== undefined && NUMBERS.includes(each.type.kind);
      const { initializer } = each;
      const isMade = ts.isVariableDeclaration(each) && initializer !== undefined;
      return isNumber || (isMade && isEscaped(initializer, syntax, steps - 1));
    });
  if (!ts.isCallExpression(inner)) return false;
  const callee = unwrapped(inner.expression);
  const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
  if (/escape|quote/i.test(name) || /^(?:replace|replaceAll|Number|parseInt)$/.test(name)) return true;
  // `words.map(escape).join("|")`
  if (name === "join" || name === "map") {
    const named = inner.arguments.some((each) => /escape|quote/i.test(each.getText()));
    return (
      named || (ts.isPropertyAccessExpression(callee) && isEscaped(callee.expression, syntax, steps - 1))
    );
  }
  return false;
}
