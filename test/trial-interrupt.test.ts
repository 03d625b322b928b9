// A trial that is stopped on its way leaves nothing behind but what goes on from there.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { type Ended, startCupel } from "./cupel-process.ts";
import { temporaryDirectory } from "./temporary.ts";

/** Told twice, so many milliseconds apart, when its workers have a place. */
async function stoppedTwice(apartMs: number): Promise<Ended & { left: string[] }> {
  const [directory, scratch] = [temporaryDirectory(), temporaryDirectory()];
  const args = ["trial", "run", join(directory, "t"), "--preset", "short"];
  const { child, ended } = startCupel(directory, args, { TMPDIR: scratch });
  while (placesIn(scratch).length === 0) await sleep(10);
  child.kill("SIGTERM");
  if (apartMs > 0) await sleep(apartMs);
  child.kill("SIGTERM");
  return { ...(await ended), left: placesIn(scratch) };
}

function placesIn(scratch: string): string[] {
  return readdirSync(scratch).filter((name) => name.startsWith("cupel-workers-"));
}

describe.skipIf(!bubblewrapWorks)(
  "a trial that is told to stop (needs bubblewrap)",
  { timeout: 60_000 },
  () => {
    test("by two signals at once drains, and says where it stands", async () => {
      const { code, out, left } = await stoppedTwice(0);
      expect(code).toBe(130);
      expect(out).toMatch(/cupel trial (?:run|resume) /);
      expect(left).toEqual([]);
    });

    test("a second time ends without waiting, and takes its workers' place along", async () => {
      const { left } = await stoppedTwice(150);
      expect(left).toEqual([]);
    });
  },
);
