// Reads from a class how it is constructed and what callers can do with its instances.
import ts from "typescript6";
import type { CallableFunction, CallableMember, InputShape } from "../inside/inner-job.ts";
import type { TypeNames } from "./input-shapes.ts";
import { isPossible, parameterShape, parameterShapes, withTypeParameters } from "./parameter-shapes-list.ts";

/** The class and its static methods; nothing when callers can do something with it that cannot be done here. */
export function callableClass(
  node: ts.ClassDeclaration,
  name: string,
  key: string,
  outer: TypeNames,
): CallableFunction[] | undefined {
  const base = baseOf(node);
  const isPlain = base === undefined || isErrorName(base);
  if (!isPlain || isDecorated(node) || has(node, ts.SyntaxKind.AbstractKeyword)) return undefined;
  const names = new Map([...withTypeParameters(outer, node.typeParameters), ["this", node] as const]);
  const construction = constructionOf(node, names);
  if (construction === undefined) return undefined;
  const methods = [...(base === undefined ? [] : [get("message"), get("name")]), ...construction.fields];
  const statics: CallableFunction[] = [];
  for (const member of node.members) {
    const found = membersOf(member, names);
    if (found === undefined) return undefined;
    if (!has(member, ts.SyntaxKind.StaticKeyword)) methods.push(...found);
    else
      for (const each of found) {
        const { parameters } = each;
        statics.push({ name: `${name}.${each.name}`, path: [key, each.name], parameters });
      }
  }
  const path = key === name ? {} : { path: [key] };
  const isOpaque = hidesState(node) ? { isOpaque: true as const } : {};
  return [{ name, ...path, parameters: construction.parameters, methods, ...isOpaque }, ...statics];
}

/** `fields` are those that parameters declare. */
function constructionOf(
  node: ts.ClassDeclaration,
  names: TypeNames,
): { parameters: InputShape[]; fields: CallableMember[] } | undefined {
  const constructors = node.members.filter((member) => ts.isConstructorDeclaration(member));
  const own = constructors.find(({ body }) => body !== undefined);
  // Without one of its own, an error takes what its base takes.
  if (own === undefined) return baseOf(node) === undefined ? { parameters: [], fields: [] } : undefined;
  if (isHidden(own)) return undefined;
  const parameters = parameterShapes(own, names);
  if (parameters === undefined) return undefined;
  if (own.parameters.some((each) => has(each, ts.SyntaxKind.ProtectedKeyword))) return undefined;
  const fields = own.parameters.filter(
    (each) => ts.isParameterPropertyDeclaration(each, each.parent) && !isPrivate(each),
  );
  return { parameters, fields: fields.map((each) => get(each.name.getText())) };
}

/** What a class extends. */
export function baseOf(node: ts.ClassDeclaration): string | undefined {
  const clause = (node.heritageClauses ?? []).find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
  return clause?.types[0]?.expression.getText();
}

export function isErrorName(name: string): boolean {
  return name.endsWith("Error");
}

/** Whether instances have an inside that their fields do not tell. */
export function hidesState(node: ts.ClassDeclaration): boolean {
  return (
    /\bWeak(?:Map|Set|Ref)\b/.test(node.getSourceFile().text) ||
    node.members.some(
      (member) =>
        (member.name !== undefined && ts.isPrivateIdentifier(member.name)) ||
        has(member, ts.SyntaxKind.AccessorKeyword),
    )
  );
}

type Members = CallableMember[] | undefined;

/** Nothing for what callers could use, but not by a name and with arguments that can be made. */
function membersOf(member: ts.ClassElement, names: TypeNames): Members {
  if (NO_MEMBERS.has(member.kind)) return [];
  if (isDecorated(member)) return undefined;
  if (isPrivate(member)) return [];
  if (isHidden(member) || member.name === undefined || !ts.isIdentifier(member.name)) return undefined;
  const name = member.name.text;
  // Declarations of further ways to call it come before the one with the body.
  if (ts.isMethodDeclaration(member)) return member.body === undefined ? [] : call(name, member, names);
  if (ts.isPropertyDeclaration(member)) return field(name, member, names);
  if (has(member, ts.SyntaxKind.StaticKeyword)) return undefined;
  if (ts.isGetAccessorDeclaration(member)) return [get(name)];
  return ts.isSetAccessorDeclaration(member) ? called(name, "set", member, names) : undefined;
}

const NO_MEMBERS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.Constructor,
  ts.SyntaxKind.SemicolonClassElement,
  ts.SyntaxKind.ClassStaticBlockDeclaration,
  ts.SyntaxKind.IndexSignature,
]);

function field(name: string, member: ts.PropertyDeclaration, names: TypeNames): Members {
  const { initializer } = member;
  if (initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)))
    return call(name, initializer, names);
  if (has(member, ts.SyntaxKind.StaticKeyword)) return isConstant(member) ? [] : undefined;
  const shape = parameterShape(member, names);
  const canSet = !has(member, ts.SyntaxKind.ReadonlyKeyword) && isPossible(shape);
  return [get(name), ...(canSet ? [{ name, access: "set" as const, parameters: [shape] }] : [])];
}

type Code = ts.MethodDeclaration | ts.ArrowFunction | ts.FunctionExpression;

function call(name: string, code: Code, names: TypeNames): Members {
  return code.asteriskToken === undefined ? called(name, "call", code, names) : undefined;
}

function called(
  name: string,
  access: CallableMember["access"],
  code: ts.SignatureDeclarationBase,
  names: TypeNames,
): Members {
  const parameters = parameterShapes(code, names);
  return parameters === undefined ? undefined : [{ name, access, parameters }];
}

function get(name: string): CallableMember {
  return { name, access: "get", parameters: [] };
}

function isDecorated(node: ts.Node): boolean {
  return ts.canHaveDecorators(node) && (ts.getDecorators(node) ?? []).length > 0;
}

function isConstant(member: ts.PropertyDeclaration): boolean {
  const { initializer } = member;
  const isLiteral =
    initializer !== undefined &&
    (ts.isLiteralExpression(initializer) ||
      initializer.kind === ts.SyntaxKind.TrueKeyword ||
      initializer.kind === ts.SyntaxKind.FalseKeyword);
  return isLiteral && has(member, ts.SyntaxKind.ReadonlyKeyword);
}

function isPrivate(node: ts.ClassElement | ts.ParameterDeclaration): boolean {
  return (
    has(node, ts.SyntaxKind.PrivateKeyword) || (node.name !== undefined && ts.isPrivateIdentifier(node.name))
  );
}

/** Of a protected member only classes that extend this one can tell. */
function isHidden(node: ts.ClassElement): boolean {
  return has(node, ts.SyntaxKind.PrivateKeyword) || has(node, ts.SyntaxKind.ProtectedKeyword);
}

function has(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return (
    ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some((modifier) => modifier.kind === kind)
  );
}
