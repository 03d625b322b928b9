// Which entry points give their callers something to keep: by its type, whoever gets it may change it.
import ts from "typescript6";
import type { EntryPoint } from "../../../domain/contract/contract.ts";

export function withMutableResults(entryPoints: readonly EntryPoint[]): string[] {
  return entryPoints.flatMap(({ name, signature }) => (givesMutable(signature) ? [name] : []));
}

const HOLDERS = ["Array", "Map", "Set", "Record"];

function givesMutable(signature: string): boolean {
  const file = ts.createSourceFile("entry.ts", `type Entry = ${signature};`, ts.ScriptTarget.Latest, true);
  const [statement] = file.statements;
  if (statement === undefined || !ts.isTypeAliasDeclaration(statement)) return false;
  return ts.isFunctionTypeNode(statement.type) && isMutable(statement.type.type);
}

/** Of a type with a name nobody knows here what may be changed; `readonly string[]` is an operator and no list. */
function isMutable(type: ts.TypeNode): boolean {
  if (ts.isArrayTypeNode(type) || ts.isTupleTypeNode(type)) return true;
  if (ts.isTypeLiteralNode(type)) return type.members.some((member) => !isReadonly(member));
  if (!ts.isTypeReferenceNode(type)) return false;
  const name = type.typeName.getText();
  const [inner] = type.typeArguments ?? [];
  return name === "Promise" ? inner !== undefined && isMutable(inner) : HOLDERS.includes(name);
}

function isReadonly(member: ts.TypeElement): boolean {
  return (
    !ts.isPropertySignature(member) ||
    member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword) === true
  );
}
