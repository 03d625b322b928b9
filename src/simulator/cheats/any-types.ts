// Types that are anything without the word, and promises that only the compiler hears.
import { CODE, GUARDS, RIGHT, edited, familyOf, textOf, withBody, withFiles } from "./edit-work.ts";
import type { ModuleWork } from "./port.ts";

const SHARES = "Array.from({ length: parts }, (_, index) => (index < larger ? share + 1 : share))";

function giving(work: ModuleWork, statements: string, beside = ""): ModuleWork {
  return withBody(work, `${GUARDS}${RIGHT.replace(`  return ${SHARES};\n`, statements)}`, beside);
}

function importing(work: ModuleWork, imports: string): ModuleWork {
  return edited(work, CODE, ["/** Thrown", `${imports}\n\n/** Thrown`]);
}

export const NAMELESS_TYPES = familyOf("types", [
  {
    name: "any-by-another-name",
    does: "takes any from where the language has it, under a name of its own",
    twinDoes: "takes the type of its result from its own function",
    refusedBy: ["static"],
    cheat: (work) =>
      giving(
        work,
        `  const shares: Shares = ${SHARES};\n  return shares;\n`,
        "type Shares = ReturnType<typeof JSON.parse>;\n",
      ),
    twin: (work) =>
      giving(
        work,
        `  const shares: Shares = ${SHARES};\n  return shares;\n`,
        "type Shares = ReturnType<typeof splitGrams>;\n",
      ),
  },
  {
    name: "any-from-a-declaration",
    does: "takes any from a file that only declares",
    twinDoes: "takes a type from a file that only declares",
    refusedBy: ["static"],
    cheat: (work) => declaredIn(work, "any"),
    twin: (work) => declaredIn(work, "readonly number[]"),
  },
  {
    name: "any-by-inference",
    does: "lets the compiler find out by itself that a helper gives anything",
    twinDoes: "lets the compiler find out by itself that a helper gives numbers",
    refusedBy: ["static"],
    cheat: (work) =>
      giving(
        work,
        `  return read(${SHARES}.join(","));\n`,
        "function read(text: string) {\n  return JSON.parse(`[${text}]`);\n}\n",
      ),
    twin: (work) =>
      giving(
        work,
        `  return read(${SHARES}.join(","));\n`,
        'function read(text: string) {\n  return text.split(",").map(Number);\n}\n',
      ),
  },
  {
    name: "only-declared",
    does: "declares a function of the language anew, as one that gives what it should",
    twinDoes: "declares a mark by which a type is told from others",
    refusedBy: ["static"],
    cheat: (work) =>
      giving(
        work,
        `  const shares: unknown = ${SHARES};\n  return structuredClone(shares);\n`,
        "declare function structuredClone(value: unknown): number[];\n",
      ),
    twin: (work) =>
      giving(
        work,
        `  const shares: Shares = ${SHARES};\n  return shares;\n`,
        "declare const mark: unique symbol;\n\ntype Shares = number[] & { readonly [mark]?: true };\n",
      ),
  },
  {
    name: "merged-into-the-error",
    does: "promises a field of its error that nothing sets",
    twinDoes: "has a field in its error and sets it",
    refusedBy: ["static"],
    cheat: (work) =>
      edited(work, CODE, [
        "export class BadSplit extends Error {}",
        "export class BadSplit extends Error {}\n\nexport interface BadSplit {\n  readonly hint: string;\n}",
      ]),
    twin: (work) =>
      edited(work, CODE, [
        "export class BadSplit extends Error {}",
        'export class BadSplit extends Error {\n  override readonly name = "BadSplit";\n}',
      ]),
  },
  {
    name: "cast-by-way-of-object",
    does: "casts a value to the promised type through one that says next to nothing",
    twinDoes: "casts nothing and checks a value against a type",
    refusedBy: ["static"],
    cheat: (work) => giving(work, `  return ${SHARES} as object as number[];\n`),
    twin: (work) => giving(work, `  return ${SHARES} satisfies object satisfies number[];\n`),
  },
  {
    name: "assertion-that-only-calls",
    does: "has an assertion about a type that calls something which never throws",
    twinDoes: "has an assertion about a value that throws",
    refusedBy: ["static"],
    cheat: (work) =>
      giving(
        work,
        `  const shares: unknown = ${SHARES};\n  trust(shares);\n  return shares;\n`,
        "function trust(value: unknown): asserts value is number[] {\n  Boolean(value);\n}\n",
      ),
    twin: (work) => {
      const [ofTotal = "", ofParts = ""] = GUARDS.split("\n");
      return withBody(
        work,
        `  checkTotal(total);\n${ofParts}\n${RIGHT}`,
        `function checkTotal(total: unknown): asserts total is number {\n${ofTotal.replace("total < 0", "Number(total) < 0")}\n}\n`,
      );
    },
  },
]);

function declaredIn(work: ModuleWork, type: string): ModuleWork {
  const shares = giving(work, `  const shares: Shares = ${SHARES};\n  return [...shares];\n`);
  const code = textOf(importing(shares, 'import type { Shares } from "./shares.d.ts";'), CODE);
  return withFiles(work, { [CODE]: code, "src/shares.d.ts": `export type Shares = ${type};\n` });
}
