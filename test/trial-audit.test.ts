// `cupel trial audit` and `cupel trial corpus` as a person uses them.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Ended, startCupel } from "./cupel-process.ts";
import { TIDE_LABEL, trackOf } from "./track-samples.ts";
import { CODE, moduleAt, placeWith } from "./verify-process.ts";

const TIMEOUT = { timeout: 120_000 };

function cupel(place: string, ...args: string[]): Promise<Ended> {
  return startCupel(place, args, { XDG_CACHE_HOME: join(place, ".cache") }, 110_000).ended;
}

const MADE = {
  ...moduleAt("made/good"),
  ...moduleAt("made/deep/bad", { "src/index.ts": CODE.replace("value * 2", '"two"') }),
  "made/quiet/src/index.ts": CODE,
  "made/README.md": "# Made\n",
};

describe.concurrent("audit", () => {
  test("a line for each module, a table of gates, and what has no tests", TIMEOUT, async () => {
    const { code, out } = await cupel(
      placeWith(MADE),
      "trial",
      "audit",
      "made",
      "--only",
      "build,green,surface",
    );
    const lines = out.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^✕ deep\/bad {2}build: TS2322/);
    expect(lines[1]).toBe("✓ good");
    expect(lines[2]).toMatch(/^✕ quiet {2}green: /);
    expect(lines.slice(4)).toEqual([
      "gate                       passed         failed  not looked at not applicable",
      "build                           2              1              0              0",
      expect.stringMatching(/^green {27}[12] {14}\d {14}[12] {14}0$/),
      "surface                         0              0              3              0",
      "",
      "Code without tests: quiet",
      "1 of 3 modules passed at standard.",
    ]);
    expect(code).toBe(13);
  });

  test("the same as one document", TIMEOUT, async () => {
    const place = placeWith({ ...moduleAt("made/good") });
    const { code, out } = await cupel(
      place,
      "trial",
      "audit",
      "made",
      "--only",
      "build",
      "--rigor",
      "lite",
      "--json",
    );
    expect(JSON.parse(out)).toEqual({
      folder: "made",
      rigor: "lite",
      modules: [
        { folder: "good", tests: 1, passed: true, first: null, gates: { build: "PASS" }, advising: [] },
      ],
      gates: [{ gate: "build", passed: 1, failed: 0, notLookedAt: 0, notApplicable: 0 }],
      untested: [],
      passed: 1,
    });
    expect(code).toBe(0);
  });

  test("what refuses and does not block is told beside the module that passed", TIMEOUT, async () => {
    const place = placeWith({ ...moduleAt("made/good") });
    const { code, out } = await cupel(place, "trial", "audit", "made", "--only", "build,layers");
    expect(out).toMatch(/^✓ good {2}refused by layers, which only advises here\n/);
    expect(code).toBe(0);
  });

  test("where there is no code, nothing has passed", TIMEOUT, async () => {
    const place = placeWith({
      "made/dag.json": "{}",
      "made/notes.md": "all 30 complete",
      "made/node_modules/x/index.ts": CODE,
      "made/test/only.test.ts": "",
    });
    const { code, out, err } = await cupel(place, "trial", "audit", "made");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/there is no code below made: nothing was audited/);
    const gone = await cupel(place, "trial", "audit", "gone", "--json");
    expect(gone.code).toBe(2);
    expect(JSON.parse(gone.out)).toMatchObject({ error: { code: "usage" } });
  });

  test("what is code and no module has not passed, and an unknown rigor is refused", TIMEOUT, async () => {
    const place = placeWith({ "made/one.ts": CODE, "made/two.ts": CODE });
    const { code, out } = await cupel(place, "trial", "audit", "made", "--only", "build");
    expect(out).toMatch(/^✕ \. {2}no module: .+\n/);
    expect(out).toMatch(/0 of 1 module passed at standard/);
    expect(code).toBe(13);
    expect((await cupel(place, "trial", "audit", "made", "--rigor", "loose")).code).toBe(2);
  });
});

const Listed = z.object({ tasks: z.array(z.object({ id: z.string() })), leftOut: z.array(z.unknown()) });

describe.concurrent("corpus", () => {
  test("lists tasks, and what is left out with its reason", TIMEOUT, async () => {
    const root = trackOf({ "tide-label": TIDE_LABEL, odd: { ...TIDE_LABEL, files: { example: [] } } });
    const { code, out } = await cupel(root, "trial", "corpus", "exercism:.");
    expect(out).toMatch(/^tide-label +Tide label\n\nLeft out:\nodd +it names no exemplar in TypeScript\n/);
    expect(out).toMatch(/1 task, 1 left out\.\n$/);
    expect(code).toBe(0);
    const listed = await cupel(root, "trial", "corpus", "exercism:.", "--json");
    expect(Listed.parse(JSON.parse(listed.out)).tasks).toEqual([{ id: "tide-label" }]);
  });

  test("is refused where it is none", TIMEOUT, async () => {
    const { code, err } = await cupel(placeWith({ "a.md": "" }), "trial", "corpus", "homework");
    expect(code).toBe(2);
    expect(err).toMatch(/homework is no corpus\n {2}expected: builtin, exercism:PATH or polyglot:PATH/);
  });
});
