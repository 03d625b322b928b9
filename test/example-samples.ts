// A module with state, errors of every surface and something printed, and the examples that show all of it.
import { MicroModuleContract } from "../src/domain/contract/contract.ts";

export const SHELF: Readonly<Record<string, string>> = {
  "src/index.ts": `export class FullError extends Error {
  override name = "FullError";
}

export const LIMIT = 3;

const shelf: string[] = [];

/** Puts a book on the shelf and says how many there are. */
export function put(title: string): number {
  if (shelf.length >= LIMIT) throw new FullError(\`no place for \${title}\`);
  shelf.push(title);
  return shelf.length;
}

export function titles(): string[] {
  return [...shelf];
}

export async function find(title: string): Promise<{ kind: "found"; at: number } | { kind: "Missing" }> {
  const at = shelf.indexOf(title);
  await Promise.resolve();
  return at === -1 ? { kind: "Missing" } : { kind: "found", at };
}

export function announce(text: string): void {
  console.log(text.toUpperCase());
}

export class Reader {
  #pages = 0;

  turn(pages: number): this {
    this.#pages += pages;
    return this;
  }

  get page(): number {
    return this.#pages;
  }
}

export function stamp(): string {
  return new Date().toISOString();
}
`,
  "test/shelf.test.ts": `import { expect, test } from "vitest";
import { put } from "../src/index.ts";

test("put", () => {
  expect(put("Emma")).toBe(1);
});
`,
};

const entry = (name: string, signature: string, errors: string[] = [], effects: string[] = []) => ({
  name,
  signature,
  inputs: [],
  outputs: [],
  errors,
  effects,
});

export const SHELF_CONTRACT = MicroModuleContract.parse({
  module_id: "MM-shelf",
  module_version: "1.0.0",
  name: "Book shelf",
  purpose: "Keeps books.",
  tags: [],
  language: "typescript",
  inputs: [],
  outputs: [],
  error_surfaces: [
    { name: "FullError", when: "there is no place", surface: "exception" },
    { name: "Missing", when: "there is no such book", surface: "variant" },
  ],
  effects: [
    { type: "MUTATION", target: "shelf", description: "a book is put there" },
    { type: "WRITE", target: "stdout", description: "the announcement" },
    { type: "CLOCK", target: "now", description: "the time of a stamp" },
  ],
  modes: { sync: true, async: true, notes: "" },
  entry_points: [
    entry("put", "(title: string) => number", ["FullError"], ["MUTATION shelf"]),
    entry("titles", "() => string[]"),
    entry("find", "(title: string) => Promise<{ at: number; kind: 'found' } | { kind: 'Missing' }>", [
      "Missing",
    ]),
    entry("announce", "(text: string) => void", [], ["WRITE stdout"]),
    entry("Reader", "class { new (): Reader; readonly page: number; turn: (pages: number) => Reader }"),
    entry("Reader.turn", "(pages: number) => Reader"),
    entry("LIMIT", "3"),
    entry("stamp", "() => string", [], ["CLOCK now"]),
  ],
  predicates: [],
  error_cases: [],
  dependencies: [],
  packages: [],
  compatibility: { backward_compatible_with: [], breaking_change_policy: "" },
  runtime_budgets: {},
});

export interface Sample {
  heading: string;
  code: string;
  form: string;
  output: string;
}

export function examplesOf(samples: readonly Sample[]): string {
  const fence = "```";
  return samples
    .map(
      ({ heading, code, form, output }) =>
        `## ${heading}\n\nThis is what happens.\n\n${fence}ts\n${code}\n${fence}\n\n${fence}${form}\n${output}\n${fence}\n`,
    )
    .join("\n");
}

export const SHELF_EXAMPLES: readonly Sample[] = [
  {
    heading: "put: the first book",
    code: 'import { put } from "#modules/book-shelf";\nput("Emma");',
    form: "json",
    output: "1",
  },
  {
    heading: "put: a shelf that is full",
    code: 'import { put } from "#modules/book-shelf";\nfor (const title of ["Emma", "Ulysses", "Dune"]) put(title);\nput("Ada");',
    form: "error",
    output: "FullError: no place for Ada",
  },
  {
    heading: "titles: a book more",
    code: 'import { put, titles } from "#modules/book-shelf";\nconst before = titles();\nput("Emma");\n({ before, after: titles() });',
    form: "json",
    output: '{ "before": [], "after": ["Emma"] }',
  },
  {
    heading: "find: a book that is there",
    code: 'import { find, put } from "#modules/book-shelf";\nput("Emma");\nput("Dune");\nawait find("Dune");',
    form: "json",
    output: '{ "kind": "found", "at": 1 }',
  },
  {
    heading: "find: a book that is not there",
    code: 'import { find } from "#modules/book-shelf";\nfind("Dune");',
    form: "text",
    output: "{ kind: 'Missing' }",
  },
  {
    heading: "put: what it changes",
    code: 'import { put, titles } from "#modules/book-shelf";\nconst before = titles()[0];\nput("Emma");\n({ before, after: titles()[0] });',
    form: "text",
    output: "{ before: undefined, after: 'Emma' }",
  },
  {
    heading: "announce: what people hear",
    code: 'import { announce } from "#modules/book-shelf";\nannounce("closing time");',
    form: "console",
    output: "CLOSING TIME",
  },
  {
    heading: "Reader: a new one",
    code: 'import { Reader } from "#modules/book-shelf";\nnew Reader().page;',
    form: "json",
    output: "0",
  },
  {
    heading: "Reader.turn: pages add up",
    code: 'import { Reader } from "#modules/book-shelf";\nnew Reader().turn(2).turn(3).page;',
    form: "json",
    output: "5",
  },
  {
    heading: "LIMIT: how many fit",
    code: 'import { LIMIT } from "#modules/book-shelf";\nLIMIT;',
    form: "json",
    output: "3",
  },
  {
    heading: "stamp: as long as a time is",
    code: 'import { stamp } from "#modules/book-shelf";\nstamp().length;',
    form: "json",
    output: "24",
  },
];
