// Finds signs that make people read other code than the compiler does: turned directions, names that look like others, line
// ends and parts of names that nobody sees, and letters that are written as numbers.
import ts from "typescript6";
import type { StaticFinding } from "../../../domain/evidence/static-finding.ts";
import { shapeOf } from "./look-alikes.ts";
import { type CodeFile, everyNode, lineOf } from "./syntax.ts";

/** Embeddings, overrides and isolates; in texts they can be written as escapes. */
const TURNED = /[\u202A-\u202E\u2066-\u2069]/;
const UNSEEN = /[\u00AD\u200B-\u200F\u2060-\u2064\uFEFF]|[\u{E0000}-\u{E007F}]/u;
/** They end a line for the compiler, and so a comment, where most editors show none. */
const HIDDEN_END = /[\u2028\u2029]|\r(?!\n)/;
/** Whose letters look like each other's. */
const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u];

export function disguiseFindings({ path, text, tree }: CodeFile): StaticFinding[] {
  const found = new Map<number, StaticFinding>();
  const add = (line: number, message: string) =>
    found.set(line, { rule: "disguise", file: path, line, message, severity: "error" });
  for (const [index, each] of text.split("\n").entries()) {
    if (TURNED.test(each))
      add(index + 1, "holds a sign that turns the direction of the text; write it as an escape");
    if (text.includes("\n") && HIDDEN_END.test(each.replace(/\r$/, "")))
      add(
        index + 1,
        "holds the end of a line that editors do not show; break the line, or write it as an escape",
      );
  }
  const shapes = new Map<string, string>();
  for (const node of everyNode(tree)) {
    if (!ts.isIdentifier(node)) continue;
    const message = nameProblem(node, tree) ?? likeAnother(node.text, shapes);
    if (message !== undefined) add(lineOf(node), message);
  }
  return [...found.values()];
}

/** Texts of code say what they say; those of tests may be about such letters. */
export function spelledOut({ path, tree }: CodeFile): StaticFinding[] {
  return [...everyNode(tree)].flatMap((node): StaticFinding[] => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node);
    if (!isText || !AS_NUMBERS.test(node.getText(tree))) return [];
    const message = "a text writes plain letters as numbers; write them as they are";
    return [{ rule: "disguise", file: path, line: lineOf(node), message, severity: "error" }];
  });
}

/** Three letters or digits in a row. */
const AS_NUMBERS = /(?:\\(?:x|u00|u\{0*)(?:3[0-9]|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])\}?){3}/i;

const ALL_ALIKE = /^(?=.*[Il].*[Il1])[Il1O0_$]{4,}$/;

function nameProblem(node: ts.Identifier, tree: ts.SourceFile): string | undefined {
  const name = node.text;
  if (UNSEEN.test(name)) return "a name holds a sign that nobody sees";
  if (ALL_ALIKE.test(name)) return `${name} is made of letters that look alike; give it a name`;
  if (node.getText(tree).includes("\\")) return `${name} is written with escapes; write it as it is`;
  if (name.normalize("NFKC") !== name.normalize("NFC"))
    return `${name} has letters that only look like others; use plain ones`;
  const scripts = SCRIPTS.filter((script) => script.test(name)).length;
  return scripts > 1 && !isSign(name) ? `${name} mixes letters that look alike; use one alphabet` : undefined;
}

/** `\u0441` beside `c`: each is of one alphabet, and both look the same. */
function likeAnother(name: string, shapes: Map<string, string>): string | undefined {
  const shape = shapeOf(name);
  const other = shapes.get(shape) ?? name;
  shapes.set(shape, other);
  return other === name ? undefined : `${name} looks like another name, ${other}; give one of them another`;
}

/** `Δx` and `σMax` are read for what they are: a Greek sign that no Latin letter looks like. */
function isSign(name: string): boolean {
  return !SCRIPTS[1]?.test(name) && !SCRIPTS[3]?.test(name) && !/[ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρυ]/.test(name);
}
