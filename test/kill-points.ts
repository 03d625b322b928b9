// A database whose every transaction is a place to die at, for processes that kill themselves.
import { writeSync } from "node:fs";
import { join } from "node:path";
import { Sql } from "../src/store/sql.ts";

/** `isLast` says of each point whether it is the last one. */
export function openWithPoints(directory: string, isLast: (where: string) => boolean) {
  const point = (where: string): void => {
    if (!isLast(where)) return;
    say("killed", { where });
    process.kill(process.pid, "SIGKILL");
    // The signal may take a moment to arrive; nothing may happen meanwhile.
    for (;;);
  };
  const sql = Sql.open(join(directory, "cupel.db"), { durability: "normal" });
  const transact = sql.transact.bind(sql);
  /** Before, inside and after every transaction. */
  sql.transact = (work) => {
    point("before a transaction");
    const result = transact(() => {
      const done = work();
      point("inside a transaction");
      return done;
    });
    point("after a transaction");
    return result;
  };
  return { sql, point };
}

/** Synchronously: what was said before a kill has left the process. */
export function say(what: string, more: object): void {
  writeSync(1, `${JSON.stringify({ what, ...more })}\n`);
}
