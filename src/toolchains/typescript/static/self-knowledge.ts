// Finds code that looks at how it is written or at what it was handed beside its parameters: neither is in any contract, and by
// either it can do something else than it is judged by.
import ts from "typescript6";
import type { StaticFinding } from "../../../domain/evidence/static-finding.ts";
import { memberOf, originOf, spelled, unwrapped } from "./origin.ts";
import { type CodeFile, everyNode, lineOf, type Syntax } from "./syntax.ts";

export function selfKnowledge(
  { path, tree }: CodeFile,
  syntax: Syntax,
  hasContract: boolean,
): StaticFinding[] {
  const found = new Map<number, StaticFinding>();
  const severity = hasContract ? "error" : "warning";
  for (const node of everyNode(tree)) {
    const line = lineOf(node);
    if (found.has(line)) continue;
    if (readsText(node, syntax)) {
      const message =
        "reads how a function is written, which is another wherever it is built; ask what it does";
      found.set(line, { rule: "reads-itself", file: path, line, message, severity });
    } else if (isHiddenParameter(node)) {
      const message = "takes what its signature does not name; give its parameters names and types";
      found.set(line, { rule: "hidden-parameter", file: path, line, message, severity });
    }
  }
  return [...found.values()];
}

/** `String(share)`, `share.toString()`, `${share}`, `share + ""` and `Function.prototype.toString`, where `share` is a function. */
function readsText(node: ts.Node, syntax: Syntax): boolean {
  if (ts.isTemplateSpan(node)) return isOwnFunction(node.expression, syntax);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return isOwnFunction(node.left, syntax) || isOwnFunction(node.right, syntax);
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
    return (
      memberOf(node) === "toString" &&
      (isGlobal(node, "Function.prototype.toString", syntax) || isOwnFunction(node.expression, syntax))
    );
  if (!ts.isCallExpression(node) || !isGlobal(node.expression, "String", syntax)) return false;
  return node.arguments.some((each) => isOwnFunction(each, syntax));
}

function isGlobal(node: ts.Node, name: string, syntax: Syntax): boolean {
  const origin = originOf(node, syntax);
  return origin?.from === "global" && spelled(origin) === name;
}

function isOwnFunction(node: ts.Node, syntax: Syntax): boolean {
  const name = unwrapped(node);
  if (!ts.isIdentifier(name)) return false;
  return syntax.declarationsOf(name).some((each) => {
    if (ts.isFunctionDeclaration(each) || ts.isClassDeclaration(each)) return true;
    const initial = ts.isVariableDeclaration(each) ? each.initializer : undefined;
    return initial !== undefined && (ts.isArrowFunction(initial) || ts.isFunctionExpression(initial));
  });
}

/** `arguments` of what is exported by name; one that wraps another hands all of them on and is none of these. */
function isHiddenParameter(node: ts.Node): boolean {
  if (!ts.isIdentifier(node) || node.text !== "arguments" || !ts.isExpression(node)) return false;
  if (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) return false;
  const owner = ts.findAncestor(node, (each) => ts.isFunctionLike(each) && !ts.isArrowFunction(each));
  return owner !== undefined && isExported(owner);
}

function isExported(owner: ts.Node): boolean {
  const isHeld = ts.isFunctionExpression(owner) && ts.isVariableDeclaration(owner.parent);
  const statement = isHeld ? owner.parent.parent.parent : owner;
  if (!ts.isVariableStatement(statement) && !ts.isFunctionDeclaration(statement)) return false;
  return ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}
