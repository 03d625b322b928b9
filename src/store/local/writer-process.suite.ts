// A process of its own for the tests: writes to a store and prints each thing as soon as it is acknowledged.
import { writeSync } from "node:fs";
import { CupelError } from "../../domain/error.ts";
import { artifactSample, eventSample } from "../database-samples.suite.ts";
import type { Fence } from "../port.ts";
import { openLocalDatabase } from "./database.ts";
import type { FullDatabase } from "./database.ts";

const [task = "", path = "", name = "", ...rest] = process.argv.slice(2);
const [first = 0, count = 0, size = 1, start = 0] = rest.map(Number);

try {
  // Several processes that are told the same moment meet each other from the opening on.
  while (Date.now() < start);
  const database = openLocalDatabase(path, { durability: "normal" });
  say("open");
  if (task === "write") await write(database);
  if (task === "race") await race(database);
  await database.close();
  say("done");
} catch (cause) {
  if (!(cause instanceof CupelError)) throw cause;
  say(`error ${JSON.stringify({ code: cause.code, message: cause.message, hint: cause.hint })}`);
}

/** Numbered things from `first` on: an event and an artifact each. */
async function write(database: FullDatabase): Promise<void> {
  const fence = await take(database);
  const parent = process.ppid;
  // Whoever started us may die first; nobody would stop us then.
  for (let n = first; n < first + count && process.ppid === parent; n++) {
    const marker = `${n}:${"x".repeat(size)}`;
    const [event] = await database.journal.append(fence, [eventSample(marker, name)]);
    say(`event ${event?.seq} ${n}`);
    await database.artifacts.insert(fence, artifactSample(n));
    say(`artifact ${artifactSample(n).envelope.artifact_id} ${n}`);
  }
}

async function race(database: FullDatabase): Promise<void> {
  for (let n = first; n < first + count; n++) {
    const result = await database.leases.acquire(`race:${n}`, name, 60_000);
    if (result.kind === "acquired") say(`won ${n}`);
  }
}

async function take(database: FullDatabase): Promise<Fence> {
  const result = await database.leases.acquire(`run:${name}`, `writer-${process.pid}`, 1);
  if (result.kind === "acquired") return result.fence;
  throw new CupelError("stale_fence", `${result.by} has it`);
}

/** Synchronously: what was said before a kill has left the process. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}
