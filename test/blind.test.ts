// One module through the blind protocol with scripted agents and everything else real: git, sandbox, tests, mutants, canaries.
import { describe, expect, test } from "vitest";
import { HybridResult } from "../src/domain/blind/hybrid-result.ts";
import { blindAdvice } from "../src/protocols/blind/advice.ts";
import { checkStateStore } from "../src/store/state-store.ts";
import {
  BLIND_CODE,
  BLIND_MODULE,
  blindLines,
  honestFix,
  honestRetest,
  secondLines,
  TEST_TEXT,
  TRIVIAL_TESTS,
  WRONG_CODE,
} from "./blind-samples.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { engineered } from "./engineered.ts";
import { sampleGit } from "./git-samples.ts";
import { INVOICE_TASK } from "./invoice-samples.ts";
import { orderFor } from "../src/simulator/lone-task.ts";

const LONG = 300_000;
const ORDER = orderFor(INVOICE_TASK, { protocol: "blind" });

function made(lines: ReturnType<typeof blindLines>, order = ORDER) {
  return engineered({ lines, order, report: "WITNESS_REPORT", jobs: blindAdvice });
}

describe.skipIf(!bubblewrapWorks)("one module (needs bubblewrap)", () => {
  test(
    "written blind ships with tests of one side, code of the other, a certificate and a story that the journal tells",
    { timeout: LONG },
    async () => {
      const { outcome, nodes, text, engineering, project } = await made(blindLines());
      expect(outcome).toEqual({
        kind: "shipped",
        task: INVOICE_TASK.task_id,
        modules: [`${BLIND_MODULE}@1.0.0`],
      });
      expect(nodes.join(" ")).toBe(
        "types scaffold skeleton type_adversary gate fork impl tests join verify_tdd merge validate post_validate certify challenge ship witness exit",
      );
      const result = HybridResult.parse(JSON.parse(await text("result.json")));
      expect(result).toMatchObject({
        shipped: `${BLIND_MODULE}@1.0.0`,
        coverage: { functionsUncovered: [], sketchesUncovered: [], sketchesCovered: ["oneLetterPerWord"] },
        typeAdversary: { verdict: "Sound" },
        mutationAdversary: { verdict: "Robust", survivors: [] },
        blindness: { result: "held", barrier: "sandbox" },
        witness: { wordedBy: "harness" },
      });
      expect(result.witness.narrative.map(({ text: said }) => said)).toContain(
        `${BLIND_MODULE}@1.0.0 shipped.`,
      );
      expect(await text("result.md")).toContain("barrier: held (sandbox)");
      const { gitDir, branch } = engineering.ports.hub;
      const at = (path: string): string => sampleGit(gitDir, "show", `${branch}:modules/initials/${path}`);
      expect(`${at("test/initials.test.ts").trimEnd()}\n`).toBe(TEST_TEXT);
      expect(`${at("src/index.ts").trimEnd()}\n`).toBe(BLIND_CODE["src/index.ts"]);
      expect((await checkStateStore(project, { repair: false })).problems).toEqual([]);
    },
  );

  test(
    "with a test that tests nothing goes back to its tester, by name, and the code is not written twice; a wrong implementation is mended",
    { timeout: LONG },
    async () => {
      const { outcome, nodes, text, store } = await made(
        blindLines({ tests: TRIVIAL_TESTS, code: WRONG_CODE, more: [honestRetest(), honestFix()] }),
      );
      expect(outcome).toMatchObject({ kind: "shipped" });
      expect(nodes.join(" ")).toContain(
        "verify_tdd tests_reject retest verify_tdd merge validate fix validate post_validate certify",
      );
      expect(nodes.filter((node) => node === "impl")).toHaveLength(1);
      const refusals = (await store.journal.read(0, 5000)).filter(
        (event) =>
          event.kind === "gate_verdict_recorded" && event.verdict.gate === "red-on-skeleton" && event.blocks,
      );
      expect(JSON.stringify(refusals)).toContain("numbers are numbers");
      const { understanding } = HybridResult.parse(JSON.parse(await text("result.json")));
      expect(understanding.tried).toMatchObject([{ function: "initials", fixType: "LogicFix" }]);
      expect(understanding.patterns.length).toBeGreaterThan(0);
    },
  );

  const TWO = { ...ORDER, blind: { testers: 2, implementers: 2, speculation: "off" as const } };

  test(
    "by two testers and two implementers ships what the contract decides for; the other one is dropped",
    { timeout: LONG },
    async () => {
      const { outcome, nodes, text } = await made(blindLines({ more: secondLines("longer") }), TWO);
      expect(outcome.kind).toBe("shipped");
      expect(nodes).toContain("cross_check");
      const { matrix } = HybridResult.parse(JSON.parse(await text("result.json")));
      expect(
        matrix.map(({ suite, implementation, failing }) => `${suite} ${implementation} ${failing.length}`),
      ).toEqual(["property 0 0", "example 0 0", "property 1 2", "example 1 1"]);
    },
  );

  test(
    "by two implementers who differ on an input that nothing decides is a question with that input",
    { timeout: LONG },
    async () => {
      const { outcome, nodes, text } = await made(blindLines({ more: secondLines("hidden") }), TWO);
      expect(nodes.slice(-5)).toEqual(["verify_tdd", "merge", "cross_check", "halt", "exit"]);
      if (outcome.kind !== "halted") throw new Error(JSON.stringify(outcome));
      expect(outcome.escalation.minimal_decision_required).toMatch(
        /^Which is right for initials\(.+\)\? One implementation returned .+, the other returned "#"\.$/,
      );
      const { matrix } = HybridResult.parse(JSON.parse(await text("result.json")));
      expect(matrix.flatMap(({ failing }) => failing)).toEqual([]);
    },
  );
});
