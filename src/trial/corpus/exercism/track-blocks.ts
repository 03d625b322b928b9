// Takes the tests of a track's file apart, each with everything around it that it needs.
import ts from "typescript6";
import { everyNode } from "../../../toolchains/typescript/static/syntax.ts";
import { literalText, rootOf } from "./code-text.ts";
import { leaveOut } from "./left-out.ts";
import { HOOKS, TESTS } from "./track-tests.ts";

export interface TrackTest {
  title: string;
  /** Statements of the blocks around it, from the outside in, hooks left out. */
  around: readonly ts.Statement[];
  hooks: readonly Hook[];
  /** Declarations of what a table gives it, as code. */
  row: readonly string[];
  body: ts.ArrowFunction | ts.FunctionExpression;
}

export interface Hook {
  when: string;
  does: ts.ArrowFunction | ts.FunctionExpression;
}

type Scope = Omit<TrackTest, "title" | "body"> & { titles: readonly string[] };

const MOST_TESTS = 1_000;

export function trackTests(tree: ts.SourceFile): TrackTest[] {
  const outermost: Scope = { titles: [], around: [], hooks: [], row: [] };
  const found = testsAmong(tree.statements, outermost);
  if (found.length === 0) leaveOut("its tests are none");
  if (found.length > MOST_TESTS) leaveOut(`it has more than ${MOST_TESTS} tests`);
  return distinct(found);
}

function testsAmong(statements: readonly ts.Statement[], outer: Scope): TrackTest[] {
  const declared = statements.map((statement) => ({ statement, call: declaring(statement) }));
  const hooks = declared.flatMap(({ call }) =>
    call !== undefined && HOOKS.has(call.root) ? [hookOf(call)] : [],
  );
  const around = declared.flatMap(({ statement, call }) =>
    call === undefined && !ts.isImportDeclaration(statement) ? [statement] : [],
  );
  const hiding = around.find(declaresTests);
  if (hiding !== undefined) leaveOut(`its tests are made by ${shown(hiding)}`);
  const scope = { ...outer, around: [...outer.around, ...around], hooks: [...outer.hooks, ...hooks] };
  return declared.flatMap(({ call }) =>
    call === undefined || HOOKS.has(call.root) || call.form === "todo" ? [] : testsOfCall(call, scope),
  );
}

interface Declaring {
  root: string;
  form: string | undefined;
  call: ts.CallExpression;
}

/** A statement that is a call of describe, of a test or of a hook. */
function declaring(statement: ts.Statement): Declaring | undefined {
  if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return undefined;
  const call = statement.expression;
  const root = rootOf(call.expression)?.text ?? "";
  if (!TESTS.has(root) && !HOOKS.has(root) && root !== "describe") return undefined;
  const inner = ts.isCallExpression(call.expression) ? call.expression.expression : call.expression;
  const form = ts.isPropertyAccessExpression(inner) ? inner.name.text : undefined;
  if (ts.isTaggedTemplateExpression(call.expression))
    leaveOut("a table of its tests is written as a template");
  return { root, form, call };
}

function declaresTests(node: ts.Node): boolean {
  return [...everyNode(node)].some(
    (each) => ts.isCallExpression(each) && TESTS.has(rootOf(each.expression)?.text ?? ""),
  );
}

function testsOfCall({ root, form, call }: Declaring, scope: Scope): TrackTest[] {
  if (form !== undefined && form !== "each") leaveOut(`its tests use ${root}.${form}`);
  const [title, second, third] = call.arguments;
  const body = functionIn(second) ?? functionIn(third);
  if (title === undefined || body === undefined)
    return leaveOut(`${shown(call)} has no title or no body of its own`);
  const text = (literalText(title) ?? title.getText()).replaceAll(/\s+/g, " ").trim();
  const rows = form === "each" ? rowsOf(call, body) : [undefined];
  return rows.flatMap((row, index) => {
    const titles = [...scope.titles, row === undefined ? text : `${text} (${index + 1})`];
    const inner = { ...scope, titles, row: [...scope.row, ...(row ?? [])] };
    if (root === "describe") return ts.isBlock(body.body) ? testsAmong(body.body.statements, inner) : [];
    if (row === undefined && body.parameters.length > 0) leaveOut(`${shown(title)} waits for a callback`);
    const { titles: path, ...needed } = inner;
    return [{ ...needed, title: path.join(": "), body }];
  });
}

function functionIn(node: ts.Node | undefined): TrackTest["body"] | undefined {
  return node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) ? node : undefined;
}

/** What each row of a table gives the parameters of a body. */
function rowsOf({ expression }: ts.CallExpression, { parameters }: TrackTest["body"]): string[][] {
  const table = ts.isCallExpression(expression) ? expression.arguments[0] : undefined;
  if (table === undefined || !ts.isArrayLiteralExpression(table))
    return leaveOut("a table of its tests is not written where it is used");
  return table.elements.map((row) => {
    const values = ts.isArrayLiteralExpression(row) ? row.elements : [row];
    return parameters.flatMap((parameter, index) => {
      const value = values[index];
      if (parameter.dotDotDotToken !== undefined || value === undefined)
        return leaveOut("a table of its tests does not fit its test");
      return [`const ${parameter.name.getText()}${typeOf(parameter)} = ${value.getText()};`];
    });
  });
}

function typeOf({ type }: ts.ParameterDeclaration): string {
  return type === undefined ? "" : `: ${type.getText()}`;
}

function hookOf({ root, call }: Declaring): Hook {
  const does = functionIn(call.arguments[0]);
  if (does === undefined || does.parameters.length > 0) return leaveOut(`its ${root} is written elsewhere`);
  return { when: root, does };
}

function shown(node: ts.Node): string {
  const text = node.getText().replaceAll(/\s+/g, " ");
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** The second of a title gets a 2, and so on. */
function distinct(tests: readonly TrackTest[]): TrackTest[] {
  return tests.map((test, index) => {
    const before = tests.slice(0, index).filter(({ title }) => title === test.title).length;
    return before === 0 ? test : { ...test, title: `${test.title} (again, ${before + 1})` };
  });
}
