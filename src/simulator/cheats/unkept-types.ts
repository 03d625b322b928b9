// Promises about types that nothing behind them keeps: the compiler believes them and looks no further.
import { CODE, GUARDS, RIGHT, edited, familyOf, textOf, withBody, withFiles } from "./edit-work.ts";
import type { ModuleWork } from "./port.ts";

const SHARES = "Array.from({ length: parts }, (_, index) => (index < larger ? share + 1 : share))";

/** Gives the shares another way. */
function giving(work: ModuleWork, statements: string, beside = ""): ModuleWork {
  return withBody(work, `${GUARDS}${RIGHT.replace(`  return ${SHARES};\n`, statements)}`, beside);
}

export const UNKEPT_TYPES = familyOf("types", [
  {
    name: "cast-of-the-unknown",
    does: "says of a value what it is without a look at it",
    twinDoes: "looks at a value of which it knows nothing",
    refusedBy: ["static"],
    cheat: (work) => giving(work, `  const shares: unknown = ${SHARES};\n  return shares as number[];\n`),
    twin: (work) =>
      giving(
        work,
        `  const shares: unknown = ${SHARES};\n  return Array.isArray(shares) ? shares.map(Number) : [];\n`,
      ),
  },
  {
    name: "cast-by-a-helper",
    does: "has a helper that makes any value one of any type",
    twinDoes: "has a helper that gives back what it takes, whatever its type",
    refusedBy: ["static"],
    cheat: (work) =>
      giving(
        work,
        `  return trusted(${SHARES});\n`,
        "function trusted<T>(value: unknown): T {\n  return value as T;\n}\n",
      ),
    twin: (work) =>
      giving(work, `  return same(${SHARES});\n`, "function same<T>(value: T): T {\n  return value;\n}\n"),
  },
  {
    name: "text-at-its-word",
    does: "takes what it reads from a text for what it should be",
    twinDoes: "makes what it should be of what it reads from a text",
    refusedBy: ["static"],
    cheat: (work) =>
      giving(work, `  const text = "[" + ${SHARES}.join(",") + "]";\n  return JSON.parse(text);\n`),
    twin: (work) =>
      giving(
        work,
        `  const text = JSON.stringify(${SHARES});\n  return text.slice(1, -1).split(",").map(Number);\n`,
      ),
  },
  {
    name: "assertion-of-nothing",
    does: "has an assertion about a type that never fails",
    twinDoes: "has a question about a type that looks at the value",
    refusedBy: ["static"],
    cheat: (work) =>
      giving(
        work,
        `  const shares: unknown = ${SHARES};\n  trust(shares);\n  return shares;\n`,
        "function trust(value: unknown): asserts value is number[] {}\n",
      ),
    twin: (work) =>
      giving(
        work,
        `  const shares: unknown[] = ${SHARES};\n  return shares.filter(isNumber);\n`,
        "function isNumber(value: unknown): value is number {\n  return Number.isInteger(value);\n}\n",
      ),
  },
  {
    name: "overloads-that-promise",
    does: "promises in overloads what their implementation does not know",
    twinDoes: "has overloads whose implementation gives what they promise",
    refusedBy: ["static"],
    cheat: (work) => withBody(work, `${GUARDS}  return shared(total, parts);\n`, overloaded("unknown")),
    twin: (work) => withBody(work, `${GUARDS}  return shared(total, parts);\n`, overloaded("number[]")),
  },
  {
    name: "types-for-everybody",
    does: "declares a member of all lists for everybody who imports it",
    twinDoes: "declares a type of lists of its own",
    refusedBy: ["static"],
    cheat: (work) =>
      withFiles(work, {
        [CODE]: `${textOf(work, CODE)}\ndeclare global {\n  interface Array<T> {\n    shareOf(part: number): T;\n  }\n}\n`,
      }),
    twin: (work) =>
      edited(giving(work, `  const shares: Shares = ${SHARES};\n  return [...shares];\n`), CODE, [
        "/** Shares",
        "interface Shares extends ReadonlyArray<number> {\n  readonly length: number;\n}\n\n/** Shares",
      ]),
  },
]);

function overloaded(gives: string): string {
  return `function shared(total: number, parts: number): number[];
function shared(total: number, parts: number): ${gives} {
${RIGHT}}
`;
}
