// What the harness inherited is covered, and what a command is given stays.
import { spawnSync } from "node:child_process";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";

const INHERITED = [5, 40, 100];

/** A harness that got a secret file under several numbers. */
function harness(body: string): string {
  const secret = join(temporaryDirectory(), "secret");
  writeFileSync(secret, "s3cret");
  const file = openSync(secret, "r");
  const stdio = Array.from({ length: 101 }, (_, n) =>
    n < 3 ? "pipe" : INHERITED.includes(n) ? file : "ignore",
  );
  const script = `
    const { inheritedDescriptors, coverInherited } = await import(process.argv[1] + "/descriptors.ts");
    const { runCommand } = await import(process.argv[1] + "/run-command.ts");
    ${body}`;
  const args = ["--import", "tsx", "--input-type=module", "-e", script, import.meta.dirname];
  const { stdout, stderr } = spawnSync(process.execPath, args, { stdio, encoding: "utf8" });
  closeSync(file);
  expect(stderr).toBe("");
  return stdout;
}

test("descriptors far from the others are found: Node closes only the first ones by itself", () => {
  expect(harness(`console.log(JSON.stringify(inheritedDescriptors()))`)).toMatch(/\b100\b/);
});

test("a command that Cupel starts can read none of them", () => {
  const read = INHERITED.map((n) => `cat /proc/self/fd/${n}`).join("; ");
  const run = `console.log((await runCommand("/bin/sh", ["-c", "${read}"], { env: {PATH: process.env.PATH}, timeoutMs: 5000 })).stdout)`;
  expect(harness(run)).toBe("\n");
  const bare = `const { spawnSync } = await import("node:child_process");
    console.log(spawnSync("/bin/sh", ["-c", "cat /proc/self/fd/100"], { encoding: "utf8" }).stdout)`;
  expect(harness(bare)).toBe("s3cret\n");
});

test("pipes that a command is given are not covered", () => {
  const covered = `console.log(JSON.stringify(coverInherited([..."123456"].map(() => "pipe")).slice(0, 8)))`;
  expect(harness(covered)).toMatch(/^\["pipe","pipe","pipe","pipe","pipe","pipe","ignore","ignore"\]/);
});
