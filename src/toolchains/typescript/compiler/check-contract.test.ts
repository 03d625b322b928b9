import { afterAll, expect, test } from "vitest";
import { slugifyContract } from "../../../../test/arbitraries/contract.ts";
import { PACKAGES } from "../../../../test/typescript-site.ts";
import type { MicroModuleContract } from "../../../domain/contract/contract.ts";
import { checkContract } from "./check-contract.ts";
import { stopCompiler } from "./program.ts";

afterAll(() => stopCompiler());

const check = (change: Partial<MicroModuleContract> = {}) =>
  checkContract({ ...slugifyContract(), ...change }, PACKAGES);

test("a contract that can be built has nothing in the way", () => {
  expect(check()).toEqual([]);
});

test.each([
  ["args[0].length > ", "Expression expected"],
  ["true", "says nothing about"],
  ["args.push(1)", "push"],
  ["process.exit(0)", "may not call .exit"],
])("the predicate %j is refused with its place", (expr, words) => {
  const [first, ...others] = slugifyContract().predicates;
  if (first === undefined) throw new Error("the sample has no predicate");
  const problems = check({ predicates: [{ ...first, expr }, ...others] });
  expect(problems).toEqual([
    expect.stringMatching(new RegExp(`^the predicate ${first.id}, line \\d, .*${words}`)),
  ]);
});

test.each(["(title: string => string", "(title: string, title: string) => string", "(title: string) => }"])(
  "the signature %j is refused with the code that does not compile",
  (signature) => {
    const entry_points = slugifyContract().entry_points.map((entry) => ({ ...entry, signature }));
    const problems = check({ entry_points });
    expect(problems.length).toBeGreaterThan(0);
    expect(problems[0]).toContain("do not compile");
  },
);
