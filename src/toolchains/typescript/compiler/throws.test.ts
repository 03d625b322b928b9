import { expect, test } from "vitest";
import { entry, viewOf } from "./samples.suite.ts";
import { surface } from "./surface.ts";

const CLASSES =
  "export class A extends Error {}\nexport class B extends A {}\nexport class C extends Error {}\nfunction a(): number { throw new A(); }\nasync function b(): Promise<number> { throw new B(); }\n";

test.each<[string, string, string[]]>([
  ["a plain throw", "throw new A();", ["A"]],
  ["none", "return 1;", []],
  ["through a call", "return a();", ["A"]],
  ["through an await", "return await b();", ["B"]],
  ["through a callback", "return [1].map(() => a());", ["A"]],
  ["not through a function that is never called", "const unused = () => a(); return unused;", []],
  ["through a function kept under a name", "const used = () => a(); return used();", ["A"]],
  ["caught", "try { a(); } catch { return 1; }", []],
  ["caught and thrown again", "try { a(); } catch (error) { throw error; }", ["A"]],
  ["caught and another thrown", "try { a(); } catch (error) { throw new C(String(error)); }", ["C"]],
  [
    "narrowed before it is thrown again",
    "try { a(); } catch (error) { if (error instanceof C) throw error; return 2; }",
    ["C"],
  ],
  ["finally does not catch", "try { a(); } finally { await b(); }", ["A", "B"]],
  ["in a catch block", "try { a(); } catch { await b(); }", ["B"]],
  [
    "a value of either class",
    "const one: A | C = Math.random() > 0.5 ? new A() : new C(); throw one;",
    ["A", "C"],
  ],
  ["a rejected promise", "return Promise.reject(new C());", ["C"]],
  ["no error at all", 'throw "text";', ["unknown"]],
  ["an unknown value", "throw x as unknown;", ["unknown"]],
  ["of the language", "throw new RangeError('x');", ["RangeError"]],
  ["where no value can get", "return never(x as never);", []],
  [
    "where a switch leaves nothing over",
    'switch (kind) { case "a": return 1; case "b": return 2; default: throw new C(String(kind)); }',
    [],
  ],
  [
    "where conditions leave nothing over",
    'if (kind === "a") return 1; if (kind === "b") return 2; const rest: never = kind; throw new C(rest);',
    [],
  ],
  [
    "where a switch leaves something over",
    'switch (kind) { case "a": return 1; default: throw new C(String(kind)); }',
    ["C"],
  ],
  [
    "beside a value that was only said to be nothing",
    "const none = x as never; if (x === 3) throw new C(none); return 1;",
    ["C"],
  ],
  [
    "beside a branch where nothing is left over",
    'if (kind !== "a" && kind !== "b") return kind; throw new C(kind);',
    ["C"],
  ],
  ["through a getter", "return new Box().value;", ["C"]],
  ["through a constructor", "return new Strict(1);", ["B"]],
  ["through a circle", "return ping(3);", ["C"]],
])("%s", (_, body, throws) => {
  const more =
    "function never(value: never): never { throw new A(String(value)); }\n" +
    "class Box { get value(): number { throw new C(); } }\n" +
    "class Strict { constructor(n: number) { if (n < 0) throw new B(); } }\n" +
    "function ping(n: number): number { return n === 0 ? 0 : pong(n); }\nfunction pong(n: number): number { if (n > 9) throw new C(); return ping(n - 1); }\n";
  const text = `${CLASSES}${more}export async function f(x?: unknown, kind: "a" | "b" = "a"): Promise<unknown> { ${body} }`;
  const found = surface(viewOf(entry(text))).entries.find(({ name }) => name === "f");
  expect(found?.throws).toEqual(throws);
});

test("a deep ladder of calls is climbed once", () => {
  const steps = Array.from(
    { length: 60 },
    (_, at) => `function f${at}(): void { f${at + 1}(); f${at + 1}(); }`,
  );
  const text = `${steps.join("\n")}\nfunction f60(): void { throw new RangeError(); }\nexport const f = () => f0();`;
  expect(surface(viewOf(entry(text))).entries[0]?.throws).toEqual(["RangeError"]);
});
