// The functions that a module is made of, by the names that people and claims use for them.
import {
  type ClassLikeDeclaration,
  type FunctionLikeDeclaration,
  isArrowFunction,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isClassDeclaration,
  isClassExpression,
  isExportAssignment,
  isExpressionStatement,
  isFunctionDeclaration,
  isFunctionExpression,
  isFunctionLikeDeclaration,
  isIdentifier,
  isModuleBlock,
  isModuleDeclaration,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isPrivateIdentifier,
  isPropertyAssignment,
  isPropertyDeclaration,
  isPropertyName,
  isStringLiteral,
  isSuperExpression,
  isThrowStatement,
  isVariableStatement,
  type Node,
  type Statement,
  SyntaxKind,
  type VariableStatement,
} from "typescript/unstable/ast";
import { SymbolFlags } from "typescript/unstable/sync";
import { STUB_MARK } from "../stub-mark.ts";
import { once } from "./once.ts";
import type { Program } from "./program.ts";
import { unwrapped } from "./syntax.ts";

export interface ModuleFunction {
  /** `name`, `Class.method` or `object.method`. */
  name: string;
  node: FunctionLikeDeclaration;
  file: string;
  line: number;
  isStub: boolean;
  /** Whether callers of the module can reach it by name. */
  isPublic: boolean;
}

export const moduleFunctions = once(findFunctions);

function findFunctions(program: Program): ModuleFunction[] {
  const exported = exportedDeclarations(program);
  return program.sources().flatMap((file) => {
    const found: { name: string; node: FunctionLikeDeclaration; isPublic: boolean }[] = [];
    for (const statement of file.statements) collect(statement, "", exported, found);
    return found.map(({ name, node, isPublic }) => ({
      name,
      node,
      file: program.pathOf(file) ?? "",
      line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1,
      isStub: isStub(node),
      isPublic,
    }));
  });
}

/** The declarations behind the exports of the entry, with the names they are exported by. */
export const exportedDeclarations = once(findExports);

function findExports(program: Program): ReadonlyMap<Node, string> {
  const entry = program.file(program.layout.entry);
  const symbol = entry === undefined ? undefined : program.checker.getSymbolAtLocation(entry);
  if (symbol === undefined) return new Map();
  const exports = program.checker.getExportsOfModule(symbol);
  const found = new Map<Node, string>();
  for (const each of exports) {
    const isAlias = (each.flags & SymbolFlags.Alias) !== 0;
    const target = isAlias ? program.checker.getAliasedSymbol(each) : each;
    for (const handle of target.declarations) {
      const node = handle.resolve();
      for (const one of node === undefined ? [] : [node, ...assigned(node)])
        if (!(each.name === "default" && found.has(one))) found.set(one, each.name);
    }
  }
  return found;
}

/** What CommonJS exports: the function in `exports.name = function () {}`. */
function assigned(node: Node): Node[] {
  const assignment = isBinaryExpression(node) ? node : node.parent;
  if (assignment === undefined || !isBinaryExpression(assignment)) return [];
  const value = unwrapped(assignment.right);
  return isFunctionLikeDeclaration(value) || isClassExpression(value) ? [value] : [];
}

type Found = { name: string; node: FunctionLikeDeclaration; isPublic: boolean }[];

function collect(
  statement: Statement,
  prefix: string,
  exported: ReadonlyMap<Node, string>,
  found: Found,
): void {
  if (isFunctionDeclaration(statement)) {
    if (statement.body === undefined) return;
    const isPublic = exported.has(statement) || prefix !== "";
    found.push({
      name: prefix + calledName(statement, statement.name?.text, exported),
      node: statement,
      isPublic,
    });
  } else if (isClassDeclaration(statement)) {
    const name = prefix + calledName(statement, statement.name?.text, exported);
    collectClass(statement, name, exported.has(statement) || prefix !== "", found);
  } else if (isVariableStatement(statement)) {
    collectVariables(statement, prefix, exported, found);
  } else if (isExportAssignment(statement)) {
    collectValue(statement.expression, "default", true, found);
  } else if (
    isModuleDeclaration(statement) &&
    statement.body !== undefined &&
    isModuleBlock(statement.body)
  ) {
    for (const inner of statement.body.statements)
      collect(inner, `${prefix}${statement.name.getText()}.`, exported, found);
  }
}

function collectVariables(
  { declarationList }: VariableStatement,
  prefix: string,
  exported: ReadonlyMap<Node, string>,
  found: Found,
): void {
  for (const declaration of declarationList.declarations) {
    if (!isIdentifier(declaration.name) || declaration.initializer === undefined) continue;
    const isPublic = exported.has(declaration) || prefix !== "";
    const name = prefix + calledName(declaration, declaration.name.text, exported);
    collectValue(declaration.initializer, name, isPublic, found);
  }
}

/** Callers know it by the name it is exported by; a default export by the name it was given. */
function calledName(node: Node, own: string | undefined, exported: ReadonlyMap<Node, string>): string {
  const name = exported.get(node);
  return name === undefined || name === "default" ? (own ?? "default") : name;
}

function collectValue(value: Node, name: string, isPublic: boolean, found: Found): void {
  const inner = unwrapped(value);
  if (isArrowFunction(inner) || isFunctionExpression(inner)) {
    found.push({ name, node: inner, isPublic });
  } else if (isClassExpression(inner)) {
    collectClass(inner, name, isPublic, found);
  } else if (isObjectLiteralExpression(inner)) {
    for (const property of inner.properties) {
      const key = memberName(property);
      if (key === undefined) continue;
      if (isFunctionLikeDeclaration(property))
        found.push({ name: `${name}.${key}`, node: property, isPublic });
      else if (isPropertyAssignment(property)) {
        collectValue(property.initializer, `${name}.${key}`, isPublic, found);
      }
    }
  } else if (isCallExpression(inner)) {
    for (const argument of inner.arguments) {
      const given = unwrapped(argument);
      if (isArrowFunction(given) || isFunctionExpression(given)) found.push({ name, node: given, isPublic });
    }
  }
}

function collectClass(node: ClassLikeDeclaration, name: string, isPublic: boolean, found: Found): void {
  for (const member of node.members) {
    const key = memberName(member) ?? "constructor";
    const reachable = isPublic && !isHidden(member);
    if (isFunctionLikeDeclaration(member)) {
      if (member.body !== undefined)
        found.push({ name: `${name}.${key}`, node: member, isPublic: reachable });
    } else if (isPropertyDeclaration(member) && member.initializer !== undefined) {
      const inner = unwrapped(member.initializer);
      if (isArrowFunction(inner) || isFunctionExpression(inner))
        found.push({ name: `${name}.${key}`, node: inner, isPublic: reachable });
    }
  }
}

export function memberName(member: Node): string | undefined {
  if (!("name" in member) || typeof member.name !== "object" || member.name === null) return undefined;
  const name: Node | undefined = isNode(member.name) ? member.name : undefined;
  if (name === undefined || !isPropertyName(name)) return undefined;
  return isStringLiteral(name) ? name.text : name.getText();
}

function isNode(value: object): value is Node {
  return "kind" in value && "getText" in value;
}

export function isHidden(member: Node): boolean {
  if ("name" in member && typeof member.name === "object" && member.name !== null) {
    if (isNode(member.name) && isPrivateIdentifier(member.name)) return true;
  }
  return hasModifier(member, SyntaxKind.PrivateKeyword) || hasModifier(member, SyntaxKind.ProtectedKeyword);
}

export function hasModifier(node: Node, kind: SyntaxKind): boolean {
  if (!("modifiers" in node) || !Array.isArray(node.modifiers)) return false;
  return node.modifiers.some((each: Node) => each.kind === kind);
}

/** Whether the body is the stub's throw and nothing else; a derived constructor must also name its base. */
export function isStub(node: FunctionLikeDeclaration): boolean {
  if (node.body === undefined || !isBlock(node.body)) return false;
  const [first, ...rest] = node.body.statements;
  if (first === undefined || !isThrowStatement(first)) return false;
  const thrown = first.expression;
  if (!isNewExpression(thrown) || thrown.expression.getText() !== "Error") return false;
  const message = thrown.arguments?.[0];
  if (message === undefined || thrown.arguments?.length !== 1) return false;
  if (!isStringLiteral(message) && !isNoSubstitutionTemplateLiteral(message)) return false;
  return message.text.startsWith(`${STUB_MARK} `) && rest.every(isSuperCall);
}

export function isSuperCall(statement: Node): boolean {
  return (
    isExpressionStatement(statement) &&
    isCallExpression(statement.expression) &&
    isSuperExpression(statement.expression.expression)
  );
}
