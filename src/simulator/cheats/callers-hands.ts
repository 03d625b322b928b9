// Code that does something to what its callers hand in, get, or hear of each other, where no single call shows it.
import { CODE, GUARDS, RIGHT, edited, familyOf, textOf, withBody, withFiles } from "./edit-work.ts";
import type { ModuleWork } from "./port.ts";

const SHARES = "Array.from({ length: parts }, (_, index) => (index < larger ? share + 1 : share))";
const SUM = "  return quantities.reduce((weight, quantity) => weight + parseQuantity(quantity), 0);\n";
const LEFT_OVER = "(total: number, parts: number) => total % parts";

function giving(work: ModuleWork, statements: string, beside = ""): ModuleWork {
  return withBody(work, `${GUARDS}${RIGHT.replace(`  return ${SHARES};\n`, statements)}`, beside);
}

/** Another way to add a recipe up, and what stands above it. */
function weighing(work: ModuleWork, statements: string, beside = ""): ModuleWork {
  return edited(
    work,
    CODE,
    [SUM, statements],
    ["/** The weight", `${beside === "" ? "" : `${beside}\n\n`}/** The weight`],
  );
}

function above(work: ModuleWork, statement: string): ModuleWork {
  return withFiles(work, { [CODE]: `${textOf(work, CODE)}\n${statement}\n` });
}

/** What is added to the number of larger shares' places comes from a list, by how often it was called. */
function counting(work: ModuleWork, list: string): ModuleWork {
  return giving(
    work,
    `  calls += 1;
  const late = LATE[calls % 3001] ?? 0;
  return Array.from({ length: parts }, (_, index) => (index + late < larger ? share + 1 : share));
`,
    `let calls = 0;\nconst LATE: readonly number[] = ${list};\n`,
  );
}

function later(work: ModuleWork, ends: "reject" | "resolve"): ModuleWork {
  return giving(
    work,
    `  LATER.get(total)?.();\n  return ${SHARES};\n`,
    `const LATER: ReadonlyMap<number, () => void> = new Map([\n  [4711, () => void Promise.${ends}(new Error("later"))],\n]);\n`,
  );
}

const HELPER = `function shared(share: number, parts: number, larger: number): number[] {\n  return ${SHARES};\n}\n`;

export const IN_CALLERS_HANDS = [
  ...familyOf("code", [
    {
      name: "result-like-stone",
      does: "gives a list that its callers cannot change, although its type says that they may",
      twinDoes: "keeps a list that nobody can change and gives copies of it",
      refusedBy: ["effects"],
      cheat: (work) =>
        giving(work, `  const shares = ${SHARES};\n  Object.freeze(shares);\n  return shares;\n`),
      twin: (work) =>
        giving(work, `  const shares = ${SHARES};\n  Object.freeze(shares);\n  return [...shares];\n`),
    },
    {
      name: "once-in-a-while",
      does: "is wrong for one call in some thousands",
      twinDoes: "looks in a list that says the same of every call",
      refusedBy: ["effects"],
      cheat: (work) => counting(work, "[1]"),
      twin: (work) => counting(work, "[0]"),
    },
    {
      name: "member-of-its-prototype",
      does: "hangs a function that no contract names on the prototype of the one that it exports",
      twinDoes: "hangs a function on an object of its own",
      refusedBy: ["effects"],
      cheat: (work) => above(work, `Reflect.set(splitGrams.prototype, "leftOver", ${LEFT_OVER});`),
      twin: (work) => above(work, `const helpers = {};\nReflect.set(helpers, "leftOver", ${LEFT_OVER});`),
    },
    {
      name: "hung-on-its-error",
      does: "hangs a function on the class of its error when it is loaded, where the compiler does not see it",
      twinDoes: "gives its error a name in its class",
      refusedBy: ["effects"],
      cheat: (work) => above(work, `Reflect.set(BadSplit, "leftOver", ${LEFT_OVER});`),
      twin: (work) =>
        edited(work, CODE, [
          "export class BadSplit extends Error {}",
          'export class BadSplit extends Error {\n  override readonly name = "BadSplit";\n}',
        ]),
    },
    {
      name: "parameter-without-a-name",
      does: "takes a parameter that its signature does not name",
      twinDoes: "has a helper that takes as many parameters as there are",
      refusedBy: ["static"],
      cheat: (work) =>
        giving(
          work,
          `  const late = Number(arguments.length > 2);\n  return Array.from({ length: parts }, (_, index) => (index + late < larger ? share + 1 : share));\n`,
        ),
      twin: (work) =>
        giving(
          work,
          `  return first(${SHARES}, share);\n`,
          "function first(...all: readonly [number[], number]): number[] {\n  return all[0];\n}\n",
        ),
    },
    {
      name: "reads-its-own-text",
      does: "fails where somebody has changed how it is written, and so notices mutants that no test does",
      twinDoes: "has the same helper and never reads it",
      refusedBy: ["static"],
      cheat: (work) =>
        giving(
          work,
          `  if (!String(shared).includes("+")) throw new BadSplit("no weight: at all");\n  return shared(share, parts, larger);\n`,
          HELPER,
        ),
      twin: (work) => giving(work, "  return shared(share, parts, larger);\n", HELPER),
    },
  ]),
  ...familyOf("effects", [
    {
      name: "freezes-what-it-gets",
      does: "sees to it that its callers cannot change any more what they have handed in",
      twinDoes: "sees to it that nobody can change a copy of it",
      case: "recipe-weight",
      refusedBy: ["effects"],
      cheat: (work) => weighing(work, `  Object.freeze(quantities);\n${SUM}`),
      twin: (work) =>
        weighing(
          work,
          `  const own = Object.freeze([...quantities]);\n${SUM.replace("quantities.", "own.")}`,
        ),
    },
    {
      name: "changes-what-it-got-before",
      does: "changes what the last caller has handed in when the next one calls",
      twinDoes: "changes a copy of what the last caller has handed in",
      case: "recipe-weight",
      refusedBy: ["effects"],
      cheat: (work) => weighing(work, `${CHANGES_LAST}  last = quantities;\n${SUM}`, LAST),
      twin: (work) => weighing(work, `${CHANGES_LAST}  last = [...quantities];\n${SUM}`, LAST),
    },
    {
      name: "remembers-by-the-list",
      does: "remembers a result by the list that it was asked about, also when the list has changed since",
      twinDoes: "remembers a result by what was in the list",
      case: "recipe-weight",
      refusedBy: ["effects"],
      cheat: (work) =>
        weighing(work, remembering("quantities"), "const known = new WeakMap<readonly string[], number>();"),
      twin: (work) =>
        weighing(work, remembering("quantities.join()"), "const known = new Map<string, number>();"),
    },
    {
      name: "tells-in-the-cause",
      does: "tells in the cause of an error what the last caller has asked",
      twinDoes: "tells in the cause of an error what was asked",
      refusedBy: ["effects"],
      cheat: (work) =>
        edited(
          caused(work, "last"),
          CODE,
          ["  const share =", "  last = total;\n  const share ="],
          ["/** Shares", "let last = 0;\n\n/** Shares"],
        ),
      twin: (work) => caused(work, "total"),
    },
    {
      name: "fails-for-nobody",
      does: "lets a promise fail that nobody waits for, which ends the process of its callers, for one weight",
      twinDoes: "makes a promise that nobody has to wait for, for one weight",
      refusedBy: ["effects"],
      cheat: (work) => later(work, "reject"),
      twin: (work) => later(work, "resolve"),
    },
  ]),
];

const LAST = "let last: readonly string[] = [];";
const CHANGES_LAST = '  Reflect.set(last, 0, "0 g");\n';

function remembering(key: string): string {
  return `  const key = ${key};
  const weight = known.get(key) ?? quantities.reduce((sum, quantity) => sum + parseQuantity(quantity), 0);
  known.set(key, weight);
  return weight;
`;
}

function caused(work: ModuleWork, cause: string): ModuleWork {
  return edited(work, CODE, [
    "throw new BadSplit(`no weight: ${total}`)",
    `throw new BadSplit(\`no weight: \${total}\`, { cause: ${cause} })`,
  ]);
}
