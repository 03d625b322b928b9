// Finds tests that read the text of the code instead of running it, and texts by which a test could tell that it is judged.
import { posix } from "node:path";
import ts from "typescript6";
import type { StaticFinding } from "../../../domain/evidence/static-finding.ts";
import { originOf } from "./origin.ts";
import { type CodeFile, everyNode, lineOf, type Syntax } from "./syntax.ts";

export function sourceReading(
  { path, tree }: CodeFile,
  syntax: Syntax,
  sources: readonly string[],
): StaticFinding[] {
  const nodes = [...everyNode(tree)];
  const reads = nodes.some((node) => ts.isCallExpression(node) && isReading(node, syntax));
  return nodes.flatMap((node): StaticFinding[] => {
    const text = ts.isRegularExpressionLiteral(node)
      ? node.text
      : ts.isStringLiteralLike(node)
        ? node.text
        : "";
    const at = { file: path, line: lineOf(node), severity: "error" as const };
    if (MARK.test(text))
      return [
        {
          ...at,
          rule: "knows-its-judge",
          message: `asks for ${text}, by which it can tell how it is judged`,
        },
      ];
    const isPattern = ts.isStringLiteralLike(node) && isOfRawGlob(node);
    if (!ts.isStringLiteralLike(node) || !(reads || isPattern || text.includes("?"))) return [];
    const source = sources.find(
      (each) => leadsTo(path, text, each) || (isPattern && covers(path, text, each)),
    );
    if (source === undefined || isLoaded(node)) return [];
    const message = `reads the text of ${source}; ask what it does instead`;
    return [{ ...at, rule: "reads-sources", message }];
  });
}

/** What stubs throw, and what lies and reports are called. */
const MARK = /cupel[:. ](?:stub|lies|report)/i;

const READING = /^(?:readFile|readFileSync|openSync|open|createReadStream|openAsBlob)$/;

function isReading(call: ts.CallExpression, syntax: Syntax): boolean {
  const origin = originOf(call.expression, syntax);
  return (
    origin?.from === "module" && /^fs(?:\/|$)/.test(origin.name) && READING.test(origin.members.at(-1) ?? "")
  );
}

/** From the test's own folder, or from where the module lies. */
function leadsTo(from: string, text: string, source: string): boolean {
  const [name = ""] = text.split("?");
  return name !== "" && [posix.join(posix.dirname(from), name), posix.normalize(name)].includes(source);
}

/** `import.meta.glob("../src/*.ts", { query: "?raw" })` gives texts; without a query it gives what is exported. */
function isOfRawGlob(node: ts.StringLiteralLike): boolean {
  const call = ts.findAncestor(node, ts.isCallExpression);
  if (call === undefined || !/^import\.meta\.glob\w*$/.test(call.expression.getText())) return false;
  const options = call.arguments[1];
  return options !== undefined && /\b(?:query|as)\b/.test(options.getText());
}

/** As far as it says where to look, before its first sign that stands for others. */
function covers(from: string, pattern: string, source: string): boolean {
  const [sure = ""] = pattern.split(/[*?{[(]/);
  const folder = sure.slice(0, sure.lastIndexOf("/") + 1);
  const whole = folder.startsWith("/") ? folder.slice(1) : posix.join(posix.dirname(from), folder);
  return folder !== "" && (whole === "./" || whole === "" || source.startsWith(whole));
}

/** `import("../src/index.ts")`, `vi.mock("../src/clock.ts")` and the like run it. */
function isLoaded(node: ts.StringLiteralLike): boolean {
  if (node.text.includes("?")) return false;
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent))
    return true;
  if (!ts.isCallExpression(parent)) return false;
  const callee = parent.expression;
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return true;
  return ts.isPropertyAccessExpression(callee) && /mock|import/i.test(callee.name.text);
}
