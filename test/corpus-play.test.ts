// Honest simulated agents make builtin tasks in real runs of every protocol.
import { afterAll, describe, expect, test } from "vitest";
import { stopCompiler } from "../src/toolchains/typescript/compiler/program.ts";
import { caseOf } from "../src/trial/corpus/builtin-case.ts";
import { BUILTIN } from "../src/trial/corpus/builtin.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { madeBy } from "./simulated-run.ts";

const isLong = process.env["CUPEL_LONG"] === "1";

afterAll(stopCompiler);

/** Every protocol is played; in the usual suite one of them. */
const PLAYED = [
  ["blind", "pack-runs"],
  ["solo", "unique-slugs"],
  ["debate", "map-limited"],
  ["gatekeeper", "ago-label"],
  ["blind", "read-stock"],
  ["blind", "retry-work"],
  ["gatekeeper", "pick-seats"],
] as const;

describe.skipIf(!bubblewrapWorks)("honest agents", () => {
  test.each(PLAYED.slice(0, isLong ? PLAYED.length : 1))(
    "ship with %s: %s",
    { timeout: 300_000 },
    async (protocol, id) => {
      const task = BUILTIN.tasks().find((each) => each.id === id);
      if (task === undefined) throw new Error(`there is no task ${id}`);
      const { outcome, gates, why } = await madeBy("honest", caseOf(task), protocol);
      expect({ outcome, gates, why }).toEqual({ outcome: "shipped", gates: "", why: "" });
    },
  );
});
