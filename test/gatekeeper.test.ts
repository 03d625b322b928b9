// One module through the gatekeeper protocol with scripted agents and everything else real: git, sandbox, tests, mutants.
import { describe, expect, test } from "vitest";
import { ModuleResearch } from "../src/domain/gatekeeper/module-research.ts";
import { TestSuiteRecord } from "../src/domain/gatekeeper/test-suite-record.ts";
import { isCallEnd } from "../src/domain/run/run-event.ts";
import { thingNamed } from "../src/factory/things.ts";
import { checkStateStore } from "../src/store/state-store.ts";
import { BLIND_MODULE, TEST_TEXT } from "./blind-samples.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { engineered } from "./engineered.ts";
import {
  CODE,
  gatekeeperLines,
  HOSTILE,
  LONG,
  NO_CAPITALS,
  NO_ERROR,
  type Played,
  SMALL,
  TESTS,
  TRIVIAL,
} from "./gatekeeper-samples.ts";
import { sampleGit } from "./git-samples.ts";
import { INVOICE_TASK } from "./invoice-samples.ts";
import { orderFor } from "../src/simulator/lone-task.ts";

const LONG_MS = 600_000;
const ORDER = orderFor(INVOICE_TASK, { protocol: "gatekeeper" });

async function made(played: Played = {}) {
  const work = await engineered({ lines: gatekeeperLines(played), order: ORDER, report: "TEST_SUITE" });
  const record = TestSuiteRecord.parse(JSON.parse(await work.text("suite.json")));
  return { ...work, record };
}

describe.skipIf(!bubblewrapWorks)("one module (needs bubblewrap)", () => {
  test(
    "ships with the examples of the research, tests of one and code of another, and a record of every layer",
    { timeout: LONG_MS },
    async () => {
      const { outcome, nodes, record, store, project, engineering, text } = await made();
      expect(outcome).toEqual({
        kind: "shipped",
        task: INVOICE_TASK.task_id,
        modules: [`${BLIND_MODULE}@1.0.0`],
      });
      expect(nodes.join(" ")).toBe("research architect lay_out build test judge verify challenge ship exit");
      expect(record).toMatchObject({
        shipped: `${BLIND_MODULE}@1.0.0`,
        verdict: "PASS",
        attempts: { builder: 1, tester: 1 },
        results: { coverage: { uncovered: [] } },
      });
      const layers = record.results?.layers.map(({ layer, passed, failed }) => [layer, passed > 0, failed]);
      expect(layers).toEqual([
        ["unit", true, 0],
        ["property", true, 0],
        ["contract", true, 0],
        ["static", true, 0],
      ]);
      expect(record.graph.nodes.map(({ type, status }) => `${type} ${status}`)).toEqual([
        "REQ VERIFIED",
        "RESEARCH VERIFIED",
        "SPEC VERIFIED",
        "CODE VERIFIED",
        "TEST_SUITE VERIFIED",
      ]);
      expect(await text("suite.md")).toContain("TEST_SUITE TESTS CODE");
      const [research] = await store.artifacts.query({ type: "RESEARCH" });
      const kept = await store.payloads.get(research?.body["research.json"] ?? "");
      expect(ModuleResearch.parse(JSON.parse(kept.toString("utf8"))).examples).toHaveLength(3);

      const { gitDir, branch } = engineering.ports.hub;
      const at = (path: string): string => sampleGit(gitDir, "show", `${branch}:modules/initials/${path}`);
      expect(`${at("test/initials.test.ts").trimEnd()}\n`).toBe(TEST_TEXT);
      expect(at("examples.md")).toContain("## initials: one letter with spaces around it");
      expect((await checkStateStore(project, { repair: false })).problems).toEqual([]);
      const [suite] = await store.artifacts.query({ type: "TEST_SUITE" });
      expect(await thingNamed(project, BLIND_MODULE)).toMatchObject({ report: suite?.envelope.artifact_id });
    },
  );

  test(
    "comes through a builder that edits tests and one that is wrong, and a tester that edits code and one that tests nothing",
    { timeout: LONG_MS },
    async () => {
      const { outcome, nodes, record, events, store } = await made({
        builder: [{ ...CODE, ...TRIVIAL }, SMALL, CODE],
        tester: [{ ...TESTS, ...LONG }, TRIVIAL, TESTS],
      });
      expect(outcome).toMatchObject({ kind: "shipped" });
      expect(nodes.join(" ")).toBe(
        "research architect lay_out build build test test judge test judge build judge verify challenge ship exit",
      );
      const [stray, ...weak] = record.weaknesses;
      expect(stray).toContain("src/index.ts is not yours to change");
      expect(weak.join("\n")).toContain("numbers are numbers");
      expect(record.graph.edges.filter(({ type }) => type === "FEEDBACK")).toEqual([
        { type: "FEEDBACK", from: "SPEC", to: "CODE" },
        { type: "FEEDBACK", from: "CODE", to: "TEST_SUITE" },
        { type: "FEEDBACK", from: "CODE", to: "TEST_SUITE" },
        { type: "FEEDBACK", from: "TEST_SUITE", to: "CODE" },
      ]);
      // What the builder was told at last: the call with its values, and no line of a test.
      const last = events.findLast((event) => isCallEnd(event) && event.role === "builder");
      const ref = last !== undefined && isCallEnd(last) ? last.transcriptRef : null;
      const told = (await store.payloads.get(ref ?? "")).toString("utf8");
      expect(told).toContain("two words give two capitals");
      expect(told).not.toContain("fc.assert");
      expect(told).not.toContain("Grace   Brewster Hopper");
    },
  );

  test(
    "that is wrong three times halts with the failing call, whatever the tester thinks of it",
    { timeout: LONG_MS },
    async () => {
      const { outcome, nodes, record } = await made({ builder: [SMALL, LONG, SMALL] });
      expect(nodes.slice(-5)).toEqual(["judge", "build", "judge", "halt", "exit"]);
      expect(nodes.filter((node) => node === "test")).toHaveLength(1);
      expect(record).toMatchObject({ verdict: "NEEDS_REVISION", expected: "PASS", shipped: null });
      if (outcome.kind !== "halted") throw new Error(JSON.stringify(outcome));
      const failed = JSON.stringify(outcome.escalation.failed_invariants);
      expect(failed).toContain("two words give two capitals");
      expect(failed).toContain("calls initials");
      expect(failed).toContain("expected AL; got al");
      expect(outcome.escalation.recommended_resolution).toBe("PROVIDE_FIX");
    },
  );

  test(
    "keeps a test that has failed: a tester that drops it is told so, by name",
    { timeout: LONG_MS },
    async () => {
      const { outcome, nodes, record } = await made({
        builder: [SMALL, CODE],
        tester: [NO_ERROR, NO_CAPITALS, TESTS],
      });
      expect(outcome).toMatchObject({ kind: "shipped" });
      expect(nodes.slice(3, 11).join(" ")).toBe("build test judge build judge test judge test");
      expect(record.weaknesses.join("\n")).toContain("error_surfaces.0");
      expect(record.weaknesses).toContain(
        'the test "two words give two capitals" failed on the code before, and it or what it uses was changed or dropped; put it back as it was',
      );
    },
  );

  test("with forbidden code is over at once", { timeout: LONG_MS }, async () => {
    const { outcome, nodes, record } = await made({ builder: [HOSTILE, CODE] });
    expect(nodes.join(" ")).toBe("research architect lay_out build test judge halt exit");
    expect(record).toMatchObject({ verdict: "FAIL", attempts: { builder: 1, tester: 1 } });
    expect(JSON.stringify(outcome)).toContain("child_process");
  });
});
