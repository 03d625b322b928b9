// Corpora that are read from checkouts in the layout of Exercism: what becomes a task, what is left out, and why.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { GateName } from "../src/domain/evidence/gate.ts";
import type { SimulatedCase } from "../src/simulator/port.ts";
import { workOf } from "../src/simulator/play-cheat.ts";
import { stopCompiler } from "../src/toolchains/typescript/compiler/program.ts";
import { caseOf } from "../src/trial/corpus/builtin-case.ts";
import type { BuiltinTask } from "../src/trial/corpus/builtin-task.ts";
import { readCorpus, tasksOfCorpus } from "../src/trial/corpus/corpora.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { blockersOf, verdictsOn } from "./case-gates.ts";
import { playVariants } from "./corpus-variants.ts";
import { madeBy } from "./simulated-run.ts";
import { temporaryDirectory } from "./temporary.ts";
import {
  FERRY_QUEUE,
  KNOT_SPEED,
  linkInto,
  type SampleExercise,
  TIDE_LABEL,
  trackOf,
} from "./track-samples.ts";

afterAll(stopCompiler);

const SAMPLES = { "tide-label": TIDE_LABEL, "ferry-queue": FERRY_QUEUE, "knot-speed": KNOT_SPEED };

async function taskOf(slug: keyof typeof SAMPLES): Promise<BuiltinTask> {
  const [task] = await tasksOfCorpus(`exercism:${trackOf({ [slug]: SAMPLES[slug] })}`);
  if (task === undefined) throw new Error(`${slug} is no task`);
  return task;
}

describe("a task", () => {
  test("has what the instructions, the exemplar and the tests say, and none of the tests is skipped", async () => {
    const task = await taskOf("tide-label");
    expect(task.spec).toContain("Do what the tide-label asks for.");
    expect(task.purpose).toBe("About the tide-label.");
    expect(task.constraints.map(({ text }) => text)).toEqual([
      "Tide label: nothing is low",
      "Tide label: just under two is low",
      "Tide label: between: two is mid",
      "Tide label: between: just under five is mid",
      "Tide label: five is high",
      "Tide label: less than nothing",
      "Tide label: the floor itself is no error",
    ]);
    const oracle = task.oracle["test/oracle.test.ts"] ?? "";
    expect(oracle.split("\n").slice(0, 2)).toEqual([
      'import { describe, expect, it } from "vitest";',
      'import { tideLabel } from "../src/index.ts"',
    ]);
    expect(oracle).not.toMatch(/xit|xdescribe|skip|jest/);
    expect(task.reference["src/index.ts"]).not.toContain("ownBusiness");
    expect(task.contract.entry_points).toEqual([
      {
        name: "tideLabel",
        signature: "(metres: number) => string",
        inputs: ["metres"],
        outputs: ["result of tideLabel"],
        errors: ["Error"],
        effects: [],
      },
    ]);
    expect(task.contract.predicates.map(({ expr }) => expr)).toEqual([
      'typeof result === "string"',
      'error.message.includes("Below the sea floor")',
    ]);
    expect(task.omissions).toEqual([]);
  });

  test("shows a few calls and hides the rest", async () => {
    const { examples } = await taskOf("tide-label");
    expect(examples.map(({ call, gives, throws }) => ({ call, gives, throws }))).toEqual([
      { call: "tideLabel(0)", gives: '"low"', throws: null },
      { call: "tideLabel(1.9)", gives: '"low"', throws: null },
      { call: "tideLabel(-1)", gives: null, throws: "Error: Below the sea floor" },
    ]);
    const rows = (await taskOf("knot-speed")).examples;
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ entry: "knots", gives: "5" });
  });

  test("shows of classes what they were made of and what was called before, by names that are all different", async () => {
    const { examples } = await taskOf("ferry-queue");
    const made = "const PLATE = 'AB 1';\nlet queue: FerryQueue;\n{\n    queue = new FerryQueue()\n  }\n";
    expect(examples.map(({ title, entry, inputs, gives }) => [title, entry, inputs, gives])).toEqual([
      ["FerryQueue: counts who joins", "FerryQueue", [], "1"],
      ["FerryQueue: boards in order", "FerryQueue", [], '["AB 1"]'],
      ["FerryQueue: boards in order (2)", "FerryQueue.board", [{ name: "places", value: "1" }], '["AB 1"]'],
      ["FerryQueue: counts who joins (2)", "FerryQueue.join", [{ name: "plate", value: "'AB 1'" }], "1"],
      [
        "FerryQueue: boards in order (3)",
        "FerryQueue.join",
        [{ name: "plate", value: "'CD 2'" }],
        '["AB 1"]',
      ],
    ]);
    expect(examples[3]?.call).toBe(`${made}queue.join(PLATE)`);
  });

  test("shows errors with the whole message of the exemplar, and values that JSON has no word for", async () => {
    const exemplar = `export class Aground extends Error {
  constructor() {
    super("no water below the keel")
  }
}

export class Keel {
  constructor(private readonly deep: number) {}
  get below(): bigint {
    return BigInt(this.deep)
  }
  clearance(water: number): Date {
    if (water < this.deep) throw new Aground()
    return new Date(water - this.deep)
  }
}
`;
    const tests = `import { Aground, Keel } from './keel'
test('below', () => { expect(new Keel(3).below).toEqual(3n) })
test('clearance', () => {
  const keel = new Keel(3)
  const water = 5
  expect(keel.clearance(water)).toEqual(new Date(Date.UTC(1970, 0, 1, 0, 0, 0, 2)))
})
test('aground', () => {
  const keel = new Keel(3)
  expect(() => keel.clearance(2)).toThrow(Aground)
})
`;
    const made = "const keel = new Keel(3);\n";
    const [task] = await tasksOfCorpus(`exercism:${trackOf({ keel: { exemplar, tests } })}`);
    expect(task?.examples.map(({ call, gives, throws }) => [call, gives ?? throws])).toEqual([
      ["new Keel(3).below", "3n"],
      [`${made}const water = 5;\nkeel.clearance(water)`, "1970-01-01T00:00:00.002Z"],
      [`${made}const water = 5;\nkeel.clearance(water)`, "1970-01-01T00:00:00.002Z"],
      [`${made}keel.clearance(2)`, "Aground: no water below the keel"],
    ]);
    expect(task?.contract.entry_points.map(({ signature }) => signature)).toEqual([
      "new (deep: number) => Keel & { readonly below: bigint }",
      "(water: number) => Date",
    ]);
  });

  test("can be a class, without the methods that no test calls", async () => {
    const { contract, tests } = await taskOf("ferry-queue");
    expect(contract.entry_points.map(({ name, signature }) => `${name}: ${signature}`)).toEqual([
      "FerryQueue: new () => FerryQueue",
      "FerryQueue.board: (places: number) => string[]",
      "FerryQueue.join: (plate: string) => number",
    ]);
    expect(tests.map(({ code }) => code).join("\n")).toContain("vi.fn()");
  });

  test("has a test for each row of a table, and none for what is still to do", async () => {
    const { constraints, spec } = await taskOf("knot-speed");
    expect(constraints.map(({ text }) => text)).toEqual([
      "%d miles in %d hours (1)",
      "%d miles in %d hours (2)",
      "half a knot",
    ]);
    expect(spec).toMatch(/A knot is a mile in an hour\.[^]*Do what the knot-speed asks for\./);
  });

  test("is true on real runs: tests and oracle green on the exemplar, wrong tests red", async () => {
    const tasks = await tasksOfCorpus(`exercism:${trackOf(SAMPLES)}`);
    const variants = await playVariants(temporaryDirectory(), tasks);
    expect(tasks).toHaveLength(3);
    for (const task of tasks) {
      expect(variants.problems(task)).toEqual([]);
      const titles = task.tests.map(({ title }) => title);
      expect(variants.played(task, "reference", "tests")).toEqual({ passed: titles, failed: [] });
      expect(variants.played(task, "reference", "oracle")?.failed).toEqual([]);
      const wrong = task.wrongTests.map(({ title }) => title);
      expect(wrong).not.toEqual([]);
      expect(variants.played(task, "reference", "wrong")).toEqual({ passed: [], failed: wrong });
    }
  }, 120_000);

  test.skipIf(!bubblewrapWorks)(
    "passes every gate and ships by honest agents",
    { timeout: 180_000 },
    async () => {
      const about = caseOf(await taskOf("tide-label"));
      const gates = GateName.options.filter((gate) => gate !== "blindness" && gate !== "e2e");
      expect(blockersOf(await verdictsOn(about, workOf(about), gates))).toEqual([]);
      const { outcome, why } = await madeBy("honest", about, "solo");
      expect({ outcome, why }).toEqual({ outcome: "shipped", why: "" });
    },
  );

  test.skipIf(!bubblewrapWorks)(
    "that is a class is refused only for what its track does not test",
    { timeout: 120_000 },
    async () => {
      const about = caseOf(await taskOf("ferry-queue"));
      expect(await refusalsOf(about)).toEqual(["mutation: 75 % of the mutants are killed, 80 % are asked"]);
    },
  );
});

const GATES = GateName.options.filter((gate) => gate !== "blindness" && gate !== "e2e");

async function refusalsOf(about: SimulatedCase): Promise<string[]> {
  return blockersOf(await verdictsOn(about, workOf(about), GATES));
}

const PLAIN = "export function plain(): number {\n  return 1\n}\n";
const PLAIN_TESTS = "import { plain } from './x'\ntest('one', () => { expect(plain()).toBe(1) })\n";

/** The exercise is called x. */
function because(exercise: Partial<SampleExercise>, why: RegExp): [SampleExercise, RegExp] {
  return [{ exemplar: PLAIN, tests: PLAIN_TESTS, ...exercise }, why];
}

function emptyListTest(title: string, list: string): string {
  return `test('${title}', () => { const list${list}\n  expect(plain(list)).toBe(0) })\n`;
}

test("shows no example that a strict compiler would refuse", async () => {
  const tests = `import { plain } from './x'\n${emptyListTest("untyped", " = []")}${emptyListTest("typed", ": number[] = []")}test('inline', () => { expect(plain([2])).toBe(1) })\n`;
  const exemplar = "export const plain = (list: unknown[]): number => list.length\n";
  const [task] = await tasksOfCorpus(`exercism:${trackOf({ x: { exemplar, tests } })}`);
  expect(task?.examples.map(({ title }) => title)).toEqual(["typed", "inline"]);
});

describe("left out with a reason", () => {
  test.each(
    Object.entries({
      "no exemplar": because({ files: { example: [] } }, /names no exemplar/),
      "an exemplar that is not there": because(
        { files: { example: [".meta/gone.ts"] } },
        /gone\.ts is not there/,
      ),
      "a path out of the folder": because(
        { files: { example: ["../../secret.ts"] } },
        /leads out of its folder/,
      ),
      "an absolute path": because({ files: { example: ["/etc/passwd.ts"] } }, /leads out of its folder/),
      "a huge file": because({ exemplar: `${PLAIN}//${"x".repeat(300_000)}` }, /larger than 256 KiB/),
      "code that does not compile": because(
        { exemplar: PLAIN.replace("1", '"1"') },
        /does not compile here: TS2322/,
      ),
      "tests that do not parse": because({ tests: "import {" }, /cannot be parsed/),
      "no tests": because({ tests: "import { plain } from './x'\nplain()\n" }, /tests are none/),
      "a package": because(
        { tests: `import _ from "lodash"\n${PLAIN_TESTS}` },
        /imports the package "lodash"/,
      ),
      "a file beside": because({ tests: `import "./more"\n${PLAIN_TESTS}` }, /imports "\.\/more"/),
      "a constant": because(
        { exemplar: "export const plain = [1]\n", tests: PLAIN_TESTS.replace("plain()", "plain[0]") },
        /the constant plain/,
      ),
      "a default": because({ tests: PLAIN_TESTS.replace("{ plain }", "plain") }, /import a default/),
      "a generic class": because(
        { exemplar: "export class plain<T> {\n  of(x: T): T {\n    return x\n  }\n}\n" },
        /generic or abstract/,
      ),
      "a missing function": because(
        { exemplar: "export {}\n" },
        /use plain, which its exemplar does not have/,
      ),
      "tests made in a loop": because(
        { tests: PLAIN_TESTS.replace("test(", "for (const _ of [1]) test(") },
        /made by "for/,
      ),
      "a table from elsewhere": because(
        { tests: PLAIN_TESTS.replace("test(", "const rows = [1]\ntest.each(rows)(") },
        /table of its tests/,
      ),
      "a callback": because({ tests: PLAIN_TESTS.replace("() =>", "(done) =>") }, /waits for a callback/),
      "an error that nothing tells": because(
        {
          exemplar:
            "export function plain(at: number): number {\n  if (at < 0) throw new Error()\n  return at\n}\n",
          tests: PLAIN_TESTS.replace("plain()", "plain(1)"),
        },
        /too few examples: there is no error_case/,
      ),
      "results that are not written out": because(
        { tests: PLAIN_TESTS.replace("toBe(1)", "toBeCloseTo(1)") },
        /too few examples: there is none/,
      ),
      "nothing that could be handed to it": because({}, /takes an input/),
      "types of jest": because({ tests: `let mock: jest.Mock\n${PLAIN_TESTS}` }, /types of jest/),
    }),
  )("%s", async (_, [exercise, why]) => {
    const root = trackOf({ x: exercise, "tide-label": TIDE_LABEL });
    const { tasks, leftOut } = await readCorpus(`exercism:${root}`);
    expect(tasks.map(({ id }) => id)).toEqual(["tide-label"]);
    expect(leftOut).toEqual([{ exercise: "x", why: expect.stringMatching(why) as unknown }]);
  });

  test("links, deprecated exercises, names that are none and configurations that cannot be read", async () => {
    const root = trackOf({ "old-buoy": TIDE_LABEL, "tide-label": TIDE_LABEL, "sly-rope": TIDE_LABEL });
    writeFileSync(
      join(root, "config.json"),
      JSON.stringify({ exercises: { practice: [{ slug: "old-buoy", status: "deprecated" }] } }),
    );
    const exemplar = "exercises/practice/sly-rope/.meta/proof.ci.ts";
    rmSync(join(root, exemplar));
    linkInto(root, exemplar, join(root, "exercises/practice/tide-label/.meta/proof.ci.ts"));
    mkdirSync(join(root, "exercises/practice/Bad Name"));
    mkdirSync(join(root, "exercises/practice/broken/.meta"), { recursive: true });
    writeFileSync(join(root, "exercises/practice/broken/.meta/config.json"), "no JSON at all");
    const config = join(root, "exercises/practice/tide-label/.meta/config.json");
    writeFileSync(config, readFileSync(config, "utf8").replace(/,(\s*"blurb"|\s*"files")/, "$1"));
    expect(() => JSON.parse(readFileSync(config, "utf8")) as unknown).toThrow(SyntaxError);
    linkInto(root, "exercises/practice/linked", join(root, "exercises/practice/tide-label"));
    const { tasks, leftOut } = await readCorpus(`exercism:${root}`);
    expect(tasks.map(({ id }) => id)).toEqual(["tide-label"]);
    expect(Object.fromEntries(leftOut.map(({ exercise, why }) => [exercise, why.slice(0, 40)]))).toEqual({
      "Bad Name": "its name is not lower-case words with hy",
      "old-buoy": "its track has deprecated it",
      broken: ".meta/config.json cannot be read: ✖ Inva",
      "sly-rope": ".meta/proof.ci.ts is no file of its own,",
    });
  });
});

describe("a polyglot benchmark", () => {
  test("gives its TypeScript, and lists every exercise of other languages", async () => {
    const root = temporaryDirectory();
    trackOf({ "tide-label": TIDE_LABEL }, join(root, "typescript"));
    trackOf({ "tide-label": TIDE_LABEL, "knot-speed": KNOT_SPEED }, join(root, "javascript"));
    const { tasks, leftOut } = await readCorpus(`polyglot:${root}`);
    expect(tasks.map(({ id, area }) => `${area} ${id}`)).toEqual(["polyglot tide-label"]);
    const why = "it is in javascript, for which Cupel has no toolchain";
    expect(leftOut).toEqual([
      { exercise: "javascript/tide-label", why },
      { exercise: "javascript/knot-speed", why },
    ]);
  });

  test("is refused where nothing of it can be played", async () => {
    const root = temporaryDirectory();
    trackOf({ "tide-label": TIDE_LABEL }, join(root, "javascript"));
    await expect(readCorpus(`polyglot:${root}`)).rejects.toThrow(/no exercise for a trial; 1 are left out/);
  });
});

test("an empty corpus is no corpus, and neither is a path that leads nowhere", async () => {
  const empty = temporaryDirectory();
  await expect(readCorpus(`exercism:${empty}`)).rejects.toThrow(
    /has no exercise for a trial; 0 are left out/,
  );
  await expect(readCorpus(`exercism:${empty}/gone`)).rejects.toThrow(/there is no folder/);
  await expect(readCorpus("exercism:")).rejects.toThrow(/there is no folder ""/);
  await expect(readCorpus("homework")).rejects.toThrow("homework is no corpus");
});
