// Plays every variant of builtin tasks, right and wrong, in one compiler run and one test run.
import { execFile } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { writeFiles } from "../src/evidence/neighbours.ts";
import { type BuiltinTask, testsOf, withOmission } from "../src/trial/corpus/builtin-task.ts";

/** Titles of the tests of one file. */
export interface Played {
  passed: string[];
  failed: string[];
}

export interface Variants {
  /** What the compiler says against the files of a task, reference and defects alike. */
  problems(task: BuiltinTask): string[];
  /** `variant` is reference, stub or the place of an omission; undefined where the file was not run. */
  played(task: BuiltinTask, variant: string | number, file: "tests" | "oracle" | "wrong"): Played | undefined;
}

const FILES = { tests: "own.test.ts", oracle: "oracle.test.ts", wrong: "wrong.test.ts" } as const;

export async function playVariants(directory: string, tasks: readonly BuiltinTask[]): Promise<Variants> {
  symlinkSync(resolve("node_modules"), join(directory, "node_modules"));
  for (const task of tasks)
    for (const [variant, files] of Object.entries(variantsOf(task)))
      writeFiles(join(directory, task.id, variant), files);
  writeFileSync(join(directory, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(TSCONFIG));
  const [compiled, report] = await Promise.all([
    output(["node_modules/typescript/bin/tsc", "-p", directory, "--pretty", "false"]),
    testRun(directory),
  ]);
  return {
    problems: ({ id }) => compiled.split("\n").filter((line) => line.includes(`${id}/`)),
    played: ({ id }, variant, file) => report.get(`${id}/${variant}/test/${FILES[file]}`),
  };
}

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    target: "es2023",
    lib: ["es2023"],
    types: ["node"],
    module: "esnext",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
  },
  include: ["*/*/src", "*/reference/test"],
};

function variantsOf(task: BuiltinTask): Record<string, Record<string, string>> {
  const tests = { [`test/${FILES.tests}`]: onlyFile(testsOf(task, task.tests)) };
  const oracle = { [`test/${FILES.oracle}`]: onlyFile(task.oracle) };
  const wrong = { [`test/${FILES.wrong}`]: onlyFile(testsOf(task, task.wrongTests)) };
  const omitted = task.omissions.map((omission, index) => [
    `${index}`,
    { ...withOmission(task, omission), ...tests, ...oracle },
  ]);
  return {
    reference: { ...task.reference, ...tests, ...oracle, ...wrong },
    stub: { [task.entry]: stubsOf(task), ...oracle },
    ...Object.fromEntries(omitted),
  };
}

function onlyFile(files: Readonly<Record<string, string>>): string {
  const [text, ...others] = Object.values(files);
  if (text === undefined || others.length > 0) throw new Error("there is not one file of tests");
  return text;
}

/** Errors are there, and every function throws another one. */
function stubsOf({ contract }: BuiltinTask): string {
  const errors = contract.error_surfaces.filter(({ name }) => !(name in globalThis));
  const names = new Set(contract.entry_points.map(({ name }) => name.split(".")[0]));
  return [
    ...errors.map(({ name }) => `export class ${name} extends Error {}`),
    ...[...names].map((name) => `export function ${name}(): never {\n  throw new Error("not written");\n}`),
  ].join("\n");
}

const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string(),
      assertionResults: z.array(z.object({ title: z.string(), status: z.string() })),
    }),
  ),
});

async function testRun(directory: string): Promise<ReadonlyMap<string, Played>> {
  const file = join(directory, "report.json");
  const flags = ["--root", directory, "--reporter", "json", "--outputFile", file, "--maxWorkers", "2"];
  await output(["node_modules/vitest/vitest.mjs", "run", "--no-isolate", ...flags]);
  const { testResults } = Report.parse(JSON.parse(readFileSync(file, "utf8")));
  return new Map(
    testResults.map(({ name, message, assertionResults: results }) => {
      if (results.length === 0) throw new Error(`${name} has no tests: ${message}`);
      const titles = (status: string) =>
        results.filter((each) => each.status === status).map(({ title }) => title);
      return [relative(directory, name), { passed: titles("passed"), failed: titles("failed") }];
    }),
  );
}

/** Also of a command that ends badly: red tests and type errors are what is asked for. */
async function output(args: readonly string[]): Promise<string> {
  const ended: unknown = await promisify(execFile)(process.execPath, args, {
    timeout: 500_000,
    maxBuffer: 100_000_000,
  }).catch((error: unknown) => error);
  return z.object({ stdout: z.string() }).parse(ended).stdout;
}
