// What makes a test no test: it is left out, keeps others out, is expected to fail, or asserts nothing.
import ts from "typescript6";
import type { StaticFinding } from "../../../domain/evidence/static-finding.ts";
import { assertingNames, asserts } from "./assertions.ts";
import { originOf, unwrapped } from "./origin.ts";
import { type CodeFile, everyNode, lineOf, type Syntax } from "./syntax.ts";

export function testFindings(tests: Syntax, beside: Syntax): StaticFinding[] {
  const names = assertingNames([...tests.files, ...beside.files]);
  return tests.files.flatMap((file) => findingsIn(file, tests, names));
}

const GROUPS = ["describe", "suite"];
const TESTS = ["test", "it"];
const LEFT_OUT = ["xit", "xtest", "xdescribe"];
const FOCUSED = ["fit", "fdescribe"];
const ROOTS = [...GROUPS, ...TESTS, ...LEFT_OUT, ...FOCUSED, "bench"];

/** Members that give a way to declare tests, and declare none themselves. */
const MAKERS = ["each", "for", "extend", "skipIf", "runIf", "beforeEach", "afterEach", "override", "scoped"];

function findingsIn(file: CodeFile, syntax: Syntax, names: ReadonlySet<string>): StaticFinding[] {
  const findings: StaticFinding[] = [];
  for (const node of everyNode(file.tree)) {
    if (!ts.isCallExpression(node)) continue;
    const found = chainOf(node.expression, syntax);
    if (found === undefined) continue;
    for (const [rule, message] of judge(node, found, names))
      findings.push({ rule, file: file.path, line: lineOf(node), message, severity: "error" });
  }
  return findings;
}

/** How a declaration is spelled: `test.each(table).only` is test, then each and only. */
interface Chain {
  root: string;
  members: readonly string[];
}

function chainOf(callee: ts.Node, syntax: Syntax, steps = 32): Chain | undefined {
  const inner = unwrapped(callee);
  if (steps === 0) return undefined;
  const origin = originOf(inner, syntax);
  if (origin !== undefined) return chainFrom(origin.from, origin.name, origin.members);
  if (ts.isPropertyAccessExpression(inner)) {
    const chain = chainOf(inner.expression, syntax, steps - 1);
    return chain && { root: chain.root, members: [...chain.members, inner.name.text] };
  }
  if (ts.isCallExpression(inner)) return chainOf(inner.expression, syntax, steps - 1);
  if (ts.isTaggedTemplateExpression(inner)) return chainOf(inner.tag, syntax, steps - 1);
  if (!ts.isIdentifier(inner)) return undefined;
  for (const declaration of syntax.declarationsOf(inner)) {
    if (!ts.isVariableDeclaration(declaration) || declaration.initializer === undefined) continue;
    return chainOf(declaration.initializer, syntax, steps - 1);
  }
  return undefined;
}

function chainFrom(from: "global" | "module", name: string, members: readonly string[]): Chain | undefined {
  const [root, ...rest] = from === "global" ? [name, ...members] : members;
  return root !== undefined && ROOTS.includes(root) ? { root, members: rest } : undefined;
}

function judge(call: ts.CallExpression, chain: Chain, names: ReadonlySet<string>): [string, string][] {
  const { root, members } = chain;
  const callee = unwrapped(call.expression);
  if (ts.isPropertyAccessExpression(callee) && MAKERS.includes(callee.name.text)) return [];
  const findings: [string, string][] = [];
  const has = (...words: string[]) => members.some((member) => words.includes(member));
  if (has("only") || FOCUSED.includes(root) || optionSet(call, "only"))
    findings.push(["focused-test", `${spell(chain)} keeps all other tests from running`]);
  const isLeftOut =
    has("skip", "todo", "skipIf", "runIf") || LEFT_OUT.includes(root) || optionSet(call, "skip", "todo");
  if (isLeftOut) findings.push(["skipped-test", `${spell(chain)} leaves a test out`]);
  if (has("fails") || optionSet(call, "fails"))
    findings.push(["inverted-test", `${spell(chain)} passes when the code is wrong`]);
  return findings.length > 0 || !TESTS.includes(root) ? findings : bodyFindings(call, names);
}

function bodyFindings(call: ts.CallExpression, names: ReadonlySet<string>): [string, string][] {
  const body = call.arguments.findLast((each) => !ts.isNumericLiteral(each) && !isOptions(each));
  if (body === undefined || call.arguments.length < 2)
    return [["skipped-test", "a test without a body is left out"]];
  const inner = unwrapped(body);
  const isFunction = ts.isArrowFunction(inner) || ts.isFunctionExpression(inner);
  if (isFunction) {
    if (skipsItself(inner)) return [["skipped-test", "the test leaves itself out while it runs"]];
    return asserts(inner.body, names) ? [] : [["empty-test", "the test asserts nothing"]];
  }
  const isAsserting = ts.isIdentifier(inner) ? names.has(inner.text) : asserts(inner, names);
  return isAsserting ? [] : [["empty-test", "the test asserts nothing"]];
}

function isOptions(node: ts.Node): boolean {
  return ts.isObjectLiteralExpression(unwrapped(node));
}

function optionSet(call: ts.CallExpression, ...names: string[]): boolean {
  return call.arguments.some((each) => {
    const options = unwrapped(each);
    if (!ts.isObjectLiteralExpression(options)) return false;
    return options.properties.some(
      (property) =>
        property.name !== undefined &&
        names.includes(property.name.getText()) &&
        !(ts.isPropertyAssignment(property) && property.initializer.kind === ts.SyntaxKind.FalseKeyword),
    );
  });
}

/** `({ skip }) => skip()` and `(context) => context.skip()`. */
function skipsItself(test: ts.ArrowFunction | ts.FunctionExpression): boolean {
  const parameters = test.parameters.flatMap(({ name }) =>
    ts.isIdentifier(name)
      ? [name.text]
      : name.elements.flatMap((each) =>
          ts.isBindingElement(each) && (each.propertyName ?? each.name).getText() === "skip"
            ? [each.name.getText()]
            : [],
        ),
  );
  for (const node of everyNode(test.body)) {
    if (!ts.isCallExpression(node)) continue;
    const callee = node.expression;
    const isOwn = ts.isPropertyAccessExpression(callee)
      ? callee.name.text === "skip" && parameters.includes(callee.expression.getText())
      : ts.isIdentifier(callee) && isBoundSkip(test, callee.text);
    if (isOwn) return true;
  }
  return false;
}

function isBoundSkip(test: ts.ArrowFunction | ts.FunctionExpression, name: string): boolean {
  return test.parameters.some(
    (parameter) =>
      ts.isObjectBindingPattern(parameter.name) &&
      parameter.name.elements.some(
        (each) => each.name.getText() === name && (each.propertyName ?? each.name).getText() === "skip",
      ),
  );
}

function spell({ root, members }: Chain): string {
  return [root, ...members].join(".");
}
