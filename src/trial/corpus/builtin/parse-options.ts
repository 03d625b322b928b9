// Builtin task: reads options written as key=value between semicolons.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/parse-options.ts";

export const PARSE_OPTIONS = builtinTask({
  id: "parse-options",
  area: "parsing",
  title: "Read options",
  purpose: "Reads options such as `size=10; Colour=red` and gives pairs of key and value.",
  tags: ["options", "pairs"],
  entries: [
    {
      entry: "parseOptions",
      signature: "(text: string) => [string, string][]",
      inputs: [
        {
          name: "text",
          type: "string",
          constraint: "has a key before an equals sign in every part that is not blank",
          requires: String.raw`args[0].split(";").every((part) => part.trim() === "" || /^\s*[^=\s][^=]*=/.test(part))`,
        },
      ],
      output: {
        name: "options",
        type: "[string, string][]",
        invariants: [
          {
            invariant: "has keys in lower case that are not empty and values without blanks around them",
            ensures:
              'result.every((pair) => pair[0] !== "" && pair[0] === pair[0].toLowerCase() && pair[1] === pair[1].trim())',
          },
        ],
      },
      errors: [
        { name: "BadOption", when: "a part has no key", says: "no key in " },
        { name: "DuplicateKey", when: "a key comes twice", says: "twice: " },
      ],
      examples: [
        {
          title: "two options",
          args: ['"size=10; Colour=red"'],
          gives: '[["size", "10"], ["colour", "red"]]',
        },
        { title: "nothing", args: ['""'], gives: "[]" },
        { title: "no equals sign", args: ['"size"'], throws: 'BadOption: no key in "size"' },
        { title: "a key twice", args: ['"a=1;A=2"'], throws: "DuplicateKey: twice: a" },
      ],
    },
  ],
  constraints: {
    C1: "Options are parted by semicolons and given as pairs of key and value, in the order of the text.",
    C2: "Blanks around keys and values do not count, and keys are given in lower case; values stay as they are.",
    C3: "Parts that are blank are passed over, so an empty text has no options.",
    C4: "The first equals sign ends the key; later ones belong to the value, which may be empty.",
    C5: "A part without an equals sign or without a key throws BadOption: `no key in ` and the trimmed part as JSON.",
    C6: "A key that comes twice, whatever its case, throws DuplicateKey: `twice: ` and the key in lower case.",
  },
  source: `/** Thrown when a part has no key. */
export class BadOption extends Error {}

/** Thrown when a key comes twice. */
export class DuplicateKey extends Error {}

/** Pairs of key and value from a text such as "size=10; colour=red". */
export function parseOptions(text: string): [string, string][] {
  const options = new Map<string, string>();
  for (const part of text.split(";").map((each) => each.trim())) {
    if (part === "") continue;
    const at = part.indexOf("=");
    if (at < 1) throw new BadOption("no key in " + JSON.stringify(part));
    const key = part.slice(0, at).trim().toLowerCase();
    if (options.has(key)) throw new DuplicateKey("twice: " + key);
    options.set(key, part.slice(at + 1).trim());
  }
  return [...options];
}
`,
  tests: `
// C1: options come in the order of the text
expect(parseOptions("b=1;a=2;c=3")).toEqual([["b", "1"], ["a", "2"], ["c", "3"]]);

// C1: any options come back
const word = fc.stringMatching(/^[a-z]{1,8}$/);
fc.assert(
  fc.property(fc.uniqueArray(word), (keys) => {
    const text = keys.map((key) => key + "=" + key.length).join(";");
    expect(parseOptions(text)).toEqual(keys.map((key) => [key, String(key.length)]));
  }),
);

// C2: blanks do not count and keys are in lower case
expect(parseOptions("  Size =  10 cm ; COLOUR= Red")).toEqual([["size", "10 cm"], ["colour", "Red"]]);

// C3: blank parts are passed over
expect(parseOptions("")).toEqual([]);
expect(parseOptions(" ;a=1;; ;b=2;")).toEqual([["a", "1"], ["b", "2"]]);

// C4: the first equals sign ends the key
expect(parseOptions("sum=1+1=2")).toEqual([["sum", "1+1=2"]]);
expect(parseOptions("empty=")).toEqual([["empty", ""]]);

// C5: a part without a key is refused
for (const text of ["size", "a=1; size", "=1", " = 1"]) expect(() => parseOptions(text)).toThrow(BadOption);
expect(() => parseOptions("a=1; size ;b=2")).toThrow('no key in "size"');
expect(() => parseOptions("=1")).toThrow('no key in "=1"');

// C6: a key that comes twice is refused
for (const text of ["a=1;a=1", "a=1;b=2;A =3"]) expect(() => parseOptions(text)).toThrow(DuplicateKey);
expect(() => parseOptions("Key=1;KEY=2")).toThrow("twice: key");
`,
  wrongTests: `
// C2: keys are given as they are written
expect(parseOptions("Size=1")).toEqual([["Size", "1"]]);

// C4: only one equals sign is allowed
expect(() => parseOptions("a=b=c")).toThrow(BadOption);

// C6: of two values the last one counts
expect(parseOptions("a=1;a=2")).toEqual([["a", "2"]]);
`,
  omissions: `
// C3: missing-edge-case
-     if (part === "") continue;
// C2: ignored-constraint
-     const key = part.slice(0, at).trim().toLowerCase();
+     const key = part.slice(0, at).trim();
// C5: wrong-boundary
-     if (at < 1) throw new BadOption("no key in " + JSON.stringify(part));
+     if (at < 0) throw new BadOption("no key in " + JSON.stringify(part));
// C6: missing-error-surface
-     if (options.has(key)) throw new DuplicateKey("twice: " + key);
+     if (key === text) throw new DuplicateKey("twice: " + key);
// C4: missing-edge-case
-     const at = part.indexOf("=");
+     const at = part.lastIndexOf("=");
// C1: swapped-arguments
-   return [...options];
+   return [...options].map(([key, value]) => [value, key]);
`,
  oracle: ORACLE,
});
