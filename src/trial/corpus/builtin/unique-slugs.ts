// Builtin task: names for addresses, each of them once.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/unique-slugs.ts";

export const UNIQUE_SLUGS = builtinTask({
  id: "unique-slugs",
  area: "text",
  title: "Names for addresses",
  purpose: "Makes a name for an address of each title, so that no two are the same.",
  tags: ["slug", "address"],
  entries: [
    {
      entry: "uniqueSlugs",
      signature: "(titles: readonly string[]) => string[]",
      inputs: [{ name: "titles", type: "readonly string[]" }],
      output: {
        name: "slugs",
        type: "string[]",
        invariants: [
          {
            invariant: "has one for each title, none twice",
            ensures:
              "result.length === args[0].length && result.every((slug, at) => result.indexOf(slug) === at)",
          },
          {
            invariant: "has only letters a to z and digits, with single hyphens between them",
            ensures: "result.every((slug) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug))",
          },
        ],
      },
      errors: [],
      examples: [
        { title: "two of the same", args: ['["My Day", "My day!"]'], gives: '["my-day", "my-day-2"]' },
        { title: "nothing to make a name of", args: ['["?"]'], gives: '["untitled"]' },
      ],
    },
  ],
  constraints: {
    C1: "Letters become lower case, and whatever is neither a to z nor a digit becomes a hyphen, several in a row only one.",
    C2: "No hyphen stands at the beginning or the end.",
    C3: "A title of which nothing is left is called `untitled`.",
    C4: "A name that is taken gets `-2` at its end, or the lowest number from 2 on that makes it free.",
    C5: "This also holds for titles that already look like that: `a`, `a`, `a 2` are `a`, `a-2`, `a-2-2`.",
  },
  source: `/** A name for an address of each title, each of them once. */
export function uniqueSlugs(titles: readonly string[]): string[] {
  const taken = new Set<string>();
  for (const title of titles) {
    const slug = slugOf(title);
    let free = slug;
    for (let number = 2; taken.has(free); number += 1) free = slug + "-" + number;
    taken.add(free);
  }
  return [...taken];
}

function slugOf(title: string): string {
  const plain = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return plain.replaceAll(/^-|-$/g, "") || "untitled";
}
`,
  tests: `
// C1: letters, digits and single hyphens are left
expect(uniqueSlugs(["Hello, World 42"])).toEqual(["hello-world-42"]);
expect(uniqueSlugs(["a -- b", "A_B c"])).toEqual(["a-b", "a-b-c"]);
expect(uniqueSlugs([])).toEqual([]);

// C2: no hyphen stands at an end
expect(uniqueSlugs(["  (draft)  ", "-x-"])).toEqual(["draft", "x"]);

// C3: what leaves nothing is untitled
expect(uniqueSlugs(["", "...", "?!"])).toEqual(["untitled", "untitled-2", "untitled-3"]);

// C4: what is taken gets a number
expect(uniqueSlugs(["a", "b", "A", "a!"])).toEqual(["a", "b", "a-2", "a-3"]);

// C4: as many names as titles, whatever the titles
fc.assert(
  fc.property(fc.array(fc.constantFrom("a", "A", "a 2", "b", "-", "")), (titles) => {
    const slugs = uniqueSlugs(titles);
    expect(new Set(slugs).size).toBe(titles.length);
    expect(slugs.every((slug) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug))).toBe(true);
  }),
);

// C5: a title may already end in a number
expect(uniqueSlugs(["a", "a", "a 2"])).toEqual(["a", "a-2", "a-2-2"]);
expect(uniqueSlugs(["a 2", "a", "a"])).toEqual(["a-2", "a", "a-3"]);
`,
  wrongTests: `
// C4: the second one gets a 1
expect(uniqueSlugs(["a", "a"])).toEqual(["a", "a-1"]);

// C3: an empty title has an empty name
expect(uniqueSlugs([""])).toEqual([""]);

// C1: signs are left out
expect(uniqueSlugs(["it's"])).toEqual(["its"]);
`,
  omissions: `
// C3: missing-edge-case
-   return plain.replaceAll(/^-|-$/g, "") || "untitled";
+   return plain.replaceAll(/^-|-$/g, "");
// C2: ignored-constraint
-   return plain.replaceAll(/^-|-$/g, "") || "untitled";
+   return plain.replace(/^-/, "") || "untitled";
// C4: wrong-boundary
-     for (let number = 2; taken.has(free); number += 1) free = slug + "-" + number;
+     for (let number = 1; taken.has(free); number += 1) free = slug + "-" + number;
// C5: missing-edge-case
-     for (let number = 2; taken.has(free); number += 1) free = slug + "-" + number;
+     if (taken.has(free)) free = slug + "-" + (titles.slice(0, taken.size).filter((each) => slugOf(each) === slug).length + 1);
// C1: ignored-constraint
-   const plain = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
+   const plain = title.toLowerCase().replaceAll(/[^a-z0-9]/g, "-");
// C4: swapped-arguments
-     for (let number = 2; taken.has(free); number += 1) free = slug + "-" + number;
+     for (let number = 2; taken.has(free); number += 1) free = number + "-" + slug;
`,
  oracle: ORACLE,
});
