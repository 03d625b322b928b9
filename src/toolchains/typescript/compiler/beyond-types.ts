// Where code gets only with a value that cannot exist: behind a switch or conditions that leave nothing over of a type.
import {
  isBinaryExpression,
  isBlock,
  isConditionalExpression,
  isDefaultClause,
  isFunctionLikeDeclaration,
  isIdentifier,
  isPropertyAccessExpression,
  isSourceFile,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { type Type, TypeFlags } from "typescript/unstable/sync";
import type { ModuleView } from "./module-view.ts";
import { isRefuser, onlyRefuses, refusersIn } from "./refusals.ts";
import { type Program, withProgram } from "./program.ts";
import { everyNode } from "./syntax.ts";

/** A stretch of a file, in signs from its beginning. */
export interface Stretch {
  file: string;
  start: number;
  end: number;
}

export function beyondTypes(view: ModuleView): Stretch[] {
  return withProgram(view, (program) =>
    program.sources().flatMap((source) => {
      const file = program.pathOf(source);
      return file === undefined
        ? []
        : nodesBeyondTypes(program, source).map(({ start, end }) => ({ file, start, end }));
    }),
  );
}

/** For those who hold the program already. */
export function nodesBeyondTypes(program: Program, source: SourceFile): { start: number; end: number }[] {
  if (!MAY_LEAVE_NOTHING.test(source.text)) return [];
  const refusers = refusersIn(program.sources());
  const found: { start: number; end: number }[] = [];
  everyNode(source, (node) => {
    if (isFunctionLikeDeclaration(node) && isRefuser(node))
      found.push({ start: node.getStart(source), end: node.end });
    else if (leavesNothing(program, node)) {
      const stretch = stretchAround(node);
      const [first] = stretch.nodes;
      if (first !== undefined && onlyRefuses(stretch.nodes, refusers))
        found.push({
          start: (stretch.clause ?? first).getStart(source),
          end: stretch.nodes.at(-1)?.end ?? first.end,
        });
    }
  });
  return found;
}

/** Without one of these, nobody says that anything is left over. */
const MAY_LEAVE_NOTHING = /\bnever\b|\bdefault\s*:/;

/** A value of which conditions have left nothing; one that was said to be nothing is anybody's word. */
function leavesNothing({ checker }: Program, node: Node): boolean {
  if (!isIdentifier(node) && !isPropertyAccessExpression(node)) return false;
  if (isPropertyAccessExpression(node.parent) && node.parent.name === node) return false;
  const symbol = checker.getSymbolAtLocation(node);
  if (symbol === undefined || !isNothing(checker.getTypeAtLocation(node))) return false;
  const own = checker.getTypeOfSymbol(symbol);
  return own !== undefined && !isNothing(own);
}

function isNothing(type: Type | undefined): boolean {
  return ((type?.flags ?? 0) & TypeFlags.Never) !== 0;
}

interface Around {
  nodes: readonly Node[];
  /** Where they are all of a clause. */
  clause?: Node;
}

/** The statement that asks for the value and those behind it, or the whole clause it stands in. */
function stretchAround(node: Node): Around {
  for (let at = node; ; at = at.parent) {
    const { parent } = at;
    if (isDefaultClause(parent)) return { nodes: parent.statements, clause: parent };
    const first = isBlock(parent) ? parent.statements.findIndex((each) => each === at) : -1;
    if (isBlock(parent) && first > 0) return { nodes: parent.statements.slice(first) };
    if (isBranch(at, parent) || isSourceFile(parent)) return { nodes: [at] };
  }
}

/** What runs only if its neighbour says so, or when it is called. */
function isBranch(at: Node, parent: Node): boolean {
  if (isConditionalExpression(parent)) return parent.condition !== at;
  if (isBinaryExpression(parent)) return parent.right === at && isShort(parent.operatorToken.kind);
  return isFunctionLikeDeclaration(parent) || BRANCHES.has(parent.kind);
}

function isShort(operator: SyntaxKind): boolean {
  return (
    operator === SyntaxKind.AmpersandAmpersandToken ||
    operator === SyntaxKind.BarBarToken ||
    operator === SyntaxKind.QuestionQuestionToken
  );
}

const BRANCHES: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.IfStatement,
  SyntaxKind.CaseClause,
  SyntaxKind.ForStatement,
  SyntaxKind.ForInStatement,
  SyntaxKind.ForOfStatement,
  SyntaxKind.WhileStatement,
  SyntaxKind.DoStatement,
]);
