// What can be registered: the presets, what is changed in them, and what is refused because it would show nothing.
import { expect, test } from "vitest";
import { sampleTrial } from "../../test/trial-run-samples.ts";
import { TrialProtocol, USUAL_WORKERS } from "../domain/trial/trial-protocol.ts";
import { armNamed } from "./arms.ts";
import { checkProtocol } from "./check-protocol.ts";
import { BUILTIN } from "./corpus/builtin.ts";
import { protocolFor } from "./presets.ts";
import { runsOf } from "./schedule.ts";
import { sweptProtocols } from "./sweep.ts";

const CORPUS = BUILTIN.tasks();

test.each([
  ["short", 10, 3, ["solo", "gatekeeper", "debate", "blind", "fractal"]],
  ["full", 30, 10, ["solo", "gatekeeper", "debate", "blind", "fractal"]],
  ["control", 10, 3, ["solo", "solo-standard", "solo-standard-with-gates"]],
] as const)("%s is %d tasks, %d seeds and its arms", (preset, tasks, seeds, arms) => {
  const protocol = protocolFor({ preset }, CORPUS);
  expect(TrialProtocol.parse(protocol)).toEqual(protocol);
  checkProtocol(protocol, CORPUS);
  expect(protocol.arms.map(({ name }) => name)).toEqual(arms);
  expect(runsOf(protocol)).toHaveLength(tasks * seeds * arms.length);
  expect(protocol).toMatchObject({ control: arms[0], primary: "escaped", corpus: "builtin" });
  expect(protocol.workers).toEqual({ kind: "simulated", parameters: USUAL_WORKERS });
  expect(protocol.arms.filter(({ gates }) => gates === "off").map(({ name }) => name)).toEqual(
    preset === "control" ? ["solo", "solo-standard"] : ["solo"],
  );
  const areas = CORPUS.filter(({ id }) => protocol.tasks.includes(id)).map(({ area }) => area);
  expect(new Set(areas).size).toBe(10);
  expect(protocol.tasks).toEqual(CORPUS.map(({ id }) => id).filter((id) => protocol.tasks.includes(id)));
});

test("what is wished takes the place of what the preset has", () => {
  const wishes = {
    preset: "short",
    tasks: ["lock-door", "add-months"],
    seeds: 2,
    arms: ["blind-strict", "debate"],
  };
  expect(protocolFor({ ...wishes, preset: "short" }, CORPUS)).toMatchObject({
    tasks: ["add-months", "lock-door"],
    seeds: [1, 2],
    control: "blind-strict",
    arms: [{ protocol: "blind", rigor: "strict", gates: "on" }, { protocol: "debate" }],
  });
  expect(protocolFor({ preset: "full", tasks: 3 }, CORPUS).tasks).toHaveLength(3);
});

test.each([
  ["solo", { name: "solo", protocol: "solo", rigor: "lite", gates: "off" }],
  ["solo-lite-with-gates", { name: "solo-with-gates", protocol: "solo", rigor: "lite", gates: "on" }],
  ["solo-standard", { name: "solo-standard", protocol: "solo", rigor: "standard", gates: "off" }],
  ["debate-standard", { name: "debate", protocol: "debate", rigor: "standard", gates: "on" }],
  [
    "blind-lite-without-gates",
    { name: "blind-lite-without-gates", protocol: "blind", rigor: "lite", gates: "off" },
  ],
])("the arm %s", (typed, arm) => {
  expect(armNamed(typed)).toEqual(arm);
});

test.each([
  ["no tasks", () => checkProtocol(sampleTrial({ tasks: [] }), CORPUS), "the trial has no tasks"],
  ["an empty corpus", () => checkProtocol(sampleTrial(), []), "the corpus builtin has no tasks"],
  ["an unknown task", () => checkProtocol(sampleTrial({ tasks: ["lok-door"] }), CORPUS), '"lok-door"'],
  ["a task twice", () => checkProtocol(sampleTrial({ tasks: ["lock-door", "lock-door"] }), CORPUS), "twice"],
  ["a seed twice", () => checkProtocol(sampleTrial({ seeds: [1, 1] }), CORPUS), "the seed 1 is there twice"],
  [
    "an arm twice",
    () => checkProtocol(protocolFor({ preset: "short", arms: ["blind", "blind-standard"] }, CORPUS), CORPUS),
    "the arm blind is there twice",
  ],
  ["a control that is no arm", () => checkProtocol(sampleTrial({ control: "debate" }), CORPUS), '"debate"'],
  ["an unknown arm", () => armNamed("blnd"), 'there is no arm "blnd"'],
  ["too many tasks", () => protocolFor({ preset: "short", tasks: 36 }, CORPUS), "has 35 tasks, and 36"],
  ["a sweep of nothing", () => sweptProtocols(sampleTrial(), "defect="), '--sweep is "defect="'],
  ["a sweep beyond one", () => sweptProtocols(sampleTrial(), "defect=0.5,2"), "--sweep"],
  ["a sweep with a value twice", () => sweptProtocols(sampleTrial(), "defect=0.5,0.50"), "--sweep"],
  ["a sweep of what is no parameter", () => sweptProtocols(sampleTrial(), "defects=0.5"), '"defects"'],
  [
    "a sweep over real agents",
    () => sweptProtocols(sampleTrial({ workers: { kind: "runtime", runtime: "codex" } }), "defect=0.5"),
    "only the parameters of simulated workers",
  ],
])("%s is refused", (_, act, message) => {
  expect(act).toThrow(message);
});

test("a sweep is one trial for each value, and they differ in nothing else", () => {
  const swept = sweptProtocols(sampleTrial(), "wrong-test=0,0.25");
  expect(swept.map(({ folder }) => folder)).toEqual(["wrong-test-0", "wrong-test-0.25"]);
  for (const [index, value] of [0, 0.25].entries()) {
    const parameters = { ...USUAL_WORKERS, wrongTest: value };
    const name = `sample, wrongTest ${value}`;
    expect(swept[index]?.protocol).toEqual(sampleTrial({ name, workers: { kind: "simulated", parameters } }));
  }
});
