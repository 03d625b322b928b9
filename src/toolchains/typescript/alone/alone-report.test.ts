// What is told of calls that nobody made before: to refuse them all is one thing, to miss the world of the tests another.
import { expect, test } from "vitest";
import { CLAMP_CONTRACT } from "../../../../test/module-samples.ts";
import type { AloneAnswer } from "./alone-order.ts";
import { reportFrom } from "./alone-report.ts";

const fresh = Array.from({ length: 60 }, (_, at) => ({ entry: "clamp", args: [at, 0, 100] }));
const refused = fresh.map((_, at): AloneAnswer => ({ kind: "fresh", at, end: "threw", met: true, seen: [] }));

function refusing(...effects: string[]): string[] {
  const entry_points = CLAMP_CONTRACT.entry_points.map((entry) => ({ ...entry, effects }));
  const contract = { ...CLAMP_CONTRACT, entry_points };
  const answers = { told: refused, stuck: [] };
  const report = reportFrom({ again: [], steady: [], fresh }, answers, {
    contract,
    predicates: contract.predicates,
  });
  return report.kind === "ran" ? report.onlyForTests : [];
}

test.each([[], ["CLOCK system"], ["RANDOM dice", "MUTATION counter"]])(
  "whoever refuses all inputs but those of the tests is named, effects %j",
  (...effects) => {
    expect(refusing(...effects)).toEqual(["clamp"]);
  },
);

test.each(["READ file", "WRITE file", "NETWORK server"])(
  "unless what it needs was there for the tests: %s",
  (effect) => {
    expect(refusing(effect)).toEqual([]);
  },
);
