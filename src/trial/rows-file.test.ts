// Rows on the disk: torn ones go, strange ones are refused by their line, and none is counted twice.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary.ts";
import { sampleRow, sampleTrial } from "../../test/trial-run-samples.ts";
import { openRows, readRows } from "./rows-file.ts";
import { runsOf } from "./schedule.ts";

const RUNS = runsOf(sampleTrial());
const ROWS = RUNS.map((run) => sampleRow(run, { why: "grüße\n" }));

function fileWith(text: string | Buffer): string {
  const file = join(temporaryDirectory(), "rows.jsonl");
  writeFileSync(file, text);
  return file;
}

function linesOf(count: number): string {
  return ROWS.slice(0, count)
    .map((row) => `${JSON.stringify(row)}\n`)
    .join("");
}

test("what was appended is read again, also by several at once", async () => {
  const file = join(temporaryDirectory(), "rows.jsonl");
  expect(await readRows(file, RUNS)).toEqual([]);
  const rows = await openRows(file, RUNS);
  await Promise.all(ROWS.map((row) => rows.append(row)));
  await rows.close();
  expect(await readRows(file, RUNS)).toEqual(ROWS);
});

test("wherever the last line was torn, it goes, and what follows begins a line of its own", async () => {
  const whole = Buffer.from(linesOf(3));
  const before = Buffer.byteLength(linesOf(2));
  for (let length = before; length < whole.length; length += 1) {
    const file = fileWith(whole.subarray(0, length));
    expect(await readRows(file, RUNS)).toEqual(ROWS.slice(0, 2));
    // Reading changes nothing: somebody may be writing.
    expect(readFileSync(file)).toHaveLength(length);
    if (length % 40 !== 0) continue;
    const rows = await openRows(file, RUNS);
    expect(rows.rows).toHaveLength(2);
    await rows.append(sampleRow(RUNS[5] ?? { task: "", seed: 0, arm: "" }));
    await rows.close();
    expect(await readRows(file, RUNS)).toHaveLength(3);
  }
});

test.each([
  ["no JSON", "{ what\n", "line 3 of .*rows.jsonl is not a row: it is not JSON"],
  ["an empty line", "\n", "line 3 of .* is not a row"],
  ["another record", '{"task":"lock-door"}\n', "line 3 of .* is not a row: \\$.seed: expected a number"],
  ["a torn line that others follow", `${linesOf(4).slice(0, 40)}\n`, "line 3 of .* is not a row"],
  ["a row that is there already", linesOf(1), "line 3 of .* is about a run that an earlier line is about"],
  [
    "a row of another trial",
    `${JSON.stringify({ ...ROWS[0], task: "elsewhere" })}\n`,
    "line 3 of .* is about no run of this trial: elsewhere 1 solo",
  ],
  ["a share above one", `${JSON.stringify({ ...ROWS[2], coverage: 1.5 })}\n`, "coverage: expected at most 1"],
])("%s is refused with its line", async (_, line, message) => {
  const file = fileWith(linesOf(2));
  appendFileSync(file, line);
  const before = readFileSync(file, "utf8");
  await expect(openRows(file, RUNS)).rejects.toThrow(new RegExp(message));
  expect(readFileSync(file, "utf8")).toBe(before);
});

test("a folder in its place is no reason to lose a row silently", async () => {
  const file = join(temporaryDirectory(), "rows.jsonl");
  mkdirSync(file);
  await expect(openRows(file, RUNS)).rejects.toThrow("EISDIR");
});
