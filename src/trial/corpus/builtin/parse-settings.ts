// Builtin task: reads settings in sections from lines of text.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/parse-settings.ts";

export const PARSE_SETTINGS = builtinTask({
  id: "parse-settings",
  area: "parsing",
  title: "Read settings in sections",
  purpose: "Reads lines of settings, sections and remarks, and gives the settings with their sections.",
  tags: ["settings", "sections"],
  entries: [
    {
      entry: "parseSettings",
      signature: "(text: string) => { section: string; key: string; value: string }[]",
      inputs: [
        {
          name: "text",
          type: "string",
          constraint: "has only blank lines, remarks, sections and settings",
          requires: String.raw`args[0].split("\n").map((line) => line.trim()).every((line) => line === "" || line.startsWith("#") || (line.startsWith("[") && line.endsWith("]")) || line.indexOf("=") > 0)`,
        },
      ],
      output: {
        name: "settings",
        type: "{ section: string; key: string; value: string }[]",
        invariants: [
          {
            invariant: "has no key twice in a section, and none that is empty",
            ensures:
              'result.every((one, at) => one.key !== "" && result.findIndex((each) => each.section === one.section && each.key === one.key) === at)',
          },
        ],
      },
      errors: [{ name: "BadLine", when: "a line is none of these", says: "line " }],
      examples: [
        {
          title: "a section",
          args: [String.raw`"[oven]\nheat = 200"`],
          gives: '[{ "section": "oven", "key": "heat", "value": "200" }]',
        },
        { title: "an empty text", args: ['""'], gives: "[]" },
        { title: "a line that is none", args: [String.raw`"# all\nheat"`], throws: "BadLine: line 2: heat" },
      ],
    },
  ],
  constraints: {
    C1: "`key = value` is a setting; blanks around the line, the key and the value do not count.",
    C2: "`[name]` begins a section, which holds until the next one; before the first one the section is empty.",
    C3: "Blank lines and lines that begin with `#` are passed over.",
    C4: "The first equals sign ends the key; the value may hold others, and may be empty.",
    C5: "A key set twice in a section keeps the last value, at the place of the first; in two sections it is two settings.",
    C6: "Any other line, also one without a key, throws BadLine: `line `, its number from 1, `: ` and the trimmed line.",
  },
  source: String.raw`/** Thrown when a line is neither blank, a remark, a section nor a setting. */
export class BadLine extends Error {}

/** The settings of a text with the sections they stand in. */
export function parseSettings(text: string): { section: string; key: string; value: string }[] {
  const settings = new Map<string, { section: string; key: string; value: string }>();
  let section = "";
  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.trim();
    const at = line.indexOf("=");
    if (line === "" || line.startsWith("#")) continue;
    if (line.startsWith("[") && line.endsWith("]")) section = line.slice(1, -1).trim();
    else if (at < 1) throw new BadLine("line " + (index + 1) + ": " + line);
    else {
      const key = line.slice(0, at).trim();
      settings.set(section + "\n" + key, { section, key, value: line.slice(at + 1).trim() });
    }
  }
  return [...settings.values()];
}
`,
  tests: String.raw`
// C1: a line is a key and a value
expect(parseSettings("  heat =  200 C ")).toEqual([{ section: "", key: "heat", value: "200 C" }]);

// C1: any settings come back
const word = fc.stringMatching(/^[a-z]{1,8}$/);
fc.assert(
  fc.property(fc.uniqueArray(word), (keys) => {
    const text = keys.map((key) => key + "=" + key.length).join("\n");
    const expected = keys.map((key) => ({ section: "", key, value: String(key.length) }));
    expect(parseSettings(text)).toEqual(expected);
  }),
);

// C2: a section holds until the next one
const text = "a=0\n [one] \na=1\nb=2\n[ two ]\na=3";
const found = parseSettings(text).map(({ section, key, value }) => section + "/" + key + "=" + value);
expect(found).toEqual(["/a=0", "one/a=1", "one/b=2", "two/a=3"]);

// C3: blank lines and remarks are passed over
expect(parseSettings("")).toEqual([]);
expect(parseSettings("# a=1\n\n  # [b]\n \nc=1")).toEqual([{ section: "", key: "c", value: "1" }]);

// C4: the first equals sign ends the key
expect(parseSettings("a=b=c\nd=")).toEqual([
  { section: "", key: "a", value: "b=c" },
  { section: "", key: "d", value: "" },
]);

// C5: the last value of a key stands at its first place
const kept = parseSettings("a=1\nb=2\na=3\n[s]\na=4").map(({ section, key, value }) => section + key + value);
expect(kept).toEqual(["a3", "b2", "sa4"]);

// C6: any other line is refused
for (const line of ["heat", "=1", "[open", "shut]"]) expect(() => parseSettings(line)).toThrow(BadLine);
expect(() => parseSettings("a=1\n\n  heat ")).toThrow("line 3: heat");
`,
  wrongTests: String.raw`
// C5: the first value of a key stays
expect(parseSettings("a=1\na=2")).toEqual([{ section: "", key: "a", value: "1" }]);

// C6: lines are counted from 0
expect(() => parseSettings("heat")).toThrow("line 0: heat");
`,
  omissions: String.raw`
// C3: missing-edge-case
-     if (line === "" || line.startsWith("#")) continue;
+     if (line === "") continue;
// C6: wrong-boundary
-     else if (at < 1) throw new BadLine("line " + (index + 1) + ": " + line);
+     else if (at < 0) throw new BadLine("line " + (index + 1) + ": " + line);
// C6: wrong-boundary
-     else if (at < 1) throw new BadLine("line " + (index + 1) + ": " + line);
+     else if (at < 1) throw new BadLine("line " + index + ": " + line);
// C5: ignored-constraint
-       settings.set(section + "\n" + key, { section, key, value: line.slice(at + 1).trim() });
+       settings.set(key, { section, key, value: line.slice(at + 1).trim() });
// C1: swapped-arguments
-       settings.set(section + "\n" + key, { section, key, value: line.slice(at + 1).trim() });
+       settings.set(section + "\n" + key, { section, key: line.slice(at + 1).trim(), value: key });
// C6: missing-error-surface
-     else if (at < 1) throw new BadLine("line " + (index + 1) + ": " + line);
// C4: missing-edge-case
-     const at = line.indexOf("=");
+     const at = line.lastIndexOf("=");
`,
  oracle: ORACLE,
});
