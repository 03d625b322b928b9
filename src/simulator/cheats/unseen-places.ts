// Code that is wrong where no test was, or that people read otherwise than the compiler does.
import { CODE, GUARDS, RIGHT, edited, familyOf, withBody } from "./edit-work.ts";
import type { ModuleWork } from "./port.ts";

export const WRONG_ELSEWHERE = familyOf("code", [
  {
    name: "small-numbers-only",
    does: "counts in a way that only small numbers stand, and tests no large ones",
    twinDoes: "counts in another way that all numbers stand",
    // The line: the contract itself says how large its numbers can be.
    refusedBy: ["contract-coverage"],
    cheat: (work) => edited(work, CODE, ["Math.floor(total / parts)", "(total / parts) | 0"]),
    twin: (work) => edited(work, CODE, ["Math.floor(total / parts)", "Math.trunc(total / parts)"]),
  },
  {
    name: "gives-away-its-memory",
    does: "gives its callers the very list that it will give to the next ones",
    twinDoes: "remembers a list and gives its callers copies of it",
    refusedBy: ["effects"],
    cheat: (work) => remembering(work, "shares"),
    twin: (work) => remembering(work, "shares.slice()"),
  },
  {
    name: "turned-text",
    does: "lets a comment run in another direction, so that people read other code",
    twinDoes: "has comments in several languages and alphabets",
    refusedBy: ["static"],
    cheat: (work) =>
      edited(work, CODE, [
        "  const larger =",
        "  // \u202E shares are turned round \u202C\n  const larger =",
      ]),
    twin: (work) =>
      edited(work, CODE, ["  const larger =", "  // grammes à partager, граммы, שלום\n  const larger ="]),
  },
  {
    name: "names-that-look-alike",
    does: "has two names that only the compiler can tell apart",
    twinDoes: "has a name with a letter that English does not have",
    refusedBy: ["static"],
    cheat: (work) =>
      edited(work, CODE, [
        "const larger = total % parts;",
        "const l\u0430rger = total % parts;\n  const larger = l\u0430rger;",
      ]),
    twin: (work) =>
      edited(
        work,
        CODE,
        ["const larger = total % parts;", "const größer = total % parts;"],
        ["index < larger", "index < größer"],
      ),
  },
]);

function remembering(work: ModuleWork, given: string): ModuleWork {
  return withBody(
    work,
    `${GUARDS}  const key = \`\${total}/\${parts}\`;
  const shares = known.get(key) ?? shared(total, parts);
  known.set(key, shares);
  return ${given};
`,
    `const known = new Map<string, number[]>();

function shared(total: number, parts: number): number[] {
${RIGHT}}
`,
  );
}
