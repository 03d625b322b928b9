// The code of one test of a track that stands alone: what it uses of the code around it is put into it.
import ts from "typescript6";
import { namesIn, type TextEdit, withEdits } from "./code-text.ts";
import type { Hook, TrackTest } from "./track-blocks.ts";

/** `body` is what the test does, which may be another than it did. */
export function blockCode(test: TrackTest, title = test.title, body = ownBody(test)): string {
  const does = isAsync(test) ? "async () =>" : "() =>";
  return `test(${JSON.stringify(title)}, ${does} {\n${insideOf(test, body)}\n});`;
}

/** The statements of the test with all that it needs before them. */
export function insideOf(test: TrackTest, body = ownBody(test)): string {
  const before = codeBefore(test);
  return before.length === 0 ? body : [...before, `{\n${body}\n}`].join("\n");
}

export function codeBefore(test: TrackTest): string[] {
  const around = neededAround(test).map((statement) => statement.getText());
  return [...around, ...test.row, ...test.hooks.map(hookCode)];
}

export function isCleanedUp({ hooks }: TrackTest): boolean {
  return hooks.some(({ when }) => when.startsWith("after"));
}

/** With edits by places in the file. */
export function ownBody({ body: { body } }: TrackTest, edits: readonly TextEdit[] = []): string {
  const isBlock = ts.isBlock(body);
  const [start, end] = isBlock ? [body.getStart() + 1, body.getEnd() - 1] : [body.getStart(), body.getEnd()];
  const text = body.getSourceFile().text.slice(start, end);
  const moved = edits.map((edit) => ({ ...edit, from: edit.from - start, to: edit.to - start }));
  return `${withEdits(text, moved).trim()}${isBlock ? "" : ";"}`;
}

export function isAsync({ body, hooks }: TrackTest): boolean {
  return [body, ...hooks.map(({ does }) => does)].some(({ modifiers = [] }) =>
    [...modifiers].some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword),
  );
}

function hookCode({ when, does }: Hook): string {
  if (when.startsWith("after")) return `onTestFinished(${does.getText()});`;
  return ts.isBlock(does.body) ? does.body.getText() : `${does.body.getText()};`;
}

/** What declares nothing may matter to every test. */
function neededAround({ around, body, hooks, row }: TrackTest): ts.Statement[] {
  const rows = row.map((text) => ts.createSourceFile("row.ts", text, ts.ScriptTarget.ESNext, true));
  const used = namesIn([body, ...hooks.map(({ does }) => does), ...rows]);
  const taken = new Set<ts.Statement>();
  for (let before = -1; before < taken.size;) {
    before = taken.size;
    for (const statement of around) {
      const declared = declaredIn(statement);
      if (taken.has(statement) || (declared !== undefined && !declared.some((name) => used.has(name))))
        continue;
      taken.add(statement);
      for (const name of namesIn([statement])) used.add(name);
    }
  }
  return around.filter((statement) => taken.has(statement));
}

/** Undefined for what declares nothing. */
function declaredIn(statement: ts.Statement): string[] | undefined {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => [...namesIn([name])]);
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement);
  return isNamed ? [statement.name?.text ?? ""] : undefined;
}
