// Finds signs that make people read other code than the compiler does: turned directions, names that look like others, and
// parts of names that nobody sees.
import ts from "typescript6";
import type { StaticFinding } from "../../../domain/evidence/static-finding.ts";
import { type CodeFile, everyNode, lineOf } from "./syntax.ts";

/** Embeddings, overrides and isolates; in texts they can be written as escapes. */
const TURNED = /[\u202A-\u202E\u2066-\u2069]/;
const UNSEEN = /[\u00AD\u200B-\u200F\u2060-\u2064\uFEFF]|[\u{E0000}-\u{E007F}]/u;
/** Whose letters look like each other's. */
const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u];

export function disguiseFindings({ path, text, tree }: CodeFile): StaticFinding[] {
  const found = new Map<number, StaticFinding>();
  const add = (line: number, message: string) =>
    found.set(line, { rule: "disguise", file: path, line, message, severity: "error" });
  for (const [index, each] of text.split("\n").entries())
    if (TURNED.test(each))
      add(index + 1, "holds a sign that turns the direction of the text; write it as an escape");
  for (const node of everyNode(tree)) {
    if (!ts.isIdentifier(node)) continue;
    const name = node.text;
    const scripts = SCRIPTS.filter((script) => script.test(name)).length;
    if (UNSEEN.test(name)) add(lineOf(node), "a name holds a sign that nobody sees");
    else if (scripts > 1 && !isSign(name))
      add(lineOf(node), `${name} mixes letters that look alike; use one alphabet`);
  }
  return [...found.values()];
}

/** `Δx` and `σMax` are read for what they are: a Greek sign that no Latin letter looks like. */
function isSign(name: string): boolean {
  return !SCRIPTS[1]?.test(name) && !SCRIPTS[3]?.test(name) && !/[ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρυ]/.test(name);
}
