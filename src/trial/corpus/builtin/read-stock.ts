// Builtin task: adds up what a file says is in stock; it reads a file.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/read-stock.ts";

export const READ_STOCK = builtinTask({
  id: "read-stock",
  area: "effects",
  title: "Read what is in stock",
  purpose: "Reads a file of lines such as `flour 12` and adds up how much there is of each thing.",
  tags: ["file", "stock"],
  entries: [
    {
      entry: "readStock",
      signature: "(path: string) => [string, number][]",
      inputs: [{ name: "path", type: "string", constraint: "is not empty", requires: 'args[0] !== ""' }],
      output: {
        name: "stock",
        type: "[string, number][]",
        invariants: [
          {
            invariant: "has each thing once, with a whole number that is not negative",
            ensures:
              "result.every((pair, at) => Number.isInteger(pair[1]) && pair[1] >= 0 && result.findIndex((each) => each[0] === pair[0]) === at)",
          },
        ],
      },
      errors: [
        {
          name: "BadStock",
          when: "the file cannot be read, or a line in it",
          says: "cannot read ",
        },
      ],
      effects: [{ type: "READ", target: "file", description: "the file of that path is read" }],
      examples: [
        { title: "no file yet", args: ['"/no/such/file"'], gives: "[]" },
        { title: "an empty file", args: ['"/dev/null"'], gives: "[]" },
        { title: "a folder", args: ['"/"'], throws: "BadStock: cannot read /" },
      ],
    },
  ],
  constraints: {
    C1: "A line is the name of a thing, without blanks, one blank and a whole number; blanks around the line do not count.",
    C2: "Numbers of the same thing are added up; things come in the order in which they are met first.",
    C3: "Blank lines, and lines that begin with `#`, are passed over; an empty file has nothing in stock.",
    C4: "A line that is none of these throws BadStock: `cannot read line `, its number from 1, `: ` and the line without blanks around it.",
    C5: "A path that is empty or leads to something that cannot be read, such as a folder, throws BadStock: `cannot read ` and the path; `cause` is the reason.",
    C6: "A file that does not exist has nothing in stock.",
  },
  imports: [
    'import { mkdtempSync, writeFileSync } from "node:fs";',
    'import { tmpdir } from "node:os";',
    'import { join } from "node:path";',
  ],
  source: String.raw`import { existsSync, readFileSync } from "node:fs";

/** Thrown when a file, or a line in it, cannot be read. */
export class BadStock extends Error {}

/** How much there is of each thing, by a file of lines such as "flour 12". */
export function readStock(path: string): [string, number][] {
  const stock = new Map<string, number>();
  for (const [index, raw] of textOf(path).split("\n").entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    if (!/^\S+ \d+$/.test(line)) throw new BadStock("cannot read line " + (index + 1) + ": " + line);
    const [name = "", count] = line.split(" ");
    stock.set(name, (stock.get(name) ?? 0) + Number(count));
  }
  return [...stock];
}

function textOf(path: string): string {
  if (path !== "" && !existsSync(path)) return "";
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new BadStock("cannot read " + path, { cause });
  }
}
`,
  tests: String.raw`
// C1: a line is a thing and a number
const path = join(mkdtempSync(join(tmpdir(), "stock-")), "stock.txt");
writeFileSync(path, "flour 12\n  salt 3 \r\neggs-xl 0\n");
expect(readStock(path)).toEqual([["flour", 12], ["salt", 3], ["eggs-xl", 0]]);

// C2: numbers of the same thing are added up
const path = join(mkdtempSync(join(tmpdir(), "stock-")), "stock.txt");
writeFileSync(path, "salt 1\nflour 2\nsalt 30\nflour 4");
expect(readStock(path)).toEqual([["salt", 31], ["flour", 6]]);

// C2: in whatever file, numbers are added up
const folder = mkdtempSync(join(tmpdir(), "stock-"));
fc.assert(
  fc.property(fc.nat(9999), fc.array(fc.nat(1000), { minLength: 1 }), (name, counts) => {
    const path = join(folder, name + ".txt");
    writeFileSync(path, counts.map((count) => "x " + count).join("\n"));
    expect(readStock(path)).toEqual([["x", counts.reduce((sum, count) => sum + count, 0)]]);
  }),
);

// C3: blank lines and remarks are passed over
const path = join(mkdtempSync(join(tmpdir(), "stock-")), "stock.txt");
writeFileSync(path, "\n# flour 1\n \n  #\nsalt 2\n");
expect(readStock(path)).toEqual([["salt", 2]]);
writeFileSync(path, "");
expect(readStock(path)).toEqual([]);

// C4: any other line is refused
const path = join(mkdtempSync(join(tmpdir(), "stock-")), "stock.txt");
for (const line of ["flour", "flour x", "flour -1", "flour 1.5", "flour  2", "12", "rye flour 2", "flour 2 kg"]) {
  writeFileSync(path, "salt 1\n " + line + " \n");
  expect(() => readStock(path)).toThrow(BadStock);
  expect(() => readStock(path)).toThrow("cannot read line 2: " + line);
}

// C5: what cannot be read is told
const folder = mkdtempSync(join(tmpdir(), "stock-"));
expect(() => readStock(folder)).toThrow(BadStock);
expect(() => readStock(folder)).toThrow("cannot read " + folder);
expect(() => readStock(folder)).toThrow(expect.objectContaining({ cause: expect.objectContaining({ code: "EISDIR" }) }));
expect(() => readStock("")).toThrow(BadStock);

// C6: without a file there is nothing in stock
expect(readStock(join(mkdtempSync(join(tmpdir(), "stock-")), "missing.txt"))).toEqual([]);
`,
  wrongTests: String.raw`
// C2: the last number of a thing counts
const path = join(mkdtempSync(join(tmpdir(), "stock-")), "stock.txt");
writeFileSync(path, "salt 1\nsalt 2");
expect(readStock(path)).toEqual([["salt", 2]]);

// C6: a file that is not there is an error
expect(() => readStock("/no/such/file")).toThrow(BadStock);

// C4: lines are counted without blank ones
const path = join(mkdtempSync(join(tmpdir(), "stock-")), "stock.txt");
writeFileSync(path, "\n\nflour");
expect(() => readStock(path)).toThrow("cannot read line 1: flour");
`,
  omissions: String.raw`
// C3: missing-edge-case
-     if (line === "" || line.startsWith("#")) continue;
+     if (line === "") continue;
// C5: missing-error-surface
-     throw new BadStock("cannot read " + path, { cause });
+     return String(cause).slice(0, 0);
// C6: missing-edge-case
-   if (path !== "" && !existsSync(path)) return "";
+   if (!existsSync("/")) return "";
// C5: wrong-boundary
-   if (path !== "" && !existsSync(path)) return "";
+   if (!existsSync(path)) return "";
// C2: ignored-constraint
-     stock.set(name, (stock.get(name) ?? 0) + Number(count));
+     stock.set(name, Number(count));
// C4: wrong-boundary
-     if (!/^\S+ \d+$/.test(line)) throw new BadStock("cannot read line " + (index + 1) + ": " + line);
+     if (!/^\S+ \d+$/.test(line)) throw new BadStock("cannot read line " + index + ": " + line);
// C4: missing-edge-case
-     if (!/^\S+ \d+$/.test(line)) throw new BadStock("cannot read line " + (index + 1) + ": " + line);
+     if (!/^\S+ \d+/.test(line)) throw new BadStock("cannot read line " + (index + 1) + ": " + line);
// C1: missing-edge-case
-     const line = raw.trim();
+     const line = raw;
// C1: swapped-arguments
-   return [...stock];
+   return [...stock].toReversed();
`,
  oracle: ORACLE,
});
