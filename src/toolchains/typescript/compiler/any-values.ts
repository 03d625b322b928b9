// Finds where the sources of a module rest on a type that is anything, by whatever name it goes: the compiler is asked, since
// `ReturnType<typeof JSON.parse>` and a helper that gives what it has parsed hold no word that would tell.
import {
  isArrayLiteralExpression,
  isArrowFunction,
  isAsExpression,
  isAwaitExpression,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isFunctionLikeDeclaration,
  isIdentifier,
  isIndexedAccessTypeNode,
  isObjectLiteralExpression,
  isParameterDeclaration,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isTypeNode,
  isTypeReferenceNode,
  isVariableDeclaration,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { TypeFlags } from "typescript/unstable/sync";
import type { StaticFinding } from "../../../domain/evidence/static-finding.ts";
import { isQuestioned } from "./any-questions.ts";
import { calleesOf } from "./calls.ts";
import type { ModuleView } from "./module-view.ts";
import { type Program, withProgram } from "./program.ts";
import { ancestors, everyNode, lineOf, unwrapped } from "./syntax.ts";

type Found = Pick<StaticFinding, "file" | "line" | "message">;

export function anyValues(view: ModuleView): Found[] {
  return withProgram(view, (program) =>
    program.sources().flatMap((file) => {
      const path = program.pathOf(file);
      // What does not compile is anything to the compiler, and is told by the build.
      return path === undefined || program.diagnostics(path).length > 0 ? [] : foundIn(program, file, path);
    }),
  );
}

const BY_NAME = "goes by another name for any, which keeps the compiler from looking; say what it is";
const TAKEN = "takes a value at its word of which the compiler knows nothing; look at it first";

function foundIn(program: Program, file: SourceFile, path: string): Found[] {
  const found: Found[] = [];
  const add = (node: Node, message: string) => found.push({ file: path, line: lineOf(node, file), message });
  everyNode(file, (node) => {
    if (isTypeReferenceNode(node) || isIndexedAccessTypeNode(node)) {
      if (isAnyType(program, node)) add(node, BY_NAME);
      return;
    }
    for (const { value, type } of claimsAt(program, node))
      if (saysMuch(type) && partsOf(value).some((part) => isUnseen(program, part))) add(value, TAKEN);
  });
  return found;
}

function isAnyType({ checker }: Program, node: Node): boolean {
  if (!isTypeNode(node)) return false;
  return ((checker.getTypeFromTypeNode(node)?.flags ?? 0) & TypeFlags.Any) !== 0;
}

interface Claim {
  value: Node;
  type: Node | undefined;
}

/** Where a value is handed over as something that has been said. */
function claimsAt(program: Program, node: Node): Claim[] {
  if (isVariableDeclaration(node))
    return node.initializer === undefined || isQuestioned(node)
      ? []
      : [{ value: node.initializer, type: node.type }];
  if (isArrowFunction(node)) return isBlock(node.body) ? [] : [{ value: node.body, type: node.type }];
  if (isReturnStatement(node)) {
    const around = ancestors(node).find((each) => isFunctionLikeDeclaration(each));
    const type = around !== undefined && isFunctionLikeDeclaration(around) ? around.type : undefined;
    return node.expression === undefined ? [] : [{ value: node.expression, type }];
  }
  if (!isCallExpression(node) || node.arguments.length === 0) return [];
  const callee = calleesOf(program.checker, node).find((each) => program.isSource(each.getSourceFile()));
  if (callee === undefined || !isFunctionLikeDeclaration(callee)) return [];
  return node.arguments.flatMap((value, at) => {
    const taken = callee.parameters[at];
    if (taken === undefined || !isParameterDeclaration(taken) || isQuestioned(taken)) return [];
    return [{ value, type: taken.type }];
  });
}

/** What is said to be unknown may be anything. */
function saysMuch(type: Node | undefined): boolean {
  return type !== undefined && !SAYS_LITTLE.has(type.kind);
}

const SAYS_LITTLE: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.UnknownKeyword,
  SyntaxKind.AnyKeyword,
  SyntaxKind.VoidKeyword,
  SyntaxKind.ObjectKeyword,
  SyntaxKind.TypePredicate,
]);

/** The values that could come of it, and those that it is made of. */
function partsOf(value: Node): Node[] {
  const inner = unwrapped(value);
  if (isAwaitExpression(inner)) return partsOf(inner.expression);
  if (isConditionalExpression(inner)) return [inner.whenTrue, inner.whenFalse].flatMap(partsOf);
  if (isBinaryExpression(inner) && EITHER.has(inner.operatorToken.kind))
    return [inner.left, inner.right].flatMap(partsOf);
  if (isArrayLiteralExpression(inner)) return [...inner.elements].flatMap(partsOf);
  if (isObjectLiteralExpression(inner))
    return [...inner.properties].flatMap((each) =>
      isPropertyAssignment(each) ? partsOf(each.initializer) : [],
    );
  return [value];
}

const EITHER: ReadonlySet<SyntaxKind> = new Set([SyntaxKind.QuestionQuestionToken, SyntaxKind.BarBarToken]);

function isUnseen(program: Program, value: Node): boolean {
  // A cast is judged where casts are.
  if (isAsExpression(value)) return false;
  const { checker } = program;
  const type = checker.getTypeAtLocation(value);
  if (type === undefined || (type.flags & TypeFlags.Any) === 0) return false;
  return !isEmpty(value) && !isCopy(value) && !isKnownAbout(program, value);
}

/** `Object.create(null)` has nothing in it that could be of another type. */
function isEmpty(value: Node): boolean {
  const inner = unwrapped(value);
  if (!isCallExpression(inner) || inner.expression.getText() !== "Object.create") return false;
  return inner.arguments.length === 1 && inner.arguments[0]?.kind === SyntaxKind.NullKeyword;
}

/** `JSON.parse(JSON.stringify(grid))` is what it was. */
function isCopy(value: Node): boolean {
  const inner = unwrapped(value);
  return isCallExpression(inner) && /^JSON\.parse\(\s*JSON\.stringify\(/.test(inner.getText());
}

/** Whether somebody has asked about what it is read from: `held` in `held.get("size")`. */
function isKnownAbout({ checker }: Program, value: Node): boolean {
  let root = unwrapped(value);
  while (isPropertyAccessExpression(root) || isElementAccessExpression(root) || isCallExpression(root))
    root = unwrapped(root.expression);
  if (!isIdentifier(root)) return false;
  const declared =
    checker.getSymbolAtLocation(root)?.declarations.flatMap((each) => each.resolve() ?? []) ?? [];
  return declared.some(
    (each) => (isVariableDeclaration(each) || isParameterDeclaration(each)) && isQuestioned(each),
  );
}
