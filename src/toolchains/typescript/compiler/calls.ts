// Whom a call calls: the declarations behind aliases, imports, properties, overloads and types.
import {
  type CallExpression,
  type Expression,
  type FunctionLikeDeclaration,
  isArrowFunction,
  isClassLikeDeclaration,
  isConstructorDeclaration,
  isElementAccessExpression,
  isFunctionExpression,
  isFunctionLikeDeclaration,
  isGetAccessorDeclaration,
  isIdentifier,
  isImportSpecifier,
  isMethodSignatureDeclaration,
  isParameterDeclaration,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isPropertyDeclaration,
  isPropertySignatureDeclaration,
  isSetAccessorDeclaration,
  isShorthandPropertyAssignment,
  isTaggedTemplateExpression,
  isVariableDeclaration,
  type NewExpression,
  type Node,
  type TaggedTemplateExpression,
} from "typescript/unstable/ast";
import {
  type Checker,
  type Signature,
  SignatureKind,
  SymbolFlags,
  type Type,
} from "typescript/unstable/sync";
import { unwrapped } from "./syntax.ts";

/** A function, a class that is made, or a member of an interface, which has no body. */
export type Callee = Node;

export function calleesOf(
  checker: Checker,
  call: CallExpression | NewExpression | TaggedTemplateExpression,
): Callee[] {
  const callee = isTaggedTemplateExpression(call) ? call.tag : call.expression;
  return calleesOfValue(checker, callee);
}

/** The functions that would run if this value was called or made. */
export function calleesOfValue(checker: Checker, value: Expression | Node): Callee[] {
  const inner = unwrapped(value);
  if (isArrowFunction(inner) || isFunctionExpression(inner) || isClassLikeDeclaration(inner)) return [inner];
  const bySymbol = declarationsOf(checker, inner, 0).filter((node) => isCallableNode(node));
  if (bySymbol.length > 0) return bySymbol;
  const type = checker.getTypeAtLocation(inner);
  return type === undefined ? [] : [...new Set(calleesOfType(checker, type))];
}

function calleesOfType(checker: Checker, type: Type): Callee[] {
  if (type.isUnionType() || type.isIntersectionType())
    return type.getTypes().flatMap((each) => calleesOfType(checker, each));
  if (!type.isObjectType()) return [];
  const signatures = [
    ...checker.getSignaturesOfType(type, SignatureKind.Call),
    ...checker.getSignaturesOfType(type, SignatureKind.Construct),
  ];
  return signatures.flatMap((each) => declarationOf(checker, each));
}

function declarationOf(checker: Checker, signature: Signature): Callee[] {
  const node = signature.declaration?.resolve();
  if (node === undefined) return [];
  if (isConstructorDeclaration(node)) return [node.parent];
  return withBody(checker, node);
}

/** An overload stands for the implementation below it. */
function withBody(checker: Checker, node: Node): Node[] {
  if (!isFunctionLikeDeclaration(node) || node.body !== undefined || !("name" in node)) return [node];
  const symbol = node.name === undefined ? undefined : checker.getSymbolAtLocation(node.name);
  const all = symbol?.declarations.flatMap((each) => each.resolve() ?? []) ?? [];
  const implemented = all.filter((each) => isFunctionLikeDeclaration(each) && each.body !== undefined);
  return implemented.length > 0 ? implemented : [node];
}

const MOST_STEPS = 12;

/** Follows aliases, imports, `const f = g`, destructured and shorthand properties to what was declared first. */
export function declarationsOf(checker: Checker, value: Node, steps: number): Node[] {
  const inner = unwrapped(value);
  if (isArrowFunction(inner) || isFunctionExpression(inner) || isClassLikeDeclaration(inner)) return [inner];
  if (steps > MOST_STEPS) return [];
  const name = isPropertyAccessExpression(inner)
    ? inner.name
    : isElementAccessExpression(inner)
      ? inner.argumentExpression
      : inner;
  const found = name === undefined ? undefined : checker.getSymbolAtLocation(name);
  if (found === undefined) return [];
  const symbol = (found.flags & SymbolFlags.Alias) === 0 ? found : checker.getAliasedSymbol(found);
  return symbol.declarations
    .flatMap((each) => each.resolve() ?? [])
    .flatMap((node) => (isImportSpecifier(node) ? [] : throughValue(checker, node, steps + 1)));
}

function throughValue(checker: Checker, node: Node, steps: number): Node[] {
  if (isShorthandPropertyAssignment(node)) {
    const symbol = checker.getShorthandAssignmentValueSymbol(node);
    if (symbol === undefined) return [];
    const isAlias = (symbol.flags & SymbolFlags.Alias) !== 0;
    const { declarations } = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
    const nodes = declarations.flatMap((each) => each.resolve() ?? []);
    return nodes.flatMap((each) => throughValue(checker, each, steps + 1));
  }
  if (isPropertyAssignment(node) || isVariableDeclaration(node) || isPropertyDeclaration(node)) {
    const value = node.initializer === undefined ? undefined : unwrapped(node.initializer);
    if (value === undefined) return [node];
    const further = isNamedOrWritten(value) ? declarationsOf(checker, value, steps) : [];
    return further.length > 0 ? further : [node];
  }
  return isFunctionLikeDeclaration(node) ? withBody(checker, node) : [node];
}

function isNamedOrWritten(value: Node): boolean {
  if (isIdentifier(value) || isPropertyAccessExpression(value)) return true;
  return isArrowFunction(value) || isFunctionExpression(value) || isClassLikeDeclaration(value);
}

function isCallableNode(node: Node): boolean {
  if (isGetAccessorDeclaration(node) || isSetAccessorDeclaration(node)) return false;
  return isFunctionLikeDeclaration(node) || isClassLikeDeclaration(node);
}

/** The accessors that run when this property is read or written. */
export function accessorsOf(checker: Checker, access: Node): FunctionLikeDeclaration[] {
  if (!isPropertyAccessExpression(access)) return [];
  const symbol = checker.getSymbolAtLocation(access.name);
  if (symbol === undefined || (symbol.flags & SymbolFlags.Accessor) === 0) return [];
  return symbol.declarations
    .flatMap((each) => each.resolve() ?? [])
    .filter((node) => isGetAccessorDeclaration(node) || isSetAccessorDeclaration(node));
}

/** Members of types say who is called, but not what runs. */
export function isMemberOfType(node: Node): boolean {
  return isMethodSignatureDeclaration(node) || isPropertySignatureDeclaration(node);
}

/** Whether what is handed over at this place is expected to be a function, so that it will be called. */
export function isCalledBack(checker: Checker, call: CallExpression | NewExpression, index: number): boolean {
  const declaration = checker.getResolvedSignature(call)?.declaration?.resolve();
  if (declaration === undefined || !("parameters" in declaration)) return false;
  const { parameters } = declaration;
  if (!Array.isArray(parameters)) return false;
  const own = parameters.filter(
    (each: Node) => isParameterDeclaration(each) && each.name.getText() !== "this",
  );
  const parameter: Node | undefined = own[Math.min(index, own.length - 1)];
  if (parameter === undefined || !isParameterDeclaration(parameter)) return false;
  const type = checker.getTypeAtLocation(parameter);
  return type !== undefined && expectsFunction(checker, type);
}

function expectsFunction(checker: Checker, type: Type): boolean {
  if (type.isUnionType() || type.isIntersectionType())
    return type.getTypes().some((each) => expectsFunction(checker, each));
  if (type.isTypeParameter()) {
    const constraint = checker.getBaseConstraintOfType(type);
    return constraint !== undefined && constraint.id !== type.id && expectsFunction(checker, constraint);
  }
  if (!type.isObjectType()) return false;
  if (
    type.isTypeReference() &&
    ["Array", "ReadonlyArray"].includes(type.getTarget().getSymbol()?.name ?? "")
  ) {
    return checker.getTypeArguments(type).some((each) => expectsFunction(checker, each));
  }
  return checker.getSignaturesOfType(type, SignatureKind.Call).length > 0;
}
