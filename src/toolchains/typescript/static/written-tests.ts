// Finds every test that stands in a file, whether or not the runner ever comes by it.
import ts from "typescript6";
import type { WrittenTest } from "../../port.ts";
import { constantText, unwrapped } from "./origin.ts";
import { everyNode, lineOf, type Syntax } from "./syntax.ts";
import { chainOf, isMaker, TESTS } from "./test-chain.ts";

/** Only those whose title says something about the name that they will have. */
export function writtenTests(tests: Syntax): WrittenTest[] {
  return tests.files.flatMap(({ path, tree }) =>
    [...everyNode(tree)].flatMap((node): WrittenTest[] => {
      if (!ts.isCallExpression(node) || isMaker(node) || node.arguments.length < 2) return [];
      const root = chainOf(node.expression, tests)?.root;
      const [first] = node.arguments;
      const title = first === undefined ? undefined : titleOf(first);
      if (root === undefined || !TESTS.includes(root) || title === undefined) return [];
      return [{ file: path, line: lineOf(node), title }];
    }),
  );
}

/** What is only known when it runs stays `${…}`. */
function titleOf(node: ts.Expression): string | undefined {
  const written = constantText(node) ?? withHoles(unwrapped(node));
  // In a table two of these signs are one.
  const title = written?.replaceAll("%%", "%s").trim();
  return title === "" ? undefined : title;
}

function withHoles(node: ts.Node): string | undefined {
  if (!ts.isTemplateExpression(node)) return undefined;
  const spans = node.templateSpans.map(({ literal }) => `\${…}${literal.text}`);
  return `${node.head.text}${spans.join("")}`;
}
