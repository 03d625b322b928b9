// The modules that a task called harvest grows into, as honest agents would write them: each adds the length of its name to
// what its parts come to. Some of them have a turn of their own.
import { TaskFile } from "../src/domain/task/task-file.ts";
import { example } from "../src/simulator/cases/module-sketch.ts";
import { INVOICE_TASK, sample, type SampleModule } from "./invoice-samples.ts";

/** What is particular about a node. */
export type Turn =
  /** Merges a type, is sent back, and comes again with that type under another name. */
  | "breaks"
  /** Use that type when it is renamed under them. */
  | "follows"
  | "cannot-follow"
  /** Asks what nobody below the root knows. */
  | "asks"
  /** Gives up and is replaced by somebody more able. */
  | "stuck";

export interface Crop {
  name: string;
  turns?: readonly Turn[];
  parts?: readonly Crop[];
}

const ORCHARD: Crop = {
  name: "orchard",
  parts: [
    { name: "apples", turns: ["breaks"] },
    { name: "pears", turns: ["follows"] },
    { name: "plums", turns: ["cannot-follow"] },
  ],
};

/** Thirteen nodes on three levels. */
export const HARVEST: Crop = {
  name: "harvest",
  parts: [
    ORCHARD,
    { name: "field", parts: [{ name: "wheat" }, { name: "rye", turns: ["asks"] }, { name: "oats" }] },
    { name: "garden", parts: [{ name: "beans" }, { name: "peas" }, { name: "kale", turns: ["stuck"] }] },
  ],
};

/** The same in six. */
export const SMALL_HARVEST: Crop = {
  name: "harvest",
  parts: [ORCHARD, { name: "kale", turns: ["asks", "stuck"] }],
};

/** Thirteen in which nothing happens that is not planned. */
export const PLAIN_HARVEST: Crop = plain(HARVEST);

function plain({ name, parts }: Crop): Crop {
  return parts === undefined ? { name } : { name, parts: parts.map(plain) };
}

/** Just what breaks and what follows it. */
export const TINY_HARVEST: Crop = { name: "harvest", parts: (ORCHARD.parts ?? []).slice(0, 2) };

export const HARVEST_TASK = TaskFile.parse({
  ...INVOICE_TASK,
  task_name: "Harvest",
  task_id: "T-billing-invoices-harvest-001",
  description: "Add up what everything has brought.",
  subtasks: ["count each", "add them up"],
  acceptance_criteria: [
    "the first part is counted",
    "the second part is counted",
    "the third part is counted",
  ],
});

/** What each node adds for itself: the length of its name. */
export function gives(crop: Crop, n: number): number {
  const parts = crop.parts ?? [];
  const before = isFollower(crop) ? gives({ name: "apples" }, n) : n;
  return parts.length === 0
    ? before + crop.name.length
    : parts.reduce((sum, part) => sum + gives(part, n), crop.name.length);
}

export function isFollower({ turns = [] }: Crop): boolean {
  return turns.includes("follows") || turns.includes("cannot-follow");
}

export function sourceOf(crop: Crop, type = "Crop"): string {
  const { name, parts = [], turns = [] } = crop;
  const used = isFollower(crop) ? ["apples"] : parts.map((part) => part.name);
  const named = (each: string): string => (isFollower(crop) ? `type ${type}, ${each}` : each);
  const sum = [...parts.map((part) => `${part.name}(n)`), String(name.length)].join(" + ");
  const body = isFollower(crop)
    ? `  const below: ${type} = apples(n);\n  return below + ${name.length};`
    : `  return ${parts.length === 0 ? `n + ${name.length}` : sum};`;
  return [
    ...used.map((each) => `import { ${named(each)} } from "#modules/${each}";\n`),
    used.length > 0 ? "\n" : "",
    turns.includes("breaks") ? `/** How much it is. */\nexport type ${type} = number;\n\n` : "",
    "/** Thrown when the number is not whole. */\nexport class NotWhole extends Error {}\n\n",
    `/** So much more by ${name}. */\nexport function ${name}(n: number): number {\n`,
    `  if (!Number.isSafeInteger(n)) throw new NotWhole("not whole");\n${body}\n}\n`,
  ].join("");
}

function testsOf(crop: Crop): string {
  const { name } = crop;
  const rows = [0, 5, -2].map((n) => `  [${n}, ${gives(crop, n)}],`).join("\n");
  return `import { expect, test } from "vitest";
import { ${name}, NotWhole } from "../src/index.ts";

test.each([
${rows}
])("%d comes to %d", (n, sum) => {
  expect(${name}(n)).toBe(sum);
});

test("halves are refused", () => {
  expect(() => ${name}(0.5)).toThrow(NotWhole);
  expect(() => ${name}(0.5)).toThrow("not whole");
});
`;
}

export function usesOthers(crop: Crop): boolean {
  return isFollower(crop) || crop.parts !== undefined;
}

function togetherOf(crop: Crop): string {
  return `import { expect, test } from "vitest";
import { ${crop.name} } from "../src/index.ts";

test("with what it uses it comes to more", () => {
  expect(${crop.name}(7)).toBe(${gives(crop, 7)});
});
`;
}

export function moduleOf(crop: Crop, above: readonly Crop[]): SampleModule {
  const { name } = crop;
  return sample({
    name,
    purpose: above.length === 0 ? HARVEST_TASK.description : `Counts ${name}.`,
    tags: ["harvest"],
    entry: name,
    signature: "(n: number) => number",
    inputs: [
      { name: "n", type: "number", constraint: "is whole", requires: "Number.isSafeInteger(args[0])" },
    ],
    output: { name: "sum", type: "number", invariant: "is whole", ensures: "Number.isInteger(result)" },
    error: { name: "NotWhole", when: "the number is not whole", throws: 'error.message === "not whole"' },
    files: {
      "src/index.ts": sourceOf(crop),
      [`test/${name}.test.ts`]: testsOf(crop),
      ...(usesOthers(crop) ? { [`test/${name}.integration.test.ts`]: togetherOf(crop) } : {}),
      "examples.md": [
        example(name, name, "a number", `${name}(1)`, "json", String(gives(crop, 1))),
        example(name, name, "a half", `${name}(0.5)`, "error", "NotWhole: not whole"),
      ].join("\n"),
    },
  });
}
