// Refuses what a predicate must not be: more than one expression, one that could change something, or one that says nothing.
import ts from "typescript6";
import type { Predicate } from "../../../domain/contract/contract.ts";
import { callProblem, elementProblem, newProblem } from "./call-rules.ts";
import { PURE_GLOBALS } from "./pure-calls.ts";

/** `column` counts from 1, within the expression. */
export interface ExpressionProblem {
  line: number;
  column: number;
  message: string;
}

export type ExpressionCheck = { kind: "sound" } | { kind: "refused"; problems: ExpressionProblem[] };

const MOST_TEXT = 4_000;

/** What each kind of predicate is about; an error can also be told by a returned value. */
const NAMES: Readonly<Record<Predicate["kind"], readonly string[]>> = {
  requires: ["args"],
  ensures: ["args", "result"],
  throws: ["args", "result", "error"],
};

export function checkExpression(expr: string, kind?: Predicate["kind"]): ExpressionCheck {
  if (expr.length > MOST_TEXT)
    return refused([{ line: 1, column: 1, message: `is longer than ${MOST_TEXT} signs` }]);
  const before = "(";
  const tree = ts.createSourceFile(
    "predicate.ts",
    `${before}${expr}\n)`,
    ts.ScriptTarget.ESNext,
    true,
    ts.ScriptKind.TS,
  );
  const place = (position: number) => {
    const { line, character } = tree.getLineAndCharacterOfPosition(Math.min(position, tree.end));
    return {
      line: line + 1,
      column: Math.max(1, line === 0 ? character + 1 - before.length : character + 1),
    };
  };
  const syntax = syntaxProblem(tree);
  if (syntax !== undefined) return refused([{ ...place(syntax.at), message: syntax.message }]);
  const [statement] = tree.statements;
  const whole =
    statement !== undefined && ts.isExpressionStatement(statement) ? statement.expression : undefined;
  if (whole === undefined || !ts.isParenthesizedExpression(whole))
    return refused([{ line: 1, column: 1, message: "is not one expression" }]);
  const names = kind === undefined ? NAMES.throws : NAMES[kind];
  const problems: { node: ts.Node; message: string }[] = [];
  const mentioned = new Set<string>();
  look(whole.expression, new Set(), (node, message) => problems.push({ node, message }), names, mentioned);
  if (problems.length === 0 && mentioned.size === 0)
    problems.push({ node: whole.expression, message: `says nothing about ${names.join(", ")}` });
  if (problems.length === 0) return { kind: "sound" };
  return refused(problems.map(({ node, message }) => ({ ...place(node.getStart(tree)), message })));
}

/** Whether an expression speaks of `name`; for those that are sound. */
export function mentions(expr: string, name: "args" | "result" | "error"): boolean {
  const tree = ts.createSourceFile("predicate.ts", `(${expr}\n)`, ts.ScriptTarget.ESNext, true);
  let found = false;
  const visit = (node: ts.Node): void => {
    const isMember = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
    if (ts.isIdentifier(node) && node.text === name && !isMember) found = true;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(tree, visit);
  return found;
}

function refused(problems: ExpressionProblem[]): ExpressionCheck {
  return { kind: "refused", problems };
}

function syntaxProblem(tree: ts.SourceFile): { at: number; message: string } | undefined {
  const options = { target: ts.ScriptTarget.ESNext, noLib: true };
  const [found] =
    ts.transpileModule(tree.text, { compilerOptions: options, reportDiagnostics: true }).diagnostics ?? [];
  if (found !== undefined)
    return {
      at: found.start ?? 0,
      message: `is not one expression: ${ts.flattenDiagnosticMessageText(found.messageText, " ")}`,
    };
  const [, second] = tree.statements;
  return second === undefined
    ? undefined
    : { at: second.getStart(tree), message: "is more than one expression" };
}

type Refuse = (node: ts.Node, message: string) => void;

function look(
  node: ts.Node,
  bound: ReadonlySet<string>,
  refuse: Refuse,
  names: readonly string[],
  mentioned: Set<string>,
): void {
  const below = (child: ts.Node, more = bound) => look(child, more, refuse, names, mentioned);
  if (ts.isIdentifier(node)) {
    if (bound.has(node.text)) return;
    if (names.includes(node.text)) mentioned.add(node.text);
    else if (!PURE_GLOBALS.has(node.text))
      refuse(node, `${node.text} is not known here; known are ${names.join(", ")}`);
    return;
  }
  if (ts.isArrowFunction(node)) return lookAtArrow(node, bound, refuse, below);
  if (ts.isPropertyAssignment(node)) {
    if (ts.isComputedPropertyName(node.name)) below(node.name.expression);
    else if (node.name.getText() === "__proto__") refuse(node, "may not set a prototype");
    return below(node.initializer);
  }
  if (ts.isPropertyAccessExpression(node)) {
    if (ts.isPrivateIdentifier(node.name)) refuse(node, "private members cannot be seen from here");
    checkMember(node, node.name.text, refuse);
    return below(node.expression);
  }
  const message = problemOf(node);
  if (message !== undefined) return refuse(node, message);
  ts.forEachChild(node, (child) => {
    if (!ts.isTypeNode(child)) below(child);
  });
}

/** Reading a constructor is only safe where it cannot be called. */
function checkMember(
  node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  name: string,
  refuse: Refuse,
): void {
  if (name === "__proto__" || name === "prototype" || name === "callee" || name === "caller")
    return refuse(node, `.${name} leads to what others share`);
  if (name !== "constructor") return;
  const { parent } = node;
  const isName = ts.isPropertyAccessExpression(parent) && parent.name.text === "name";
  const isCompared = ts.isBinaryExpression(parent) && /^[!=]==?$/.test(parent.operatorToken.getText());
  if (!isName && !isCompared) refuse(node, ".constructor may only be compared or asked for its name");
}

function lookAtArrow(
  node: ts.ArrowFunction,
  bound: ReadonlySet<string>,
  refuse: Refuse,
  below: (child: ts.Node, more?: ReadonlySet<string>) => void,
): void {
  if (node.modifiers !== undefined) return refuse(node, "a function may not be async");
  if (ts.isBlock(node.body)) return refuse(node.body, "a function must be one expression, without braces");
  if (!ts.isCallExpression(node.parent) || !node.parent.arguments.includes(node))
    return refuse(node, "a function may only be given to a call such as .every()");
  const more = new Set(bound);
  for (const { name } of node.parameters)
    for (const each of boundNames(name)) {
      if (PURE_GLOBALS.has(each)) refuse(name, `${each} is a name of the language`);
      more.add(each);
    }
  for (const { initializer } of node.parameters) if (initializer !== undefined) below(initializer, more);
  below(node.body, more);
}

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((each) => (ts.isBindingElement(each) ? boundNames(each.name) : []));
}

const HARMLESS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.ParenthesizedExpression,
  ts.SyntaxKind.ConditionalExpression,
  ts.SyntaxKind.ArrayLiteralExpression,
  ts.SyntaxKind.ObjectLiteralExpression,
  ts.SyntaxKind.ShorthandPropertyAssignment,
  ts.SyntaxKind.SpreadElement,
  ts.SyntaxKind.SpreadAssignment,
  ts.SyntaxKind.OmittedExpression,
  ts.SyntaxKind.TypeOfExpression,
  ts.SyntaxKind.VoidExpression,
  ts.SyntaxKind.TemplateExpression,
  ts.SyntaxKind.TemplateSpan,
  ts.SyntaxKind.TrueKeyword,
  ts.SyntaxKind.FalseKeyword,
  ts.SyntaxKind.NullKeyword,
  ts.SyntaxKind.QuestionDotToken,
  ts.SyntaxKind.QuestionToken,
  ts.SyntaxKind.ColonToken,
]);

function problemOf(node: ts.Node): string | undefined {
  if (isHarmless(node)) return undefined;
  if (ts.isBinaryExpression(node)) return binaryProblem(node);
  if (ts.isElementAccessExpression(node)) return elementProblem(node);
  if (ts.isCallExpression(node)) return callProblem(node);
  if (ts.isNewExpression(node)) return newProblem(node);
  if (ts.isAwaitExpression(node) || ts.isYieldExpression(node)) return "may not wait";
  const changes =
    ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node) || ts.isDeleteExpression(node);
  return changes ? "may not change anything" : "is not allowed in a predicate";
}

function isHarmless(node: ts.Node): boolean {
  if (HARMLESS.has(node.kind) || ts.isLiteralExpression(node) || isOperatorToken(node)) return true;
  if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) return true;
  if (!ts.isPrefixUnaryExpression(node)) return false;
  return node.operator !== ts.SyntaxKind.PlusPlusToken && node.operator !== ts.SyntaxKind.MinusMinusToken;
}

function isOperatorToken(node: ts.Node): boolean {
  return node.kind >= ts.SyntaxKind.FirstBinaryOperator && node.kind <= ts.SyntaxKind.LastBinaryOperator
    ? true
    : node.kind === ts.SyntaxKind.InKeyword || node.kind === ts.SyntaxKind.InstanceOfKeyword;
}

function binaryProblem({ operatorToken, right }: ts.BinaryExpression): string | undefined {
  const { kind } = operatorToken;
  if (kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment) return "may not assign";
  if (kind === ts.SyntaxKind.CommaToken) return "is more than one expression";
  if (kind === ts.SyntaxKind.InstanceOfKeyword && !ts.isIdentifier(right))
    return "instanceof needs the name of a class";
  return undefined;
}
