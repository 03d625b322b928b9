// Finds where tests hand a value to expect, and which of these places were to be reached in a run that was good.
import ts from "typescript6";
import { unwrapped } from "./origin.ts";
import { type CodeFile, everyNode, lineOf } from "./syntax.ts";

/** The first argument of one expect. */
interface AssertionSite {
  line: number;
  start: number;
  end: number;
  node: ts.CallExpression;
}

export function assertionSites({ tree }: CodeFile): AssertionSite[] {
  return [...everyNode(tree)].flatMap((node): AssertionSite[] => {
    if (!ts.isCallExpression(node) || !isExpect(node.expression)) return [];
    const [value] = node.arguments;
    if (value === undefined || ts.isSpreadElement(value) || isConstant(unwrapped(value))) return [];
    return [{ line: lineOf(node), start: value.getStart(tree), end: value.end, node }];
  });
}

/** `expect(true).toBe(false)` stands where nobody should come by. */
function isConstant(value: ts.Node): boolean {
  const { TrueKeyword, FalseKeyword, NullKeyword } = ts.SyntaxKind;
  return ts.isLiteralExpression(value) || [TrueKeyword, FalseKeyword, NullKeyword].includes(value.kind);
}

function isExpect(callee: ts.Expression): boolean {
  const words = callee.getText().split(/\s*\??\.\s*/);
  if (["soft", "poll"].includes(words.at(-1) ?? "")) words.pop();
  return words.at(-1) === "expect";
}

/** Of all sites of a file those that a run in which nothing went wrong should have reached. */
export function unreached(
  sites: readonly AssertionSite[],
  isReached: (site: AssertionSite) => boolean,
): AssertionSite[] {
  const reached = sites.filter(isReached);
  return sites.filter((site) => !reached.includes(site) && !isExcused(site, reached));
}

/** Where only a failure or chance leads, and where another way was taken on which something is asserted as well. */
function isExcused({ node }: AssertionSite, reached: readonly AssertionSite[]): boolean {
  let isUnderCondition = false;
  for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isCatchClause(at) || (isFunction(at) && isForFailure(at))) return true;
    if (isBranch(at)) {
      isUnderCondition = true;
      const { pos, end } = at;
      if (reached.some((other) => pos <= other.start && other.end <= end)) return true;
    }
    isUnderCondition ||= ts.isIterationStatement(at, false);
    if (isUnderCondition && isFunction(at) && calledBy(at, PROPERTY)) return true;
  }
  return false;
}

type Function = ts.ArrowFunction | ts.FunctionExpression;

function isFunction(node: ts.Node): node is Function {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

const OF_TWO: readonly ts.SyntaxKind[] = [
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
];

function isBranch(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node)) return OF_TWO.includes(node.operatorToken.kind);
  return ts.isIfStatement(node) || ts.isConditionalExpression(node) || ts.isSwitchStatement(node);
}

const PROPERTY = /(?:^|\.)(?:asyncProperty|property)$/;
const ON_FAILURE = /(?:^|\.)(?:catch|onTestFailed)$/;

/** `.catch((reason) => …)`, `(error) => …` and what else is called only when something went wrong. */
function isForFailure(given: Function): boolean {
  const first = given.parameters[0]?.name.getText() ?? "";
  return (
    /^_?(?:err|error|reason|cause)$/i.test(first) || calledBy(given, ON_FAILURE) || isSecondOfThen(given)
  );
}

function calledBy({ parent }: Function, name: RegExp): boolean {
  return ts.isCallExpression(parent) && name.test(parent.expression.getText());
}

function isSecondOfThen(given: Function): boolean {
  const { parent } = given;
  return calledBy(given, /\.then$/) && ts.isCallExpression(parent) && parent.arguments[1] === given;
}
