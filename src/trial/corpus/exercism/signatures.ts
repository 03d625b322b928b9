// Takes the signatures of a surface apart: what a function takes and gives, and what of a class can be called.
import ts from "typescript6";
import type { SurfaceEntry } from "../../../toolchains/port.ts";
import { leaveOut } from "./left-out.ts";

export interface Callable {
  /** `parse`, `Stack` or `Stack.push`. */
  entry: string;
  /** As a contract writes it. */
  signature: string;
  parameters: readonly { name: string; type: string; optional: boolean }[];
  gives: string;
}

/** `isUsed` says which of a class's members a test reads. */
export function callablesOf(entry: SurfaceEntry, isUsed: (member: string) => boolean): Callable[] {
  switch (entry.kind) {
    case "function":
      return [functionOf(entry.name, typeIn(entry.signature, entry.name))];
    case "class":
      return ofClass(entry, isUsed);
    case "constant":
      return leaveOut(`its tests use the constant ${entry.name}, and a contract is about what is called`);
    case "type":
      return [];
  }
}

function typeIn(signature: string, name: string): ts.FunctionTypeNode {
  const tree = ts.createSourceFile("type.ts", `type Is = ${signature};`, ts.ScriptTarget.ESNext, true);
  const [statement] = tree.statements;
  const type = statement !== undefined && ts.isTypeAliasDeclaration(statement) ? statement.type : undefined;
  return type !== undefined && ts.isFunctionTypeNode(type)
    ? type
    : leaveOut(`${name} is more than one plain function`);
}

function functionOf(entry: string, type: ts.FunctionTypeNode): Callable {
  return {
    entry,
    signature: type.getText(),
    parameters: parametersOf(type.parameters),
    gives: type.type.getText(),
  };
}

/** Its constructor, with what can be read of its instances, and its methods. */
function ofClass({ name, signature }: SurfaceEntry, isUsed: (member: string) => boolean): Callable[] {
  if (!signature.startsWith("class {") && !signature.startsWith("class extends"))
    return leaveOut(`the class ${name} is generic or abstract, which a contract cannot carry`);
  const text = signature.replace(/^class/, "declare class Is");
  const [statement] = ts.createSourceFile("class.ts", text, ts.ScriptTarget.ESNext, true).statements;
  const members = statement !== undefined && ts.isClassDeclaration(statement) ? [...statement.members] : [];
  const news = members.flatMap((member) =>
    ts.isMethodDeclaration(member) && member.name.getText() === "new" ? [member] : [],
  );
  const [first, ...others] = news;
  if (first === undefined || others.length > 0)
    return leaveOut(`the class ${name} can be made in no way or in several`);
  const taken = first.parameters.map((each) => each.getText()).join(", ");
  const methods = members.flatMap((member) => {
    const type = ts.isPropertyDeclaration(member) ? member.type : undefined;
    const own = ts.isPropertyDeclaration(member) ? member.name.getText() : "";
    return type !== undefined && ts.isFunctionTypeNode(type) ? [functionOf(`${name}.${own}`, type)] : [];
  });
  const read = members.filter((member) => isRead(member) && isUsed(member.name?.getText() ?? ""));
  const also = read.map((member) => member.getText().replace(/;$/, ""));
  const made = {
    entry: name,
    signature: `new (${taken}) => ${name}${also.length === 0 ? "" : ` & { ${also.join("; ")} }`}`,
    parameters: parametersOf(first.parameters),
    gives: name,
  };
  return [made, ...methods];
}

function isRead(member: ts.ClassElement): boolean {
  return (
    ts.isPropertyDeclaration(member) &&
    ts.isIdentifier(member.name) &&
    !(member.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) &&
    !(member.type !== undefined && ts.isFunctionTypeNode(member.type))
  );
}

function parametersOf(parameters: readonly ts.ParameterDeclaration[]): Callable["parameters"] {
  return parameters.map(({ name, type, questionToken }) => ({
    name: name.getText(),
    type: type?.getText() ?? "unknown",
    optional: questionToken !== undefined,
  }));
}

/** An expression that holds for every value of a type, where the language can tell; undefined where it cannot. */
export function holdsFor(type: string): string | undefined {
  const awaited = /^Promise<(.*)>$/s.exec(type)?.[1] ?? type;
  const tree = ts.createSourceFile("type.ts", `type Is = ${awaited};`, ts.ScriptTarget.ESNext, true);
  const [statement] = tree.statements;
  return statement !== undefined && ts.isTypeAliasDeclaration(statement)
    ? checkOf(statement.type)
    : undefined;
}

const BY_KEYWORD: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.StringKeyword, 'typeof result === "string"'],
  [ts.SyntaxKind.NumberKeyword, 'typeof result === "number"'],
  [ts.SyntaxKind.BooleanKeyword, 'typeof result === "boolean"'],
  [ts.SyntaxKind.BigIntKeyword, 'typeof result === "bigint"'],
  [ts.SyntaxKind.VoidKeyword, "result === undefined"],
  [ts.SyntaxKind.UndefinedKeyword, "result === undefined"],
  [ts.SyntaxKind.ArrayType, "Array.isArray(result)"],
  [ts.SyntaxKind.TupleType, "Array.isArray(result)"],
  [ts.SyntaxKind.TypeLiteral, '(typeof result === "object" && result !== null)'],
]);

function checkOf(type: ts.TypeNode): string | undefined {
  if (ts.isParenthesizedTypeNode(type)) return checkOf(type.type);
  if (ts.isTypeOperatorNode(type)) return checkOf(type.type);
  if (ts.isLiteralTypeNode(type)) return `result === ${type.literal.getText()}`;
  if (!ts.isUnionTypeNode(type)) return BY_KEYWORD.get(type.kind);
  const checks = type.types.map(checkOf);
  return checks.includes(undefined) ? undefined : [...new Set(checks)].join(" || ");
}
