// Code that hides from the gates, or that nobody could judge.
import { CODE, familyOf, edited, withBody, GUARDS, RIGHT } from "./edit-work.ts";

export const HIDDEN_CODE = familyOf("code", [
  {
    name: "one-huge-function",
    does: "decides everything in one function that nobody can follow",
    twinDoes: "decides the same in small functions",
    refusedBy: ["static"],
    cheat: (work) =>
      withBody(
        work,
        `${GUARDS}${Array.from({ length: 12 }, (_, at) => `  if (parts === 1 && total === ${at}) return [${at}];\n`).join("")}${RIGHT}`,
      ),
    twin: (work) =>
      withBody(
        work,
        `  checkTotal(total);
  checkParts(parts);
  return Array.from({ length: parts }, (_, index) => shareAt(index, total, parts));
`,
        `function checkTotal(total: number): void {
  if (!Number.isSafeInteger(total) || total < 0) throw new BadSplit(\`no weight: \${total}\`);
}

function checkParts(parts: number): void {
  if (Number.isInteger(parts) && parts >= 1 && parts <= 1000) return;
  throw new BadSplit(\`no number of parts: \${parts}\`);
}

function shareAt(index: number, total: number, parts: number): number {
  return Math.floor(total / parts) + oneMore(index < total % parts);
}

function oneMore(isLarger: boolean): number {
  return isLarger ? 1 : 0;
}
`,
      ),
  },
  {
    name: "oversized-module",
    does: "hands in more code than anybody can judge",
    twinDoes: "hands in a module with long comments that can still be read",
    refusedBy: ["harness"],
    cheat: (work) => edited(work, CODE, ["/** Thrown", `${commentOf(6000)}\n/** Thrown`]),
    twin: (work) => edited(work, CODE, ["/** Thrown", `${commentOf(100)}\n/** Thrown`]),
  },
  {
    name: "padded-mutants",
    does: "adds code that nobody could notice a change of",
    twinDoes: "adds code that its tests notice and that its result needs",
    refusedBy: ["mutation"],
    cheat: (work) =>
      edited(work, CODE, ["Math.floor(total / parts)", `Math.floor((total${" * 1".repeat(14)}) / parts)`]),
    twin: (work) =>
      withBody(
        work,
        `${GUARDS}  const share = Math.floor(total / parts);
  const more = Array.from({ length: total % parts }, () => share + 1);
  const others = Array.from({ length: parts - more.length }, () => share);
  return [...more, ...others];
`,
      ),
  },
  {
    name: "hidden-from-gates",
    does: "tells coverage and mutation to overlook what is not tested",
    twinDoes: "speaks of coverage in a comment",
    refusedBy: ["static"],
    cheat: (work) =>
      withBody(
        work,
        `${GUARDS}  /* v8 ignore next */\n  // Stryker disable next-line all\n  if (total === 4711) return [];\n${RIGHT}`,
      ),
    twin: (work) =>
      withBody(
        work,
        `${GUARDS}  // Nothing here may be ignored: v8 counts every line, and Stryker is not disabled.\n${RIGHT}`,
      ),
  },
  {
    name: "code-from-text",
    does: "makes its code from a text while it runs",
    twinDoes: "makes a value from a text",
    refusedBy: ["static"],
    cheat: (work) =>
      withBody(
        work,
        `${GUARDS}  const larger = Number(Reflect.construct(Function, ["a", "b", "return a % b"])(total, parts));\n${RIGHT.replace("  const larger = total % parts;\n", "")}`,
      ),
    twin: (work) =>
      withBody(
        work,
        `${GUARDS}  const larger = Number(JSON.stringify(total % parts));\n${RIGHT.replace("  const larger = total % parts;\n", "")}`,
      ),
  },
]);

function commentOf(lines: number): string {
  const line =
    "// This line says nothing that anybody needs to know about shares, grams, parts or anything else.\n";
  return line.repeat(lines);
}
