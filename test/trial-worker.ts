// A process that plays a trial with players that take a moment, and says each run only when its row is on the disk.
import { setTimeout as sleep } from "node:timers/promises";
import { openRows } from "../src/trial/rows-file.ts";
import { runTrial } from "../src/trial/run-trial.ts";
import { runsOf } from "../src/trial/schedule.ts";
import { holdFolder, lockProtocol, placesOf, protocolIn } from "../src/trial/trial-folder.ts";
import { runKey } from "../src/domain/trial/trial-row.ts";
import { samplePlayer, sampleRow } from "./trial-run-samples.ts";

const folder = process.argv[2] ?? "";
const letGo = await holdFolder(folder, 1);
const protocol = await protocolIn(folder);
await lockProtocol(folder, protocol);
const rows = await openRows(placesOf(folder).rows, runsOf(protocol));
const player = samplePlayer([], async (run) => {
  await sleep(1);
  return sampleRow(run);
});
await runTrial(protocol, {
  players: [player, player],
  rows,
  onPlayed: (row) => process.stdout.write(`${runKey(row)}\n`),
});
await rows.close();
await letGo();
