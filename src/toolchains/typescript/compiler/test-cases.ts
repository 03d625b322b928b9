// The tests that a test file declares, by their full names, with the code that belongs to each.
import {
  type CallExpression,
  type Expression,
  isArrowFunction,
  isBinaryExpression,
  isCallExpression,
  isClassDeclaration,
  isFunctionDeclaration,
  isFunctionExpression,
  isFunctionLikeDeclaration,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isVariableDeclaration,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { SymbolFlags } from "typescript/unstable/sync";
import { calleesOfValue, declarationsOf } from "./calls.ts";
import type { Program } from "./program.ts";
import { unwrapped } from "./syntax.ts";

/** What parameters of test helpers stand for, by the declaration of the parameter. */
export type Bindings = ReadonlyMap<Node, Expression>;

export interface TestCase {
  /** With the blocks around it, as ` > ` joins them; what is only known at run time stays `${…}` as written. */
  name: string;
  file: string;
  /** Its own code, the tables and generators it is called with, and the hooks around it. */
  code: () => Node[];
  bindings: Bindings;
}

export const JOINT = " > ";

export function testCases(program: Program): TestCase[] {
  return program.tests().flatMap((file) => {
    const found: TestCase[] = [];
    const context: Context = {
      program,
      file,
      blocks: [],
      hooks: { own: [] },
      bindings: new Map(),
      depth: 0,
      found,
    };
    walk(file, context);
    return found;
  });
}

/** Filled while a block is read, since hooks hold for the tests before them too. */
interface Hooks {
  own: Node[];
  outer?: Hooks;
}

interface Context {
  program: Program;
  file: SourceFile;
  blocks: readonly string[];
  hooks: Hooks;
  bindings: Bindings;
  depth: number;
  found: TestCase[];
}

const MOST_DEEP = 20;

function walk(node: Node, context: Context): void {
  if (isFunctionLikeDeclaration(node) && !isRunInPlace(node)) return;
  if (isCallExpression(node) && handled(node, context)) return;
  node.forEachChild((child) => walk(child, context));
}

/** Functions that are handed over run where they stand: bodies of `forEach`, of blocks, or called at once. */
function isRunInPlace(node: Node): boolean {
  if (!isArrowFunction(node) && !isFunctionExpression(node)) return false;
  return !isVariableDeclaration(node.parent);
}

function handled(call: CallExpression, context: Context): boolean {
  const kind = declarator(call.expression, context, 0);
  switch (kind) {
    case "test":
      return addTest(call, context);
    case "block":
      return enterBlock(call, context);
    case "hook":
      context.hooks.own.push(...call.arguments);
      return true;
    case undefined:
      return enterHelper(call, context);
  }
}

type Declarator = "test" | "block" | "hook" | undefined;

const DECLARATORS: Readonly<Record<string, Declarator>> = {
  test: "test",
  it: "test",
  bench: undefined,
  describe: "block",
  suite: "block",
  beforeEach: "hook",
  beforeAll: "hook",
  afterEach: "hook",
  afterAll: "hook",
  before: "hook",
  after: "hook",
};

/** What stands at the root of `test.each(…)`, `describe.skipIf(…)`, `test.prop([…])` or an own `test.extend(…)`. */
function declarator(callee: Node, context: Context, depth: number): Declarator {
  const root = rootOf(callee);
  if (root === undefined || depth > MOST_DEEP) return undefined;
  const { checker } = context.program;
  const symbol = checker.getSymbolAtLocation(root);
  if (symbol === undefined) return DECLARATORS[root.text];
  const target = (symbol.flags & SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  const nodes = target.declarations.flatMap((each) => each.resolve() ?? []);
  const own = nodes.filter((each) => context.program.pathOf(each.getSourceFile()) !== undefined);
  if (own.length === 0) return Object.hasOwn(DECLARATORS, target.name) ? DECLARATORS[target.name] : undefined;
  const [first] = own;
  if (first === undefined || !isVariableDeclaration(first) || first.initializer === undefined)
    return undefined;
  const value = unwrapped(first.initializer);
  return isFunctionLikeDeclaration(value) ? undefined : declarator(value, context, depth + 1);
}

function rootOf(callee: Node) {
  let at = unwrapped(callee);
  while (!isIdentifier(at)) {
    if (isPropertyAccessExpression(at) || isCallExpression(at)) at = unwrapped(at.expression);
    else if (isTaggedTemplateExpression(at)) at = unwrapped(at.tag);
    else return undefined;
  }
  return at;
}

function addTest(call: CallExpression, context: Context): boolean {
  const [title] = call.arguments;
  const body = call.arguments.slice(1).find((each) => isBody(each, context));
  // `test.each(table)` alone and `test.extend({…})` declare nothing yet.
  if (title === undefined || isObjectLiteralExpression(unwrapped(title)) || isInnerCall(call)) return false;
  if (body === undefined && !isTitle(title)) return false;
  const { program, file, blocks, bindings, hooks, found } = context;
  found.push({
    name: [...blocks, titleOf(title, context)].join(JOINT),
    file: program.pathOf(file) ?? "",
    code: () => [call, ...allHooks(hooks)],
    bindings,
  });
  return true;
}

function allHooks({ own, outer }: Hooks): Node[] {
  return outer === undefined ? own : [...allHooks(outer), ...own];
}

function isInnerCall(call: CallExpression): boolean {
  return isCallExpression(call.parent) && call.parent.expression === call;
}

function isTitle(title: Node): boolean {
  const inner = unwrapped(title);
  return isStringLiteral(inner) || isNoSubstitutionTemplateLiteral(inner) || isTemplateExpression(inner);
}

function isBody(argument: Expression, { program }: Context): boolean {
  const inner = unwrapped(argument);
  return isFunctionLikeDeclaration(inner) || calleesOfValue(program.checker, inner).length > 0;
}

function enterBlock(call: CallExpression, context: Context): boolean {
  const [title] = call.arguments;
  const body = call.arguments.findLast((each) => isFunctionLikeDeclaration(unwrapped(each)));
  if (title === undefined || body === undefined || isInnerCall(call)) return false;
  const inner: Context = {
    ...context,
    blocks: [...context.blocks, titleOf(title, context)],
    hooks: { own: [], outer: context.hooks },
  };
  const block = unwrapped(body);
  block.forEachChild((child) => walk(child, inner));
  return true;
}

/** A helper of the tests may declare tests itself; what it is called with is what its parameters stand for. */
function enterHelper(call: CallExpression, context: Context): boolean {
  const { program } = context;
  if (context.depth > MOST_DEEP) return false;
  for (const helper of calleesOfValue(program.checker, call.expression)) {
    const file = helper.getSourceFile();
    if (!isFunctionLikeDeclaration(helper) || program.pathOf(file) === undefined || program.isSource(file))
      continue;
    const bindings = new Map(context.bindings);
    helper.parameters.forEach((parameter, index) => {
      const given = call.arguments[index] ?? parameter.initializer;
      if (given !== undefined) bindings.set(parameter, given);
    });
    helper.body?.forEachChild((child) => walk(child, { ...context, bindings, depth: context.depth + 1 }));
  }
  return false;
}

/** Constant parts are put in; the rest stays as it is written. */
function titleOf(title: Expression, context: Context): string {
  return constantText(title, context, 0) ?? writtenTitle(title, context);
}

function writtenTitle(title: Node, context: Context): string {
  const inner = unwrapped(title);
  if (isTemplateExpression(inner)) {
    const spans = inner.templateSpans.map(({ expression, literal }) => {
      return `${constantText(expression, context, 0) ?? `\${${expression.getText()}}`}${literal.text}`;
    });
    return `${inner.head.text}${spans.join("")}`;
  }
  if (isBinaryExpression(inner) && inner.operatorToken.kind === SyntaxKind.PlusToken)
    return `${writtenTitle(inner.left, context)}${writtenTitle(inner.right, context)}`;
  return constantText(inner, context, 0) ?? `\${${inner.getText()}}`;
}

function constantText(node: Node, context: Context, depth: number): string | undefined {
  const inner = unwrapped(node);
  if (isStringLiteral(inner) || isNoSubstitutionTemplateLiteral(inner) || isNumericLiteral(inner))
    return inner.text;
  if (depth > MOST_DEEP) return undefined;
  if (isPropertyAccessExpression(inner) && inner.name.text === "name")
    return nameOfFunction(inner.expression, context);
  if (!isIdentifier(inner)) return undefined;
  const symbol = context.program.checker.getSymbolAtLocation(inner);
  const declared = symbol?.declarations[0]?.resolve();
  const bound = declared === undefined ? undefined : context.bindings.get(declared);
  if (bound !== undefined) return constantText(bound, context, depth + 1);
  const type = context.program.checker.getTypeAtLocation(inner);
  if (type !== undefined && type.isStringLiteralType()) return type.value;
  return nameOfFunction(inner, context);
}

/** A block may be named by the function or class it is about. */
function nameOfFunction(node: Node, { program }: Context): string | undefined {
  const callee = declarationsOf(program.checker, node, 0).find((each) => !isVariableDeclaration(each));
  if (callee === undefined || !(isFunctionDeclaration(callee) || isClassDeclaration(callee)))
    return undefined;
  return callee.name?.text;
}
