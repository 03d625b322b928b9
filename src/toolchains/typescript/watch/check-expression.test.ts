import { describe, expect, test } from "vitest";
import { checkExpression, mentions } from "./check-expression.ts";

describe("a predicate that only looks is sound", () => {
  test.each([
    "args[0] > 0",
    "result.length === args[0].length",
    "args[0] instanceof Map && args[0].size > 0",
    'error.name === "EmptyInput"',
    'error?.constructor.name === "EmptyInput"',
    "result.every((x, i) => i === 0 || result[i - 1] <= x)",
    "[...args[0]].sort((a, b) => a - b).every((x, i) => Object.is(x, result[i]))",
    "JSON.stringify(result) === JSON.stringify(args[0].toSorted())",
    "Math.abs(result - args[0]) < 1e-9 && Number.isFinite(result)",
    "`${args[0]}` !== '' && /^[a-z]+$/.test(result)",
    "typeof result === 'string' ? result.trim() === result : result == null",
    "Object.entries(result).some(([key, { value = 1 }]) => key in args[0] && value > 1)",
    "args[0].map(Number).every(Number.isInteger)",
    "result === args[0] // the same thing",
    "new Set(result).size === result.length",
    "new Date(args[0]).getTime() <= result.getTime() && new Map(result).size > 0",
    "({ ...result, a: 1 }).a === 1 && result[args[1].length - 1] !== undefined",
    "args[0].split(',').reverse().join(',') === result\n  && result !== ''",
  ])("%s", (expr) => {
    expect(checkExpression(expr)).toEqual({ kind: "sound" });
  });
});

describe("one that is none, or could do more than look, is refused", () => {
  test.each([
    ["", "not one expression"],
    ["args[0] >", "not one expression"],
    ["args[0]; result", "not one expression"],
    ["1) ; process.exit(0); (args", "more than one expression"],
    ["args[0], result", "more than one expression"],
    ["const a = 1", "not one expression"],
    ["args[0] = 1", "may not assign"],
    ["result.count += 1", "may not assign"],
    ["args.length++", "may not change"],
    ["delete args[0].a", "may not change"],
    ["args[0].push(1) > 0", ".push()"],
    ["args[0].sort().length > 0", "[...list].sort()"],
    ["process.exit(0)", "may not call .exit()"],
    ["process.env.A === args[0]", "process is not known"],
    ["fetch(args[0])", "may not call fetch"],
    ["globalThis.process && result", "globalThis is not known"],
    ["Math.random() < result", "may not call Math.random"],
    ["Date.now() > result", "may not call Date.now"],
    ["Object.assign(args[0], result)", "may not call Object.assign"],
    ["new Date() > result", "a value that it is made of"],
    ["new Date(...args) > 0", "a value that it is made of"],
    ["new Proxy(result, {}).length > 0", "with new but Set, Map, Date"],
    ["new args[0](result).size > 0", "with new but Set, Map, Date"],
    ["[args[0]].every((Set) => new Set(result))", "a name of the language"],
    ["[args[0]].every((Number) => Number(result))", "a name of the language"],
    ["await result", "may not wait"],
    ["args[0]()", "by their names"],
    ["args[0](result)", "by their names"],
    ["(() => result)()", "by their names"],
    ["result.constructor('return 1')()", "by their names"],
    ["[result].map(args.map.constructor).length > 0", "written here"],
    ["[result].map(args[0]).length > 0", "written here"],
    ["args['constructor'] === 1", "leads to what others share"],
    ["args['con' + 'structor'].name === 1", "put the name of a member together"],
    ["args.every((x) => { return x; })", "without braces"],
    ["args.every(async (x) => x)", "may not be async"],
    ["function () { return args }", "not allowed"],
    ["`${args}`.replace`x`", "not allowed"],
    ["import('fs') && args", "by their names"],
    ["import.meta.url === args[0]", "not allowed"],
    ["this === args", "not allowed"],
    ["class { static x = args }", "not allowed"],
    ["({ get a() { return 1; } }).a === args", "not allowed"],
    ["({ __proto__: args }).a", "prototype"],
    ["args as any", "not allowed"],
    ["true", "says nothing"],
    ["1 === 1", "says nothing"],
    ["[1].every((args) => args)", "says nothing"],
    [`args[0] === "${"a".repeat(5_000)}"`, "longer than"],
  ])("%s", (expr, message) => {
    const check = checkExpression(expr);
    expect(check.kind).toBe("refused");
    expect(check.kind === "refused" && check.problems.map((problem) => problem.message).join("\n")).toContain(
      message,
    );
  });

  test("with the place of the problem", () => {
    expect(checkExpression("args[0] > 0 &&\n  fetch(result)")).toEqual({
      kind: "refused",
      problems: [{ line: 2, column: 3, message: "may not call fetch" }],
    });
    expect(checkExpression("args[0] = 1")).toMatchObject({ problems: [{ line: 1, column: 1 }] });
  });

  test.each([
    ["requires", "result > 0"],
    ["requires", "error.name === 'A'"],
    ["ensures", "error.name === 'A'"],
  ] as const)("where its kind cannot know what it speaks of: %s %s", (kind, expr) => {
    expect(checkExpression(expr, kind).kind).toBe("refused");
  });
});

test("tells what an expression speaks of", () => {
  expect(mentions("args[0] > 1", "args")).toBe(true);
  expect(mentions("result.error === args.result", "error")).toBe(false);
});
