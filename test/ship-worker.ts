// A process of its own for the tests: ships a sample, or seals what was judged before, and kills itself at a given point.
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { ship } from "../src/engineering/ship/ship.ts";
import { seal } from "../src/engineering/ship/seal.ts";
import type { PreparedShip } from "../src/engineering/ship/seal.ts";
import { Sql } from "../src/store/sql.ts";
import { say } from "./kill-points.ts";
import { CLAMP_SAMPLE, CLIP_SAMPLE, orderFor, proposed } from "./ship-samples.ts";
import { openWorld } from "./ship-world.ts";

const [what = "", project = "", runId = "", killAt = "", sandbox = ""] = process.argv.slice(2);
let points = 0;
const point = (where: string): void => {
  points++;
  if (where !== killAt && String(points) !== killAt) return;
  say("killed", { where });
  process.kill(process.pid, "SIGKILL");
  // The signal may take a moment to arrive; nothing may happen meanwhile.
  for (;;);
};

/** Around every call of a function that changes the world. */
function around(owner: object, name: string): void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== "function") throw new Error(`there is no ${name}`);
  Reflect.set(owner, name, function pointed(this: unknown, ...args: unknown[]): unknown {
    point(`before ${name}`);
    const result: unknown = Reflect.apply(original, this, args);
    point(`after ${name}`);
    return result;
  });
}

const ports = await openWorld(project, {
  runId,
  sandbox: sandbox === "none" ? "none" : "bubblewrap",
  onStep: (step) => point(step),
});
// After everything is open, so that the points are those of the ship alone.
for (const name of ["writeFileSync", "renameSync", "rmSync", "appendFileSync"]) around(fs, name);
around(childProcess, "spawn");
syncBuiltinESMExports();
const transact: unknown = Reflect.get(Sql.prototype, "transact");
Reflect.set(Sql.prototype, "transact", function pointed(this: unknown, work: () => unknown): unknown {
  point("before a transaction");
  const inside = () => {
    const result = work();
    point("inside a transaction");
    return result;
  };
  const result: unknown =
    typeof transact === "function" ? Reflect.apply(transact, this, [inside]) : undefined;
  point("after a transaction");
  return result;
});

if (what === "seal") {
  const prepared: PreparedShip = JSON.parse(fs.readFileSync(join(project, "prepared.json"), "utf8"));
  say("outcome", { ...(await seal(ports, prepared, () => Promise.resolve(true))), points });
} else {
  const sample = what === "clip" ? CLIP_SAMPLE : CLAMP_SAMPLE;
  const order = orderFor(sample, { protocol: { debated: true, gates: ["green"] } });
  say("outcome", { ...(await ship(ports, order, await proposed(ports, sample))), points });
}
process.exit(0);
