import { describe, expect, test } from "vitest";
import { bubblewrapWorks } from "../../../../test/bubblewrap.ts";
import { CLAMP } from "../../../../test/module-samples.ts";
import { PACKAGES, siteOf } from "../../../../test/typescript-site.ts";
import { isKilled, Mutant } from "../../../domain/evidence/mutant.ts";
import { parse } from "../../../domain/parse.ts";
import { bubblewrap } from "../../../workshop/sandbox/bubblewrap.ts";
import type { MutationReport } from "../../port.ts";
import { type EngineOptions, mutate } from "./mutate.ts";

const GROUND = { packages: PACKAGES };
const QUICK: EngineOptions = { timeoutMs: 2_000, equivalence: false };

function mutated(report: MutationReport) {
  if (report.kind !== "mutated") throw new Error(report.why);
  return report;
}

const PAIR = {
  "src/index.ts": `const LIMIT = 9;
export function next(n: number): number {
  return n + 1;
}
export function twice(n: number): number {
  if (n > LIMIT) return far(n);
  return next(n * 2) - 1;
}
export const far = (n: number): number => {
  return n > 9 ? -1 : 0;
};
`,
  "test/pair.test.ts": `import { expect, test } from "vitest";
import { far, next, twice } from "../src/index.ts";
test("next", () => expect(next(1)).toBe(2));
test("twice", () => expect(twice(2)).toBe(4));
test("far", () => expect([far(9), far(10)]).toEqual([0, -1]));
`,
};

describe("a small module", () => {
  test("every mutant is judged, as a record of the domain", async () => {
    const { mutants, engine } = mutated(await mutate(GROUND, await siteOf(CLAMP), QUICK));
    expect(engine).toEqual({ name: "inner" });
    expect(mutants).toHaveLength(14);
    for (const mutant of mutants) expect(parse(Mutant, mutant).kind).toBe("ok");
    const alive = mutants.filter(({ status }) => status !== "killed");
    expect(alive.map(({ line, replacement, status }) => [line, replacement, status])).toEqual([
      [6, "value <= low", "survived"],
      [7, "value >= high", "survived"],
    ]);
    expect(mutants.find(({ replacement }) => replacement === "low >= high")).toMatchObject({
      function: "clamp",
      kind: "BoundaryMutation",
      original: "low > high",
      killedBy: ["clamp > 3 within 3 and 3 is 3"],
    });
  });

  test("answers are used again as long as the same code runs for them", async () => {
    const first = mutated(await mutate(GROUND, await siteOf(PAIR), QUICK));
    const forged = new Map(
      [...first.keys].map(([key, { mutant, ran }]) => [
        key,
        { mutant: { ...mutant, status: "invalid" as const, killedBy: [] }, ran },
      ]),
    );
    expect(forged.size).toBe(first.mutants.length);
    const [source, tests] = [PAIR["src/index.ts"], PAIR["test/pair.test.ts"]];
    const changed = (from: string, to: string) => ({ ...PAIR, "src/index.ts": source.replace(from, to) });
    const cases: [files: typeof PAIR, forgotten: readonly string[]][] = [
      [PAIR, []],
      [changed("export", "// said\n  export"), []],
      [changed("n + 1", "1 + n"), ["next", "twice"]],
      [changed("n * 2", "2 * n"), ["twice"]],
      // Of `twice`, the mutant that calls `far` where the original does not.
      [changed("n > 9", "9 < n"), ["twice", "far"]],
      [changed("LIMIT = 9", "LIMIT = 10"), ["next", "twice", "far"]],
      [{ ...PAIR, "test/pair.test.ts": `${tests}\n` }, ["next", "twice", "far"]],
    ];
    for (const [files, forgotten] of cases) {
      const again = mutated(await mutate(GROUND, await siteOf(files), { ...QUICK, known: forged }));
      const asked = again.mutants.filter(({ status }) => status !== "invalid").map((each) => each.function);
      expect([...new Set(asked)]).toEqual(forgotten);
      const honest = mutated(await mutate(GROUND, await siteOf(files), QUICK));
      expect(again.mutants.map(({ id, line }) => [id, line])).toEqual(
        honest.mutants.map(({ id, line }) => [id, line]),
      );
    }
  });

  test("what only a mutant runs counts as well", async () => {
    // Without a mutant nothing ever calls `far`.
    const site = await siteOf(PAIR);
    const { keys } = mutated(await mutate(GROUND, site, QUICK));
    const guard = [...keys.values()].find(
      ({ mutant }) => mutant.original === "n > LIMIT" && mutant.replacement === "true",
    );
    expect(Object.keys(guard?.ran ?? {})).toContain("src/index.ts far");
  });

  test("ids stay, and only the lines that were asked for are judged", async () => {
    const all = mutated(await mutate(GROUND, await siteOf(CLAMP), QUICK)).mutants;
    const only = [{ file: "src/index.ts", line: 6 }];
    const some = mutated(await mutate(GROUND, await siteOf(CLAMP), { ...QUICK, only })).mutants;
    expect(some.map(({ id }) => id)).toEqual(all.filter(({ line }) => line === 6).map(({ id }) => id));
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  test("a comment switches no mutant off", async () => {
    const hidden = { ...CLAMP, "src/index.ts": `// Stryker disable all\n${CLAMP["src/index.ts"]}` };
    expect(mutated(await mutate(GROUND, await siteOf(hidden), QUICK)).mutants).toHaveLength(14);
  });
});

/** Each `f(3)` is 3 without a mutant; with the one named it does the worst. */
const WORST: Readonly<Record<string, [body: string, replacement: string, status: Mutant["status"]]>> = {
  loop: ["let i = 0; while (i < n) i++; return i;", "i--", "timeout"],
  bareLoop: ["let i = n; if (n > 5) for (;;) {} return i;", "true", "timeout"],
  awaitingLoop: ["let i = 0; while (i < n) { await null; i++; } return i;", "i--", "timeout"],
  bareAwaitingLoop: [
    "if (n > 5) { const g = async () => { for (;;) await null; }; await g(); } return n;",
    "true",
    "timeout",
  ],
  recursion: [
    "const g = (k: number): number => (k <= 0 ? 0 : 1 + g(k - 1)); return g(n);",
    "k + 1",
    "killed",
  ],
  silentPromise: ["if (n > 5) await new Promise(() => undefined); return n;", "true", "timeout"],
  silentThenable: [
    "const never = { then: (): void => undefined }; if (n > 5) await never; return n;",
    "true",
    "timeout",
  ],
  timers: ["if (n > 5) for (;;) await new Promise((r) => setTimeout(r, 1)); return n;", "true", "timeout"],
  exit: ["if (n > 5) process.exit(0); return n;", "true", "killed"],
  suicide: ['if (n > 5) process.kill(process.pid, "SIGTERM"); return n;', "true", "timeout"],
  oddError: ["if (n > 5) throw null; return n;", "true", "killed"],
  output: [
    "if (n > 5) for (let i = 0; i < 1e4; i++) console.log(i.toString().repeat(20)); return n;",
    "true",
    "survived",
  ],
  strayRejection: ["if (n > 5) void Promise.reject(new Error('stray')); return n;", "true", "invalid"],
  allocation: [
    "const all: string[][] = []; if (n > 5) for (;;) all.push(new Array(1e6).fill('x')); return n;",
    "true",
    "timeout",
  ],
  table: ["return TABLE[n + 0] ?? 0;", "n - 0", "survived"],
};

describe("hostile mutants", () => {
  test("end with the right status, and the others are judged behind them", async () => {
    const names = Object.keys(WORST);
    const functions = Object.entries(WORST).map(
      ([name, [body]]) => `export async function ${name}(n: number): Promise<number> {\n${body}\n}`,
    );
    const head = 'const TABLE = [0, 1, 2, 3];\nif (TABLE.length < 4) throw new Error("no table");';
    const site = await siteOf({
      "src/index.ts": [head, ...functions].join("\n"),
      "test/f.test.ts": [
        'import { expect, test } from "vitest";',
        `import { ${names.join(", ")} } from "../src/index.ts";`,
        ...names.map((name) => `test("${name}", async () => { expect(await ${name}(3)).toBe(3); });`),
      ].join("\n"),
    });
    const options = { timeoutMs: 400, equivalence: false };
    const { mutants } = mutated(await mutate(GROUND, site, options));
    const found = Object.entries(WORST).map(([name, [, replacement]]) => {
      const mutant = mutants.find((each) => each.function === name && each.replacement === replacement);
      const inside = mutants.find((each) => each.function === "g" && each.replacement === replacement);
      return [name, (mutant ?? inside)?.status];
    });
    const expected = Object.entries(WORST).map(([name, [, , status]]) => [name, status]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    for (const mutant of mutants.filter(({ status }) => status === "timeout"))
      expect(isKilled(mutant)).toBe(true);
    // Reached while the file loads: every test would notice.
    const empty = mutants.find(({ replacement, line }) => replacement === "[]" && line === 1);
    expect(empty).toMatchObject({ status: "killed", killedBy: ["test/f.test.ts"] });
  }, 60_000);
});

describe.skipIf(!bubblewrapWorks)("in the sandbox (needs bubblewrap)", () => {
  test("a mutant that blocks its process is ended, and the others are judged", async () => {
    const files = {
      "src/index.ts":
        "export function f(n: number): number {\n  if (n > 5) for (;;) {}\n  return n + 1;\n}\n",
      "test/f.test.ts":
        'import { expect, test } from "vitest";\nimport { f } from "../src/index.ts";\ntest("f", () => expect(f(1)).toBe(2));\n',
    };
    const { mutants } = mutated(
      await mutate(GROUND, await siteOf(files, bubblewrap()), { ...QUICK, timeoutMs: 300 }),
    );
    expect(mutants.map(({ replacement, status }) => [replacement, status])).toEqual(
      expect.arrayContaining([
        ["true", "timeout"],
        ["n - 1", "killed"],
      ]),
    );
  }, 30_000);
});

describe("nothing is claimed without evidence", () => {
  test("nothing to mutate", async () => {
    const site = await siteOf({ "src/index.ts": "export type A = string;\n", "test/a.test.ts": "" });
    expect(await mutate(GROUND, site, QUICK)).toMatchObject({ kind: "mutated", mutants: [] });
  });

  test("a source that cannot be read", async () => {
    const site = await siteOf({ ...CLAMP, "src/index.ts": "export const = 1;\n" });
    expect(await mutate(GROUND, site, QUICK)).toMatchObject({ kind: "impossible" });
  });
});
