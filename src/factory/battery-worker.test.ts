// Players in other processes: each play has one answer, and a process that dies takes only its own play with it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary.ts";
import type { BatterySettings } from "../simulator/battery/port.ts";
import type { Cheat } from "../simulator/cheats/port.ts";
import { type Player, workerPlayer } from "./battery-worker.ts";

const SETTINGS: BatterySettings = { protocol: "solo", rigor: "standard", seed: 1, gates: "on" };

/** Answers as the name of the cheat says; `seconds` is how many plays it has had. */
const WORKER = `
import { createInterface } from "node:readline";
let plays = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { name, as } = JSON.parse(line);
  plays += 1;
  if (name === "dies") {
    console.error("no room left");
    process.exit(3);
  }
  const result = { name, family: "tests", as, outcome: "refused", by: ["green"], finding: "", seconds: plays };
  console.log(name === "babbles" ? "that went well" : JSON.stringify(result));
}
`;

function playerOf(): Player {
  const file = join(temporaryDirectory(), "worker.mjs");
  writeFileSync(file, WORKER);
  const { PATH = "" } = process.env;
  const player = workerPlayer(SETTINGS, { command: process.execPath, args: [file], env: { PATH } });
  onTestFinished(() => player.close());
  return player;
}

function cheatNamed(name: string): Cheat {
  return {
    name,
    family: "tests",
    does: "cheats",
    twinDoes: "does not",
    cheat: (work) => work,
    twin: (work) => work,
    refusedBy: ["green"],
  };
}

test("plays one after the other in the same process", async () => {
  const player = playerOf();
  const first = await player.play({ cheat: cheatNamed("a"), as: "cheat" });
  expect(first).toMatchObject({ name: "a", as: "cheat", by: ["green"], seconds: 1 });
  expect(await player.play({ cheat: cheatNamed("b"), as: "twin" })).toMatchObject({ as: "twin", seconds: 2 });
});

test.each([
  ["dies", "ended before it did: no room left"],
  ["babbles", "that went well"],
])("one that %s has no result, and the next play has a new process", async (name, why) => {
  const player = playerOf();
  await player.play({ cheat: cheatNamed("a"), as: "cheat" });
  await expect(player.play({ cheat: cheatNamed(name), as: "cheat" })).rejects.toThrow(why);
  expect(await player.play({ cheat: cheatNamed("b"), as: "cheat" })).toMatchObject({ name: "b", seconds: 1 });
});
