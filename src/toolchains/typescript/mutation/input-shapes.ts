// Turns a written type into the shape of inputs that satisfy it; what cannot be made is said to be impossible.
import ts from "typescript6";
import type { InputShape } from "../inside/inner-job.ts";

/** Types of the module by name, its exported classes, and what stands for a type where they are used. */
export type TypeNames = ReadonlyMap<
  string,
  ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.ClassDeclaration | ts.TypeParameterDeclaration
>;

const KEYWORDS: ReadonlyMap<ts.SyntaxKind, InputShape> = new Map<ts.SyntaxKind, InputShape>([
  [ts.SyntaxKind.NumberKeyword, { kind: "number" }],
  [ts.SyntaxKind.BigIntKeyword, { kind: "bigint" }],
  [ts.SyntaxKind.StringKeyword, { kind: "string" }],
  [ts.SyntaxKind.BooleanKeyword, { kind: "boolean" }],
  [ts.SyntaxKind.UndefinedKeyword, { kind: "undefined" }],
  [ts.SyntaxKind.VoidKeyword, { kind: "undefined" }],
  [ts.SyntaxKind.UnknownKeyword, { kind: "unknown" }],
  [ts.SyntaxKind.AnyKeyword, { kind: "unknown" }],
]);

export function shapeOf(node: ts.TypeNode, names: TypeNames, path: readonly string[] = []): InputShape {
  const inner = (of: ts.TypeNode) => shapeOf(of, names, path);
  const keyword = KEYWORDS.get(node.kind);
  if (keyword !== undefined) return keyword;
  if (ts.isParenthesizedTypeNode(node)) return inner(node.type);
  if (ts.isTypeOperatorNode(node)) return inner(node.type);
  if (ts.isArrayTypeNode(node)) return { kind: "array", of: inner(node.elementType) };
  if (ts.isLiteralTypeNode(node)) return literal(node.literal);
  if (ts.isUnionTypeNode(node)) return unionOf(node.types.map((member) => inner(member)));
  if (ts.isTypeLiteralNode(node)) return objectOf(node.members, inner);
  if (ts.isFunctionTypeNode(node)) return { kind: "function", returns: inner(node.type) };
  if (ts.isTupleTypeNode(node)) {
    const rest = node.elements.some(
      (element) => ts.isRestTypeNode(element) || ts.isOptionalTypeNode(element),
    );
    if (rest) return impossible(node);
    const of = node.elements.map((element) => inner(ts.isNamedTupleMember(element) ? element.type : element));
    return { kind: "tuple", of };
  }
  if (ts.isThisTypeNode(node)) return named("this", node, names, path);
  return ts.isTypeReferenceNode(node) ? referenced(node, names, path) : impossible(node);
}

function impossible(node: ts.Node): InputShape {
  return { kind: "impossible", why: node.getText() };
}

function literal(node: ts.LiteralTypeNode["literal"]): InputShape {
  if (node.kind === ts.SyntaxKind.NullKeyword) return { kind: "null" };
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { kind: "literal", value: true };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { kind: "literal", value: false };
  if (ts.isStringLiteralLike(node)) return { kind: "literal", value: node.text };
  if (ts.isNumericLiteral(node)) return { kind: "literal", value: Number(node.text) };
  if (ts.isPrefixUnaryExpression(node) && ts.isNumericLiteral(node.operand))
    return { kind: "literal", value: -Number(node.operand.text) };
  return impossible(node);
}

/** Members that cannot be made are left out, as long as others can. */
function unionOf(members: readonly InputShape[]): InputShape {
  const possible = members.filter(({ kind }) => kind !== "impossible");
  return possible.length === 0 ? { kind: "impossible", why: "no member" } : { kind: "union", of: possible };
}

function objectOf(members: readonly ts.TypeElement[], inner: (node: ts.TypeNode) => InputShape): InputShape {
  const fields: { name: string; optional: boolean; of: InputShape }[] = [];
  for (const member of members) {
    if (ts.isIndexSignatureDeclaration(member)) return { kind: "record", of: inner(member.type) };
    const { name } = member;
    if (name === undefined || !(ts.isIdentifier(name) || ts.isStringLiteral(name))) return impossible(member);
    const optional = member.questionToken !== undefined;
    if (ts.isPropertySignature(member) && member.type !== undefined)
      fields.push({ name: name.text, optional, of: inner(member.type) });
    else if (ts.isMethodSignature(member) && member.type !== undefined)
      fields.push({ name: name.text, optional, of: { kind: "function", returns: inner(member.type) } });
    else return impossible(member);
  }
  return { kind: "object", fields };
}

type Inner = (of: ts.TypeNode | undefined) => InputShape;
type Generic = (inner: Inner, first: ts.TypeNode | undefined, second: ts.TypeNode | undefined) => InputShape;

const array: Generic = (inner, first) => ({ kind: "array", of: inner(first) });
const set: Generic = (inner, first) => ({ kind: "set", of: inner(first) });
const map: Generic = (inner, first, second) => ({ kind: "map", key: inner(first), of: inner(second) });
const promise: Generic = (inner, first) => ({ kind: "promise", of: inner(first) });

const GENERIC: ReadonlyMap<string, Generic> = new Map<string, Generic>([
  ["Array", array],
  ["ReadonlyArray", array],
  ["Iterable", array],
  ["Set", set],
  ["ReadonlySet", set],
  ["Map", map],
  ["ReadonlyMap", map],
  ["Record", (inner, _, second) => ({ kind: "record", of: inner(second) })],
  ["Promise", promise],
  ["PromiseLike", promise],
  ["Readonly", (inner, first) => inner(first)],
  ["Required", (inner, first) => inner(first)],
  ["Date", () => ({ kind: "date" })],
]);

function referenced(node: ts.TypeReferenceNode, names: TypeNames, path: readonly string[]): InputShape {
  const name = node.typeName.getText();
  const [first, second] = node.typeArguments ?? [];
  const inner = (of: ts.TypeNode | undefined) =>
    of === undefined ? impossible(node) : shapeOf(of, names, path);
  // A module's own `Map` is not the language's.
  const ofLanguage = names.has(name) ? undefined : GENERIC.get(name)?.(inner, first, second);
  return ofLanguage ?? named(name, node, names, path);
}

function named(name: string, node: ts.TypeNode, names: TypeNames, path: readonly string[]): InputShape {
  const declared = names.get(name);
  // A type that holds itself would need more than its text.
  if (declared === undefined || path.includes(name)) return impossible(node);
  const deeper = [...path, name];
  if (ts.isClassDeclaration(declared)) return { kind: "instance", of: declared.name?.text ?? "default" };
  if (ts.isTypeParameterDeclaration(declared))
    return declared.constraint === undefined
      ? { kind: "generic", name }
      : shapeOf(declared.constraint, names, deeper);
  // So would one with parameters of its own.
  if ((declared.typeParameters ?? []).length > 0) return impossible(node);
  if (ts.isTypeAliasDeclaration(declared)) return shapeOf(declared.type, names, deeper);
  if (declared.heritageClauses !== undefined) return impossible(node);
  return objectOf(declared.members, (member) => shapeOf(member, names, deeper));
}
