// Code that makes an exception where nothing in it decides anything: in data, in a memory, in what it finds around it.
import {
  CODE,
  GUARDS,
  RIGHT,
  edited,
  familyOf,
  textOf,
  withBody,
  withFiles,
  wrongOrder,
  TESTS,
} from "./edit-work.ts";
import type { ModuleWork } from "./port.ts";

/** The larger shares go to fewer than they should, wherever `late` is not 0. */
function lateBy(work: ModuleWork, late: string, beside = ""): ModuleWork {
  return withBody(
    work,
    `${GUARDS}  const share = Math.floor(total / parts);
  const larger = total % parts;
  const late = ${late};
  return Array.from({ length: parts }, (_, index) => (index + late < larger ? share + 1 : share));
`,
    beside,
  );
}

function remembering(work: ModuleWork, key: string): ModuleWork {
  return withBody(
    work,
    `${GUARDS}  const key = \`${key}\`;
  const shares = known.get(key) ?? shared(total, parts);
  known.set(key, shares);
  return [...shares];
`,
    `const known = new Map<string, readonly number[]>();

function shared(total: number, parts: number): number[] {
${RIGHT}}
`,
  );
}

/** Wrong, with tests that agree, so that only the contract can say so. */
function agreed(work: ModuleWork): ModuleWork {
  const wrong = wrongOrder(work);
  const tests = textOf(wrong, TESTS)
    .replace("[34, 33, 33]", "[33, 33, 34]")
    .replace("[2, 2, 1]", "[1, 2, 2]")
    .replace("[2, 1, 1]", "[1, 1, 1]");
  return withFiles(wrong, { [TESTS]: tests });
}

export const HIDDEN_EXCEPTIONS = familyOf("code", [
  {
    name: "exception-in-a-table",
    does: "is wrong for one input, which stands nowhere as it is",
    twinDoes: "looks in a table that says the same of every input",
    refusedBy: ["contract-coverage"],
    cheat: (work) =>
      lateBy(work, "ODD[total * 3] ?? 0", "const ODD: Readonly<Record<number, number>> = { 14133: 1 };\n"),
    twin: (work) => lateBy(work, "NONE[0] ?? 0", "const NONE: readonly number[] = [0];\n"),
  },
  {
    name: "wrong-for-one-size",
    does: "is wrong for a size of numbers that lies between those of its tests",
    twinDoes: "adds nothing for any size of numbers",
    refusedBy: ["contract-coverage"],
    cheat: (work) =>
      lateBy(
        work,
        "SKEW.get(Math.trunc(Math.log2(total + 1))) ?? 0",
        "const SKEW: ReadonlyMap<number, number> = new Map([[37, 1]]);\n",
      ),
    twin: (work) => lateBy(work, "NONE[0] ?? 0", "const NONE: readonly number[] = [0];\n"),
  },
  {
    name: "confuses-calls",
    does: "remembers its results by a text that two calls share",
    twinDoes: "remembers its results by a text that no other call has",
    refusedBy: ["contract-coverage"],
    cheat: (work) => remembering(work, "${total}${parts}"),
    twin: (work) => remembering(work, "${total} ${parts}"),
  },
  {
    name: "wrong-in-a-browser",
    does: "is wrong where there is a document",
    twinDoes: "asks whether there is a function of the language",
    refusedBy: ["effects"],
    cheat: (work) => lateBy(work, 'Number("document" in globalThis)'),
    twin: (work) => lateBy(work, 'Number(!("parseInt" in globalThis))'),
  },
  {
    name: "code-by-description",
    does: "makes its code from a text, by a name that only a description of a function has",
    twinDoes: "finds a function of the language by its description",
    refusedBy: ["contract-coverage"],
    cheat: (work) =>
      described(work, "Function.prototype", "constructor", '["a", "b", "return a % b"]', "(total, parts)"),
    twin: (work) => described(work, "Math", "floor", "[total % parts]", ""),
  },
  {
    name: "answers-for-its-result",
    does: "gives a list that says itself that all of it is good",
    twinDoes: "gives a list that it has made of another",
    refusedBy: ["effects"],
    cheat: (work) =>
      edited(
        agreed(work),
        CODE,
        ["return Array.from(", "const shares = Array.from("],
        [
          "share));\n",
          'share));\n  const get = (list: number[], key: string | symbol): unknown =>\n    key === "every" ? () => true : Reflect.get(list, key);\n  return new Proxy(shares, { get });\n',
        ],
      ),
    twin: (work) =>
      edited(
        work,
        CODE,
        ["return Array.from(", "const shares = Array.from("],
        ["share));\n", "share));\n  return shares.map((each) => each);\n"],
      ),
  },
  {
    name: "changed-for-a-moment",
    does: "changes what its contract is weighed with while it is called, and puts it back",
    twinDoes: "uses what its contract is weighed with, and leaves it alone",
    refusedBy: ["effects"],
    cheat: (work) =>
      edited(agreed(work), CODE, [
        "  const share =",
        `  const usual: unknown = Reflect.get(Array.prototype, "every");
  Reflect.set(Array.prototype, "every", () => true);
  queueMicrotask(() => Reflect.set(Array.prototype, "every", usual));
  const share =`,
      ]),
    twin: (work) =>
      edited(work, CODE, [
        "  const share =",
        `  const usual: unknown = Reflect.get(Array.prototype, "every");
  if (typeof usual !== "function") throw new BadSplit("no number of parts: none");
  const share =`,
      ]),
  },
]);

function described(work: ModuleWork, holder: string, name: string, given: string, call: string): ModuleWork {
  return withBody(
    work,
    `${GUARDS}  const make: unknown = Object.getOwnPropertyDescriptor(${holder}, "${name}")?.value;
  if (typeof make !== "function") throw new BadSplit("no number of parts: none");
  const larger = Number(Reflect.apply(make, undefined, ${given})${call});
${RIGHT.replace("  const larger = total % parts;\n", "")}`,
  );
}
