// What the door has found out once it knows in the next run, in another place; what it cannot look at at all is told.
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { examine } from "../src/engineering/ship/examine.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { LONG, world } from "./ship-bench.ts";
import { CLAMP_SAMPLE, orderFor, proposed } from "./ship-samples.ts";
import { temporaryDirectory } from "./temporary.ts";

test.skipIf(!bubblewrapWorks)(
  "mutants and planted defects are known again when the workplace is gone (needs bubblewrap)",
  LONG,
  async () => {
    const ports = await world();
    const candidate = await proposed(ports, CLAMP_SAMPLE);
    const order = orderFor(CLAMP_SAMPLE, { protocol: { debated: true, gates: ["green", "mutation"] } });
    const hows = async () => {
      const workplace = join(temporaryDirectory(), "workplace");
      mkdirSync(workplace, { mode: 0o755 });
      const before = await ports.store.journal.latest();
      expect((await examine({ ...ports, workplace }, order, candidate)).findings).toEqual([]);
      return (await ports.store.journal.read(before, 50)).flatMap((event) =>
        event.kind === "gate_verdict_recorded" && event.verdict.verdict === "PASS"
          ? [`${event.verdict.gate} ${event.verdict.liveness.how}`]
          : [],
      );
    };
    expect(await hows()).toEqual(["green this-run", "mutation this-run"]);
    expect(readdirSync(join(ports.memory, "mutants"))).toHaveLength(1);
    expect(await hows()).toEqual(["green cached", "mutation cached"]);
  },
);

test("work that no gate can look at is told in the journal before its debate", LONG, async () => {
  const ports = await world();
  const candidate = await proposed(ports, { ...CLAMP_SAMPLE, folder: "elsewhere" });
  const { findings } = await examine(ports, orderFor(CLAMP_SAMPLE), candidate);
  expect(findings).toEqual([expect.stringContaining("there is no modules/clamp/ in the work")]);
  expect(await ports.store.journal.read(0, 50)).toMatchObject([
    { kind: "module_refused", during: "examine", module: "MM-clamp@1.0.0", findings },
  ]);
});
