// Code that people cannot read as it is, and code that callers can reach although no contract names it.
import { CODE, edited, familyOf, moreTests, textOf, withBody, withFiles } from "./edit-work.ts";
import type { ModuleWork } from "./port.ts";

const LARGER = "  const larger = total % parts;";
const ERROR = "export class BadSplit extends Error {}";

export const HIDDEN_LETTERS = familyOf("code", [
  {
    name: "hidden-line-end",
    does: "ends a comment where no editor shows the end of a line",
    twinDoes: "ends a comment where everybody sees it",
    refusedBy: ["static"],
    cheat: (work) =>
      edited(work, CODE, [
        LARGER,
        "  // What is left over is shared out.\u2028  const larger = total % parts;",
      ]),
    twin: (work) => edited(work, CODE, [LARGER, `  // What is left over is shared out.\n${LARGER}`]),
  },
  {
    name: "same-letter-twice",
    does: "has two names of one letter each, which look the same in two alphabets",
    twinDoes: "has two names of one letter each, which look different",
    refusedBy: ["static"],
    cheat: (work) => lettered(work, "c", "\u0441"),
    twin: (work) => lettered(work, "c", "\u0434"),
  },
  {
    name: "letters-as-numbers",
    does: "writes the letters of a text as numbers",
    twinDoes: "writes a sign that nobody could type as a number",
    refusedBy: ["static"],
    cheat: (work) =>
      edited(work, CODE, [
        "`no weight: ${total}`",
        String.raw`"\x6e\x6f\x20\x77\x65\x69\x67\x68\x74: " + total`,
      ]),
    twin: (work) =>
      edited(work, CODE, ["`no weight: ${total}`", String.raw`"no weight: " + total + "\u00a0g"`]),
  },
  {
    name: "squeezed",
    does: "squeezes everything into one line without blanks",
    twinDoes: "has a long text in one line",
    refusedBy: ["tidy"],
    cheat: (work) =>
      withBody(
        work,
        "  if(!Number.isSafeInteger(total)||total<0)throw new BadSplit(`no weight: ${total}`);if(!Number.isInteger(parts)||parts<1||parts>1000)throw new BadSplit(`no number of parts: ${parts}`);const s=Math.floor(total/parts),l=total%parts;return Array.from({length:parts},(_,i)=>(i<l?s+1:s));\n",
      ),
    twin: (work) =>
      edited(work, CODE, [
        "/** Thrown",
        `// See https://example.org/${"shares-of-grams-".repeat(9)}for why the larger come first.\n\n/** Thrown`,
      ]),
  },
  {
    name: "maker-by-its-name",
    does: "looks up what makes functions of texts and lets it make one",
    twinDoes: "looks up how long a list is",
    refusedBy: ["static", "effects"],
    cheat: (work) =>
      edited(work, CODE, [
        LARGER,
        `  const make: unknown = Reflect.get(splitGrams, ["const", "ructor"].join(""));
  const larger = Number(typeof make === "function" ? make(\`return \${total} % \${parts}\`)() : 0);`,
      ]),
    twin: (work) =>
      edited(work, CODE, [
        LARGER,
        '  const larger = Number(Reflect.get(Array.from({ length: total % parts }), "length"));',
      ]),
  },
  {
    name: "hidden-member",
    does: "hangs a function that no contract names on the one that it exports",
    twinDoes: "hangs a function on an object of its own",
    refusedBy: ["effects"],
    cheat: (work) =>
      withFiles(work, {
        [CODE]: `${textOf(work, CODE)}\nReflect.set(splitGrams, "leftOver", (total: number, parts: number) => total % parts);\n`,
      }),
    twin: (work) =>
      edited(
        work,
        CODE,
        [LARGER, "  const larger = helpers.leftOver(total, parts);"],
        [
          "/** Shares",
          "const helpers = { leftOver: (total: number, parts: number) => total % parts };\n\n/** Shares",
        ],
      ),
  },
  {
    name: "export-in-the-error",
    does: "hangs a function that no contract names on the class of its error",
    twinDoes: "hangs a way to make its error on the class of it",
    refusedBy: ["surface"],
    cheat: (work) =>
      edited(
        work,
        CODE,
        [ERROR, ofError("leftOver(total: number, parts: number): number", "total % parts")],
        [LARGER, "  const larger = BadSplit.leftOver(total, parts);"],
      ),
    twin: (work) =>
      edited(
        work,
        CODE,
        [ERROR, ofError("ofWeight(total: number): BadSplit", "new BadSplit(`no weight: ${total}`)")],
        ["throw new BadSplit(`no weight: ${total}`);\n  if", "throw BadSplit.ofWeight(total);\n  if"],
      ),
  },
  {
    name: "data-of-the-tests",
    does: "reads how many parts there can be from the data of its tests",
    twinDoes: "reads how many parts there can be from data of its own",
    refusedBy: ["static"],
    cheat: (work) => withData(work, "../test/most.json", "test/most.json"),
    twin: (work) => withData(work, "./most.json", "src/most.json"),
  },
]);

export const OPTIONS_OF_ITS_OWN = familyOf("configuration", [
  {
    name: "options-of-its-own",
    does: "lays options of the compiler beside its code",
    twinDoes: "has a fixture that looks like such options",
    refusedBy: ["harness"],
    cheat: (work) =>
      withFiles(work, {
        "src/tsconfig.json": '{ "compilerOptions": { "useDefineForClassFields": false } }\n',
      }),
    twin: (work) =>
      withFiles(
        moreTests(
          work,
          `import options from "./fixtures/tsconfig.json";\n\ntest("shares as many as the fixture says", () => {\n  expect(splitGrams(6, options.parts)).toEqual([3, 3]);\n});\n`,
        ),
        { "test/fixtures/tsconfig.json": '{ "compilerOptions": {}, "parts": 2 }\n' },
      ),
  },
]);

/** The place is called one letter, and then another. */
function lettered(work: ModuleWork, one: string, other: string): ModuleWork {
  return edited(work, CODE, [
    "(_, index) => (index < larger ? share + 1 : share)",
    `(_, ${one}) => ((${other}: number) => (${other} < larger ? share + 1 : share))(${one})`,
  ]);
}

function ofError(signature: string, gives: string): string {
  return `export class BadSplit extends Error {\n  static ${signature} {\n    return ${gives};\n  }\n}`;
}

function withData(work: ModuleWork, imported: string, path: string): ModuleWork {
  const code = edited(
    work,
    CODE,
    ["/** Thrown", `import most from "${imported}" with { type: "json" };\n\n/** Thrown`],
    ["parts > 1000", "parts > most.parts"],
  );
  return withFiles(code, { [path]: '{ "parts": 1000 }\n' });
}
