// Turns the types of a contract's inputs into shapes from which values can be made up.
import ts from "typescript6";
import type { EntryPoint, MicroModuleContract } from "../../domain/contract/contract.ts";
import type { Files } from "../port.ts";
import type { Shape } from "./measure-order.ts";
import { everyNode, parseCode } from "./static/syntax.ts";

export type InputShapes =
  | { kind: "shapes"; shapes: Shape[]; scales: boolean }
  | { kind: "unknown"; why: string };

/** The signature says most; where it cannot be read, the inputs that the entry point names. */
export function inputShapes(
  entry: EntryPoint,
  contract: Pick<MicroModuleContract, "inputs">,
  sources: Files,
): InputShapes {
  const known = namedTypes(sources);
  const types = parameterTypes(entry.signature) ?? contractTypes(entry, contract);
  const shapes: Shape[] = [];
  for (const { node, generic } of types) {
    const shape = shapeOf(node, { known, generic, depth: 0 });
    if (typeof shape === "string")
      return { kind: "unknown", why: `inputs of ${entry.name} cannot be made up: ${shape}` };
    shapes.push(shape);
  }
  return { kind: "shapes", shapes, scales: shapes.some(hasSize) };
}

/** What an entry point gives back, of a promise what it is fulfilled with; undefined where that cannot be made up. */
export function resultShape(
  { signature }: EntryPoint,
  sources: Files,
): { shape: Shape; isPromise: boolean } | undefined {
  const type = functionType(signature);
  if (type === undefined) return undefined;
  if (ts.isTypePredicateNode(type.type))
    return type.type.assertsModifier === undefined
      ? { shape: { kind: "boolean" }, isPromise: false }
      : undefined;
  const isPromise = ts.isTypeReferenceNode(type.type) && type.type.typeName.getText() === "Promise";
  const node = isPromise ? type.type.typeArguments?.[0] : type.type;
  if (node === undefined) return undefined;
  const shape = shapeOf(node, { known: namedTypes(sources), generic: genericOf(type), depth: 0 });
  return typeof shape === "string" ? undefined : { shape, isPromise };
}

interface Typed {
  node: ts.TypeNode;
  generic: ReadonlyMap<string, ts.TypeNode | undefined>;
}

function parameterTypes(signature: string): Typed[] | undefined {
  const type = functionType(signature);
  if (type === undefined) return undefined;
  const generic = genericOf(type);
  const parameters = type.parameters.filter(({ name }) => name.getText() !== "this");
  if (parameters.some((parameter) => parameter.type === undefined)) return undefined;
  return parameters.flatMap(({ type: node, dotDotDotToken }) => {
    if (node === undefined) return [];
    const rest = dotDotDotToken !== undefined && ts.isArrayTypeNode(node) ? node.elementType : node;
    return [{ node: rest, generic }];
  });
}

/** Of several overloads the first stands for all. */
function functionType(signature: string): ts.FunctionTypeNode | undefined {
  let type = parsedType(signature);
  if (type !== undefined && ts.isIntersectionTypeNode(type)) type = type.types[0];
  if (type !== undefined && ts.isParenthesizedTypeNode(type)) type = type.type;
  return type !== undefined && ts.isFunctionTypeNode(type) ? type : undefined;
}

function genericOf({ typeParameters }: ts.FunctionTypeNode): Typed["generic"] {
  return new Map(typeParameters?.map(({ name, constraint }) => [name.text, constraint]));
}

function contractTypes(entry: EntryPoint, { inputs }: Pick<MicroModuleContract, "inputs">): Typed[] {
  return entry.inputs.flatMap((name) => {
    const node = parsedType(inputs.find((input) => input.name === name)?.type ?? "never");
    return node === undefined ? [] : [{ node, generic: new Map<string, undefined>() }];
  });
}

function parsedType(text: string): ts.TypeNode | undefined {
  const [statement] = ts.createSourceFile(
    "type.ts",
    `type T = ${text}\n;`,
    ts.ScriptTarget.ESNext,
    true,
  ).statements;
  return statement !== undefined && ts.isTypeAliasDeclaration(statement) ? statement.type : undefined;
}

type Named = ReadonlyMap<string, ts.TypeAliasDeclaration | ts.InterfaceDeclaration>;

/** Every entry point of a module asks. */
const namedIn = new WeakMap<Files, Named>();

function namedTypes(sources: Files): Named {
  const known = namedIn.get(sources);
  if (known !== undefined) return known;
  const named = new Map<string, ts.TypeAliasDeclaration | ts.InterfaceDeclaration>();
  namedIn.set(sources, named);
  for (const { tree } of parseCode(sources, Object.keys(sources)).files)
    for (const node of everyNode(tree))
      if (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) named.set(node.name.text, node);
  return named;
}

interface Within {
  known: Named;
  generic: Typed["generic"];
  depth: number;
}

const MOST_DEPTH = 6;

const PLAIN: Partial<Record<ts.SyntaxKind, Shape>> = {
  [ts.SyntaxKind.StringKeyword]: { kind: "string" },
  [ts.SyntaxKind.NumberKeyword]: { kind: "number", whole: true },
  [ts.SyntaxKind.BooleanKeyword]: { kind: "boolean" },
  [ts.SyntaxKind.BigIntKeyword]: { kind: "bigint" },
  [ts.SyntaxKind.UndefinedKeyword]: { kind: "undefined" },
  [ts.SyntaxKind.VoidKeyword]: { kind: "undefined" },
  [ts.SyntaxKind.UnknownKeyword]: { kind: "unknown" },
  [ts.SyntaxKind.AnyKeyword]: { kind: "unknown" },
  [ts.SyntaxKind.ObjectKeyword]: { kind: "object", fields: [] },
};

/** A text is the reason why there is none. */
function shapeOf(node: ts.TypeNode, within: Within): Shape | string {
  if (within.depth > MOST_DEPTH) return `${node.getText().slice(0, 80)} goes too deep`;
  const next = (type: ts.TypeNode) => shapeOf(type, { ...within, depth: within.depth + 1 });
  const plain = PLAIN[node.kind];
  if (plain !== undefined) return plain;
  if (ts.isParenthesizedTypeNode(node) || ts.isTypeOperatorNode(node)) return next(node.type);
  if (ts.isArrayTypeNode(node)) return around("list", next(node.elementType));
  if (ts.isTupleTypeNode(node)) {
    const parts = all(node.elements.map((each) => next(ts.isNamedTupleMember(each) ? each.type : each)));
    return typeof parts === "string" ? parts : { kind: "tuple", of: parts };
  }
  if (ts.isLiteralTypeNode(node)) return literalOf(node);
  if (ts.isUnionTypeNode(node)) {
    const parts = node.types.map(next).filter((part) => typeof part !== "string");
    return parts.length === 0
      ? `no part of ${node.getText().slice(0, 80)} is known`
      : { kind: "union", of: parts };
  }
  if (ts.isTypeLiteralNode(node)) return objectOf(node.members, next);
  if (ts.isFunctionTypeNode(node)) {
    const gives = next(node.type);
    return typeof gives === "string" ? gives : { kind: "function", gives };
  }
  return ts.isTypeReferenceNode(node)
    ? referenced(node, within, next)
    : `${node.getText().slice(0, 80)} is not known`;
}

type NextShape = (type: ts.TypeNode) => Shape | string;

const AROUND: Readonly<Record<string, "list" | "set" | "same">> = {
  Array: "list",
  ReadonlyArray: "list",
  Iterable: "list",
  Set: "set",
  ReadonlySet: "set",
  Readonly: "same",
  Partial: "same",
  Required: "same",
};
const KEYED: Readonly<Record<string, "map" | "record">> = {
  Map: "map",
  ReadonlyMap: "map",
  Record: "record",
};
const WHOLE: Readonly<Record<string, Shape>> = {
  Date: { kind: "date" },
  Uint8Array: { kind: "bytes" },
  Buffer: { kind: "bytes" },
};

function referenced(node: ts.TypeReferenceNode, within: Within, next: NextShape): Shape | string {
  const name = node.typeName.getText();
  const whole = Object.hasOwn(WHOLE, name) ? WHOLE[name] : undefined;
  if (whole !== undefined) return whole;
  if (within.generic.has(name)) {
    const constraint = within.generic.get(name);
    return constraint === undefined ? { kind: "unknown" } : next(constraint);
  }
  const declared = within.known.get(name);
  if (declared !== undefined && declared.typeParameters === undefined)
    return ts.isTypeAliasDeclaration(declared) ? next(declared.type) : objectOf(declared.members, next);
  return container(name, node.typeArguments ?? [], next) ?? `the type ${name} is not known`;
}

function container(name: string, types: readonly ts.TypeNode[], next: NextShape): Shape | string | undefined {
  const [first, second] = types;
  if (first === undefined) return undefined;
  const kind = Object.hasOwn(AROUND, name) ? AROUND[name] : undefined;
  if (kind !== undefined) return kind === "same" ? next(first) : around(kind, next(first));
  const keyed = Object.hasOwn(KEYED, name) ? KEYED[name] : undefined;
  if (keyed === undefined || second === undefined) return undefined;
  const [key, of] = [next(first), next(second)];
  if (typeof key === "string") return key;
  return typeof of === "string" ? of : { kind: keyed, key, of };
}

function objectOf(members: ts.NodeArray<ts.TypeElement>, next: NextShape): Shape | string {
  const fields: { name: string; of: Shape }[] = [];
  for (const member of members) {
    if (!ts.isPropertySignature(member) || member.type === undefined)
      return "an object with more than fields";
    const of = next(member.type);
    if (typeof of !== "string") fields.push({ name: member.name.getText().replace(/^["']|["']$/g, ""), of });
    else if (member.questionToken === undefined) return of;
  }
  return { kind: "object", fields };
}

function literalOf({ literal }: ts.LiteralTypeNode): Shape | string {
  if (literal.kind === ts.SyntaxKind.NullKeyword) return { kind: "null" };
  if (literal.kind === ts.SyntaxKind.TrueKeyword) return { kind: "literal", value: true };
  if (literal.kind === ts.SyntaxKind.FalseKeyword) return { kind: "literal", value: false };
  if (ts.isStringLiteral(literal)) return { kind: "literal", value: literal.text };
  const number = Number(literal.getText());
  return Number.isNaN(number) ? `${literal.getText()} is not known` : { kind: "literal", value: number };
}

function around(kind: "list" | "set", of: Shape | string): Shape | string {
  return typeof of === "string" ? of : { kind, of };
}

function all(parts: readonly (Shape | string)[]): Shape[] | string {
  const shapes: Shape[] = [];
  for (const part of parts) {
    if (typeof part === "string") return part;
    shapes.push(part);
  }
  return shapes;
}

/** Of an input itself or of a field of it, not of what lies in a list. */
function hasSize(shape: Shape): boolean {
  switch (shape.kind) {
    case "string":
    case "list":
    case "record":
    case "map":
    case "set":
    case "bytes":
      return true;
    case "object":
      return shape.fields.some(({ of }) => hasSize(of));
    case "union":
      return shape.of.some(hasSize);
    default:
      return false;
  }
}
