// What somebody who cheats well says of its tests: it names those that are there, since anybody can see that others are not.
import type { ModuleWork } from "./cheats/port.ts";

/** The answer with the names of the tests that are handed in. */
export function namingTests(answer: object, files: ModuleWork["files"]): object {
  const tests = Object.entries(files).flatMap(([path, text]) =>
    path.startsWith("test/") && typeof text === "string" ? namesIn(text) : [],
  );
  return naming(answer, tests);
}

function naming(answer: object, tests: readonly string[]): object {
  const renamed = Object.entries(answer).map(([key, told]: [string, unknown]) => {
    if (key === "exit" && typeof told === "object" && told !== null) return [key, naming(told, tests)];
    if (!Array.isArray(told)) return [key, told];
    if (key === "shows") return [key, shown(told.filter(isShown), tests)];
    return [key, NAMES_TESTS.has(key) ? named(told.filter(isNamed), tests) : told];
  });
  return Object.fromEntries(renamed);
}

const NAMES_TESTS: ReadonlySet<string> = new Set(["properties", "tests"]);

/** What is indented stands in the group of its file. */
const TEST = /^( *)(?:test\(|\]\)\()\s*"([^"]+)"/gm;

function namesIn(text: string): string[] {
  const group = /^describe\("([^"]+)"/m.exec(text)?.[1];
  return [...text.matchAll(TEST)].map(([, indent = "", title = ""]) =>
    indent === "" || group === undefined ? title : `${group} > ${title}`,
  );
}

interface Named {
  name: string;
}

/** Those that are there keep what was said of them; what was said of the others is said of tests that nobody spoke of. */
function named<T extends Named>(told: readonly T[], tests: readonly string[]): T[] {
  const known = new Set(told.map(({ name }) => name));
  const others = tests.filter((name) => !known.has(name));
  // What covers a sketch goes on doing so.
  const first = told.toSorted((one, other) => Number(isSketched(other)) - Number(isSketched(one)));
  const found = first.flatMap((each) => {
    const name = tests.includes(each.name) ? each.name : others.shift();
    return name === undefined ? [] : [{ ...each, name }];
  });
  // Who hands in no test must name some all the same.
  return found.length === 0 ? [...told] : found;
}

function isNamed(told: unknown): told is Named {
  return typeof told === "object" && told !== null && "name" in told && typeof told.name === "string";
}

function isSketched(told: Named): boolean {
  const isProperty = "layer" in told && told.layer === "property";
  return isProperty || ("coversSketch" in told && told.coversSketch !== null);
}

interface Shown {
  test: string;
}

/** In a tree: by which test each criterion is shown. Every test shows one. */
function shown(told: readonly Shown[], tests: readonly string[]): Shown[] {
  const [first] = told;
  const renamed = named(
    told.map((each) => ({ ...each, name: each.test })),
    tests,
  ).map(({ name, ...rest }) => ({ ...rest, test: name }));
  const silent = tests.filter((test) => !renamed.some((each) => each.test === test));
  return first === undefined ? [] : [...renamed, ...silent.map((test) => ({ ...first, test }))];
}

function isShown(told: unknown): told is Shown {
  return typeof told === "object" && told !== null && "test" in told && typeof told.test === "string";
}
