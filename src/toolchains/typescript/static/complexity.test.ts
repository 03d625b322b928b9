import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { temporaryDirectory } from "../../../../test/temporary.ts";
import { complexityOf } from "./complexity.ts";
import { parseCode } from "./syntax.ts";

const CODE = `export function straight() { return 1; }
export function fallback(x = 1, y?: { z: number }) { try { return y?.z ?? x; } catch { return 0; } }
export function kinds(x: number) { switch (x) { case 1: return 1; case 2: return 2; default: return 3; } }
export class Machine {
  field = (() => 1)();
  choice = kinds(1) > 0 ? 2 : 3;
  static { if (kinds(1)) straight(); }
  constructor(readonly a: number, b = 2) { this.choice = b; }
  method(a: number) { a ||= 2; for (const x of [1]) { if (x && a) return x; } return () => (a ? 1 : 2); }
  get value() { return this.a > 1 || this.a < 0; }
}
const holder = { key: function (a: number) { while (a) a--; do { a++; } while (a < 1); }, short() {}, arrow: async () => { for await (const z of []) straight(); } };
export default function () { return fallback?.()?.toFixed?.(1); }
export const destructure = ({ a = 1, b: [c = 2] = [] }: any) => { let d; ({ d = 3, e: c = 4 } = a); [c = 5] = b; for ([d = 6] of b) ; return c = d; };
export const nested = (a: number) => [1].map((x) => { for (let i = 0; i < x; i++) for (const k in holder) { if (k) return a; } return a; });
export function overloaded(a: string): string;
export function overloaded(a: number): number;
export function overloaded(a: unknown): unknown { a &&= 1; a ??= 2; return a; }
`;

function counted(text: string) {
  const [file] = parseCode({ "src/a.ts": text }, ["src/a.ts"]).files;
  return file === undefined ? [] : complexityOf(file);
}

describe("the complexity of a function", () => {
  test("agrees with the linter's for every function", () => {
    const ours = counted(CODE).map(({ line, complexity }) => `${line}:${complexity}`);
    // The linter also lists signatures of overloads, which hold no code.
    const theirs = byLinter(CODE).filter((entry) => entry !== "16:1" && entry !== "17:1");
    expect(ours.toSorted()).toEqual(theirs.toSorted());
    expect(ours.length).toBeGreaterThan(15);
  });

  test("is given with the name people know it by", () => {
    expect(counted(CODE).map((entry) => entry.function)).toEqual(
      expect.arrayContaining([
        "straight",
        "Machine.method",
        "Machine.constructor",
        "holder.short",
        "key",
        "default",
      ]),
    );
  });

  test("also counts branches outside of functions", () => {
    expect(counted("if (a) b();\nexport const c = a ? 1 : 2;")).toEqual([
      { function: "(top level)", file: "src/a.ts", line: 1, complexity: 3 },
    ]);
  });

  test("does not look at types, declarations and texts", () => {
    const text =
      'declare function f(a?: number): void;\ntype A<T> = T extends 1 ? 2 : 3;\nexport const x = "a ? b : c";';
    expect(counted(text)).toEqual([]);
  });
});

const Report = z.object({
  diagnostics: z.array(
    z.object({ message: z.string(), labels: z.array(z.object({ span: z.object({ line: z.number() }) })) }),
  ),
});

function byLinter(text: string): string[] {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "a.ts"), text);
  const rules = { complexity: ["error", { max: 0 }] };
  writeFileSync(join(directory, "rules.json"), JSON.stringify({ categories: { correctness: "off" }, rules }));
  let output: string;
  try {
    const oxlint = resolve("node_modules/.bin/oxlint");
    output = execFileSync(oxlint, ["-c", "rules.json", "--format", "json", "."], {
      cwd: directory,
      encoding: "utf8",
    });
  } catch (error) {
    output = z.object({ stdout: z.string() }).parse(error).stdout;
  }
  return Report.parse(JSON.parse(output)).diagnostics.map(({ message, labels }) => {
    const complexity = /complexity of (\d+)/.exec(message)?.[1];
    return `${labels[0]?.span.line}:${complexity}`;
  });
}
