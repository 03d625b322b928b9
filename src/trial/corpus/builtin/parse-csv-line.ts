// Builtin task: reads one line of comma-separated fields with quotes.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/parse-csv-line.ts";

export const PARSE_CSV_LINE = builtinTask({
  id: "parse-csv-line",
  area: "parsing",
  title: "Read a line of fields",
  purpose: "Splits a line at its commas into fields, of which some may stand in quotes.",
  tags: ["csv", "fields"],
  entries: [
    {
      entry: "parseCsvLine",
      signature: "(line: string) => string[]",
      inputs: [
        {
          name: "line",
          type: "string",
          constraint: "has an even number of quotes",
          requires: `args[0].split('"').length % 2 === 1`,
        },
      ],
      output: {
        name: "fields",
        type: "string[]",
        invariants: [
          {
            invariant: "has at least one field and at most one more than there are commas",
            ensures: 'result.length >= 1 && result.length <= args[0].split(",").length',
          },
        ],
      },
      errors: [
        {
          name: "OpenQuote",
          when: "a quote is not closed",
          says: "a quote is not closed",
        },
        {
          name: "StrayQuote",
          when: "a quote stands within a field without quotes, or text behind one with quotes",
          says: "a quote is out of place",
        },
      ],
      examples: [
        { title: "a comma in quotes", args: [`'a,"b,c"'`], gives: '["a", "b,c"]' },
        { title: "an empty field", args: ['"a,"'], gives: '["a", ""]' },
        { title: "an open quote", args: [`'a,"b'`], throws: 'OpenQuote: a quote is not closed: a,"b' },
        { title: "a stray quote", args: [`'a"b"'`], throws: 'StrayQuote: a quote is out of place: a"b"' },
      ],
    },
  ],
  constraints: {
    C1: "Fields are parted by commas and given as they are, blanks included.",
    C2: "Between commas, before the first and after the last, a field may be empty; an empty line is one empty field.",
    C3: "A field in quotes is given without them, and commas within it belong to it.",
    C4: "Two quotes in a row within a field in quotes stand for one quote.",
    C5: "A line with an odd number of quotes throws OpenQuote: `a quote is not closed: ` and the line.",
    C6: "Otherwise a quote within a field that does not begin with one, or text behind the closing quote, throws StrayQuote: `a quote is out of place: ` and the line.",
  },
  source: `/** Thrown when a quote is not closed. */
export class OpenQuote extends Error {}

/** Thrown when a quote stands where none may stand. */
export class StrayQuote extends Error {}

/** The fields of a line such as: a,"b,c",d */
export function parseCsvLine(line: string): string[] {
  if (line.split('"').length % 2 === 0) throw new OpenQuote("a quote is not closed: " + line);
  const fields: string[] = [];
  let rest = "," + line;
  while (rest !== "") {
    const field = /^,(?:"((?:[^"]|"")*)"|([^",]*))/.exec(rest);
    if (field === null) throw new StrayQuote("a quote is out of place: " + line);
    const [whole, quoted, plain = ""] = field;
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    rest = rest.slice(whole.length);
  }
  return fields;
}
`,
  tests: `
// C1: fields are parted by commas
expect(parseCsvLine("a,b,c")).toEqual(["a", "b", "c"]);
expect(parseCsvLine(" a , b")).toEqual([" a ", " b"]);

// C1: fields without signs come back
const field = fc.stringMatching(/^[a-z ]{0,6}$/);
fc.assert(
  fc.property(fc.array(field, { minLength: 1, maxLength: 6 }), (fields) => {
    expect(parseCsvLine(fields.join(","))).toEqual(fields);
  }),
);

// C2: a field may be empty
expect(parseCsvLine("")).toEqual([""]);
expect(parseCsvLine(",a,,b,")).toEqual(["", "a", "", "b", ""]);
expect(parseCsvLine('""')).toEqual([""]);

// C3: commas in quotes belong to the field
expect(parseCsvLine('a,"b,c",d')).toEqual(["a", "b,c", "d"]);
expect(parseCsvLine('"a","b"')).toEqual(["a", "b"]);

// C4: two quotes stand for one
expect(parseCsvLine('"say ""yes"" twice",x')).toEqual(['say "yes" twice', "x"]);
expect(parseCsvLine('""""')).toEqual(['"']);

// C5: an odd number of quotes is refused
for (const line of ['"', 'a,"b', '"a""', 'a"b']) expect(() => parseCsvLine(line)).toThrow(OpenQuote);
expect(() => parseCsvLine('x,"')).toThrow('a quote is not closed: x,"');

// C6: a quote out of place is refused
for (const line of ['a"b"', '"a"b', '"a" ,b', ' "a"', 'a,b""']) expect(() => parseCsvLine(line)).toThrow(StrayQuote);
expect(() => parseCsvLine('a"b"')).toThrow('a quote is out of place: a"b"');
`,
  wrongTests: `
// C1: blanks around fields do not count
expect(parseCsvLine("a, b")).toEqual(["a", "b"]);

// C2: an empty line has no fields
expect(parseCsvLine("")).toEqual([]);

// C4: quotes are given as they are written
expect(parseCsvLine('"a""b"')).toEqual(['a""b']);
`,
  omissions: `
// C4: missing-edge-case
-     fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
+     fields.push(quoted === undefined ? plain : quoted);
// C4: missing-edge-case
-     fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
+     fields.push(quoted === undefined ? plain : quoted.replace('""', '"'));
// C5: missing-error-surface
-   if (line.split('"').length % 2 === 0) throw new OpenQuote("a quote is not closed: " + line);
+   if (line === '"') throw new OpenQuote("a quote is not closed: " + line);
// C6: ignored-constraint
-     const field = /^,(?:"((?:[^"]|"")*)"|([^",]*))/.exec(rest);
+     const field = /^,(?:"((?:[^"]|"")*)"|([^,]*))/.exec(rest);
// C2: wrong-boundary
-     const field = /^,(?:"((?:[^"]|"")*)"|([^",]*))/.exec(rest);
+     const field = /^,(?:"((?:[^"]|"")*)"|([^",]+))/.exec(rest);
// C2: missing-edge-case
-   let rest = "," + line;
+   let rest = line === "" ? "" : "," + line;
// C3: swapped-arguments
-     fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
+     fields.push(quoted === undefined || quoted.includes(",") ? plain : quoted.replaceAll('""', '"'));
`,
  oracle: ORACLE,
});
