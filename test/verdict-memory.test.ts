// What a gate has said of the very same module may be said again; what differs in anything is looked at anew.
import { expect, test } from "vitest";
import type { GateName } from "../src/domain/evidence/gate.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { gatesOn, type Tried } from "./gate-samples.ts";
import { watchedMemory } from "./watched-memory.ts";
import { CLAMP, CLAMP_CONTRACT } from "./module-samples.ts";

const LONG = { timeout: 120_000 };
const GATES: readonly GateName[] = ["build", "static", "green", "contract-coverage"];

async function verdictsOn(tried: Tried): Promise<string[]> {
  const reported = await gatesOn({ only: GATES, contract: CLAMP_CONTRACT, ...tried });
  return reported.map(({ verdict }) => {
    const how = verdict.verdict === "PASS" ? ` ${verdict.liveness.how}` : "";
    return `${verdict.gate} ${verdict.verdict}${how}`;
  });
}

test.skipIf(!bubblewrapWorks)(
  "a second look takes over what is known, but never what is to be seen",
  LONG,
  async () => {
    const { looked, ...memory } = watchedMemory();
    await verdictsOn({ files: CLAMP, known: { memory } });
    expect(looked.splice(0).toSorted()).toEqual(["build", "contract-coverage", "green", "static"]);
    const evidence: unknown[] = [];
    const again = await verdictsOn({
      files: CLAMP,
      known: { memory, never: ["build", "green"] },
      onEvidence: (each) => evidence.push(each),
    });
    expect(looked.splice(0).toSorted()).toEqual(["build", "green"]);
    expect(again).toEqual([
      "build PASS this-run",
      "green PASS this-run",
      "contract-coverage PASS cached",
      "static PASS cached",
    ]);
    // What a verdict rests on is kept by whoever takes it over.
    expect(evidence.length).toBeGreaterThanOrEqual(2);
  },
);

const OTHERS: [string, Tried][] = [
  ["its code", { files: { ...CLAMP, "src/index.ts": `${CLAMP["src/index.ts"]}// more\n` } }],
  ["its tests", { files: { ...CLAMP, "test/clamp.test.ts": `${CLAMP["test/clamp.test.ts"]}// more\n` } }],
  ["a file beside them", { files: { ...CLAMP, "test/data.txt": "more\n" } }],
  ["its contract", { files: CLAMP, contract: { ...CLAMP_CONTRACT, purpose: "Keeps numbers in a range." } }],
  ["its rigor", { files: CLAMP, rigor: "strict" }],
];

test.skipIf(!bubblewrapWorks).each(OTHERS)(
  "nothing is taken over when it differs in %s",
  LONG,
  async (_what, tried) => {
    const { looked, ...memory } = watchedMemory();
    await verdictsOn({ files: CLAMP, known: { memory }, only: ["build", "static"] });
    looked.length = 0;
    await verdictsOn({ known: { memory }, only: ["build", "static"], ...tried });
    expect(looked.splice(0).toSorted()).toEqual(["build", "static"]);
  },
);

test("a no is not remembered", LONG, async () => {
  const { looked, ...memory } = watchedMemory();
  const files = { ...CLAMP, "src/index.ts": "export const clamp = (value: string): number => value;\n" };
  expect(await verdictsOn({ files, known: { memory }, only: ["build"] })).toEqual(["build FAIL"]);
  expect(looked.splice(0).toSorted()).toEqual([]);
});

test("without a sandbox nothing is remembered", LONG, async () => {
  const { looked, ...memory } = watchedMemory();
  await verdictsOn({ files: CLAMP, known: { memory }, only: ["build"], sandbox: "none" });
  expect(looked.splice(0).toSorted()).toEqual([]);
});
