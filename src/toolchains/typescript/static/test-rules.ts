// What makes a test no test: it is left out, keeps others out, is expected to fail, or asserts nothing.
import ts from "typescript6";
import type { StaticFinding } from "../../../domain/evidence/static-finding.ts";
import { assertingNames, asserts } from "./assertions.ts";
import { unwrapped } from "./origin.ts";
import { type CodeFile, everyNode, lineOf, type Syntax } from "./syntax.ts";
import { type Chain, chainOf, FOCUSED, isMaker, LEFT_OUT, spell, TESTS } from "./test-chain.ts";

export function testFindings(tests: Syntax, beside: Syntax): StaticFinding[] {
  const names = assertingNames([...tests.files, ...beside.files]);
  return tests.files.flatMap((file) => [...findingsIn(file, tests, names), ...ownEnvironment(file)]);
}

/** As the runner looks for it, wherever it stands in the file. */
const ENVIRONMENT = /@(?:vitest|jest)-environment\s+([\w-]+)\b/;
const KNOWN_ENVIRONMENTS = ["node", "jsdom", "happy-dom", "edge-runtime"];

/** Any other name can be that of a file of the module, which would be run before the runner itself. */
function ownEnvironment({ path, text, tree }: CodeFile): StaticFinding[] {
  const found = ENVIRONMENT.exec(text);
  const [, name = ""] = found ?? [];
  if (found === null || KNOWN_ENVIRONMENTS.includes(name)) return [];
  const line = tree.getLineAndCharacterOfPosition(found.index).line + 1;
  const message = `asks the runner for an environment of its own, ${name}; do in the test what the test needs`;
  return [{ rule: "own-environment", file: path, line, message, severity: "error" }];
}

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

function judge(call: ts.CallExpression, chain: Chain, names: ReadonlySet<string>): [string, string][] {
  const { root, members } = chain;
  if (isMaker(call)) return [];
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
