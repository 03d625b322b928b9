// What doctor says of the target languages.
import { describe, expect, test } from "vitest";
import type { CommandResult } from "../workshop/process/run-command.ts";
import { probeNode, probePython, probeTypescript } from "./probes.ts";

const answer = (result: CommandResult) => () => Promise.resolve(result);
const prints = (stdout: string, code = 0): CommandResult => ({ kind: "exited", code, stdout, stderr: "" });
const absent: CommandResult = { kind: "not-found", command: "?", stdout: "", stderr: "" };

test.each([
  ["20.18.3", "unfit"],
  ["18.20.0", "unfit"],
  ["20.19.0", "ok"],
  ["22.0.0", "ok"],
  ["100.1.0", "ok"],
])("node %s is %s", (version, status) => {
  expect(probeNode(version)).toMatchObject({ required: true, status });
});

test("TypeScript needs npm", async () => {
  expect(await probeTypescript(answer(prints("11.0.0\n")), "")).toMatchObject({
    status: "ok",
    found: "npm 11.0.0",
  });
  expect(await probeTypescript(answer(absent), "")).toMatchObject({ status: "absent", required: false });
});

describe("Python", () => {
  test.each([
    ["whole", prints("3.11.2\n"), "ok", "python 3.11.2 with pytest, hypothesis, coverage"],
    [
      "without packages",
      prints("3.11.2 pytest coverage\n"),
      "unfit",
      "python 3.11.2 without pytest, coverage",
    ],
    ["crashing", prints("", 1), "absent", "no python3 on the PATH"],
    ["absent", absent, "absent", "no python3 on the PATH"],
  ])("%s", async (_name, result, status, found) => {
    expect(await probePython(answer(result), "")).toMatchObject({ status, found });
  });
});
