// What does not come through the door, and what is said then; nothing of it leaves a trace but the telling.
import { describe, expect, test } from "vitest";
import { surfaceFingerprint } from "../src/domain/contract/fingerprint.ts";
import { ExecutionLog } from "../src/domain/people/ship-evidence.ts";
import { contents } from "../src/engineering/ship/contents.ts";
import type { ShipPorts } from "../src/engineering/ship/port.ts";
import { ship } from "../src/engineering/ship/ship.ts";
import type { ShipAnswer } from "../src/protocols/port.ts";
import { sampleGit } from "./git-samples.ts";
import { FEW, LONG, shipped, world } from "./ship-bench.ts";
import { CLAMP_SAMPLE, orderFor, PERCENT_SAMPLE, proposed, type Sample } from "./ship-samples.ts";
import { indexChanges } from "./folder-index.ts";

const CODE = CLAMP_SAMPLE.files["src/index.ts"] ?? "";
const TESTS = CLAMP_SAMPLE.files["test/clamp.test.ts"] ?? "";

describe("what does not ship", () => {
  const REFUSED: [string, Record<string, string>, RegExp][] = [
    [
      "a failing test",
      { "src/index.ts": CODE.replace("return low", "return high") },
      /^green: modules\/clamp\/test\/clamp.test.ts: clamp > -5 within 0 and 10 is 0: failed/,
    ],
    [
      "weak tests",
      {
        "test/clamp.test.ts": TESTS.replace("[-5, 0, 10, 0],", "").replace(
          / {2}test\("never[^]*\n {2}\}\);\n/,
          "",
        ),
      },
      /^mutation: modules\/clamp\/src\/index.ts:\d+: no test notices/,
    ],
    ["no examples", { "examples.md": "" }, /^modules\/clamp\/examples.md is missing/],
    [
      "a file that is no part of a module",
      { "vitest.config.ts": "export default {};\n" },
      /vitest.config.ts does not belong to a module/,
    ],
    [
      "code that does not build",
      { "src/index.ts": `${CODE}const wrong: string = 1;\n` },
      /^build: modules\/clamp\/src\/index.ts:\d+: TS2322/,
    ],
  ];

  test.each(REFUSED)("%s", LONG, async (_what, files, why) => {
    const ports = await world();
    const all = { ...CLAMP_SAMPLE.files, ...files };
    const kept = Object.fromEntries(Object.entries(all).filter(([, text]) => text !== ""));
    const candidate = await proposed(ports, { ...CLAMP_SAMPLE, files: kept });
    const tip = sampleGit(ports.hub.gitDir, "rev-parse", ports.hub.branch);
    const order = orderFor(CLAMP_SAMPLE, { protocol: { debated: true, gates: ["green", "mutation"] } });
    const answer = await ship(ports, order, candidate);
    expect(answer).toMatchObject({
      kind: "refused",
      findings: expect.arrayContaining([expect.stringMatching(why)]),
    });
    expect(await ports.store.modules.list()).toEqual([]);
    expect(indexChanges(ports.hub.project)).toEqual([]);
    expect(sampleGit(ports.hub.gitDir, "rev-parse", ports.hub.branch)).toBe(tip);
    const events = await ports.store.journal.read(0, 50);
    expect(events.at(-1)).toMatchObject({ kind: "module_refused", findings: expect.anything() });
    // What was refused before any gate looked is told by the refusal alone.
    const told = events.filter((event) => event.kind === "gate_verdict_recorded");
    expect(told).toHaveLength(events.length - 1);
    const blocking = told.filter(({ blocks }) => blocks).map(({ verdict }) => verdict.gate);
    const named = answer.kind === "refused" ? answer.findings.map((text) => text.split(":")[0]) : [];
    for (const gate of blocking) expect(named).toContain(gate);
    if (/^\W*(build|green|mutation)/.test(why.source)) expect(blocking).not.toEqual([]);
    if (answer.kind === "refused" && answer.executionLogRef !== undefined) {
      const log = await ports.store.payloads.get(answer.executionLogRef);
      expect(ExecutionLog.parse(JSON.parse(String(log))).summary.total).toBeGreaterThan(0);
    }
  });

  test("another surface than the locked one, with both fingerprints and what moved", LONG, async () => {
    const ports = await world();
    const files = {
      ...CLAMP_SAMPLE.files,
      "src/index.ts": CODE.replace(
        "high: number): number",
        "high: number, loud?: boolean): number | undefined",
      ).replace("if (value < low)", "if (loud === true) return undefined;\n  if (value < low)"),
    };
    const answer = await ship(
      ports,
      orderFor(CLAMP_SAMPLE, { protocol: FEW }),
      await proposed(ports, { ...CLAMP_SAMPLE, files }),
    );
    if (answer.kind !== "refused" || answer.mismatch === undefined) throw new Error("it should not ship");
    const { locked_fingerprint: locked, actual_fingerprint: actual, changes } = answer.mismatch;
    expect(locked).toBe(surfaceFingerprint(CLAMP_SAMPLE.contract.entry_points));
    expect(actual).not.toBe(locked);
    expect(answer.findings[0]).toBe(`Interface fingerprint mismatch: expected ${locked}, got ${actual}`);
    expect(changes.map(({ dimension, kind, name }) => `${kind} ${dimension} ${name}`)).toEqual([
      "added inputs loud",
      "changed outputs result",
    ]);
  });

  test("what nobody approved, or what was not locked", LONG, async () => {
    const ports = await world();
    const order = orderFor(CLAMP_SAMPLE, { protocol: FEW });
    const waiting = await proposed(ports, CLAMP_SAMPLE, null);
    await expect(ship(ports, order, waiting)).rejects.toMatchObject({
      code: "illegal_transition",
      message: expect.stringContaining("nobody has adjudicated"),
    });
    const rejected = await proposed(ports, CLAMP_SAMPLE, "REJECT");
    await expect(ship(ports, order, rejected)).rejects.toThrow("ADJ-0a1b2c3d says REJECT");
    await expect(ship(ports, order, { ...rejected, proposal: null })).rejects.toThrow("nothing was proposed");
    const approved = await proposed(ports, CLAMP_SAMPLE);
    const contract = { ...CLAMP_SAMPLE.contract, purpose: "Keeps a number out of a range." };
    await expect(ship(ports, order, { ...approved, contract })).rejects.toThrow(
      "not the one that was locked",
    );
    const other = { ...order, assignment: { ...order.assignment, version: "1.0.1" } };
    await expect(ship(ports, other, approved)).rejects.toThrow("MM-clamp@1.0.0");
    expect(await ports.store.modules.list()).toEqual([]);
  });

  test("a version that is sealed with other content, and a folder that is another's", LONG, async () => {
    const ports = await world();
    await shipped(ports, CLAMP_SAMPLE);
    const changed = { ...CLAMP_SAMPLE, files: { ...CLAMP_SAMPLE.files, "examples.md": "other\n" } };
    expect(await answerTo(ports, changed)).toEqual({
      kind: "barred",
      why: "MM-clamp@1.0.0 has shipped with other content, and stays as it is",
    });
    expect(await answerTo(ports, { ...PERCENT_SAMPLE, folder: "clamp" })).toEqual({
      kind: "barred",
      why: "MM-percent cannot ship into modules/clamp: it has become the folder of MM-clamp",
    });
    const events = await ports.store.journal.read(0, 200);
    expect(events.filter(({ kind }) => kind === "module_refused")).toHaveLength(2);
  });
});

describe("what an amendment can name", () => {
  test("functions, tests and files, each with a hash of its own", LONG, async () => {
    const ports = await world();
    const before = await proposed(ports, CLAMP_SAMPLE);
    const files = { ...CLAMP_SAMPLE.files, "src/index.ts": CODE.replace("low is above high", "low > high") };
    const after = await proposed(ports, { ...CLAMP_SAMPLE, files });
    const [old, fresh] = [
      await contents(ports, orderFor(CLAMP_SAMPLE), before),
      await contents(ports, orderFor(CLAMP_SAMPLE), after),
    ];
    expect([...old.keys()].toSorted()).toEqual([
      "clamp",
      "clamp > %d within %d and %d is %d",
      "clamp > never leaves the range",
      "clamp > refuses a range that is none",
      "examples.md",
      "src/index.ts",
      "test/clamp.test.ts",
    ]);
    const changed = [...old].filter(([name, hash]) => fresh.get(name) !== hash).map(([name]) => name);
    expect(changed.toSorted()).toEqual(["clamp", "src/index.ts"]);
  });
});

async function answerTo(ports: ShipPorts, sample: Sample): Promise<ShipAnswer> {
  return ship(ports, orderFor(sample, { protocol: FEW }), await proposed(ports, sample));
}
