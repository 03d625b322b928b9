// Whatever a person may hand over by mistake is refused quickly, with what to do instead.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary.ts";
import { readSource } from "./source.ts";
import { SPEC_TEMPLATE } from "./spec-template.ts";

test.each([
  ["empty", "SPEC.md", "", /is empty$/, /^write into it what you want/],
  ["blank", "SPEC.md", " \n\t\n", /is empty$/, /^write into it/],
  ["binary", "SPEC.md", Buffer.from([0xff, 0xfe, 0x00, 0x01]), /is no text in UTF-8$/, /plain UTF-8/],
  ["with a NUL", "SPEC.md", "# A\0", /is no text in UTF-8$/, /plain UTF-8/],
  ["of 10 MB", "SPEC.md", "x".repeat(10_000_000), /has 10000000 bytes; at most 262144/, /cupel\/documents/],
  [
    "the template itself",
    "SPEC.md",
    SPEC_TEMPLATE.replaceAll("\n", "\r\n"),
    /still the template/,
    /write into it/,
  ],
  ["no JSON", "spec.json", "{", /is not JSON: /, /^cupel schema ProductSpec/],
])("a file that is %s", async (_, name, content, message, hint) => {
  const file = join(temporaryDirectory(), name);
  writeFileSync(file, content);
  await expect(readSource(file)).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
  });
});

test("no file, a folder and a pipe that nobody writes to", async () => {
  const directory = temporaryDirectory();
  await expect(readSource(join(directory, "SPEC.md"))).rejects.toMatchObject({
    code: "not_found",
    hint: expect.stringMatching(/^cupel init/),
  });
  mkdirSync(join(directory, "folder"));
  const noFile = { code: "invalid_input", message: expect.stringMatching(/is no plain file$/) };
  await expect(readSource(join(directory, "folder"))).rejects.toMatchObject(noFile);
  spawnSync("mkfifo", [join(directory, "pipe")]);
  await expect(readSource(join(directory, "pipe"))).rejects.toMatchObject(noFile);
});

test("text and finished specifications are told apart by their names", async () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "SPEC.md"), "\uFEFF{}");
  writeFileSync(join(directory, "spec.json"), "{}");
  expect(await readSource(join(directory, "SPEC.md"))).toMatchObject({ kind: "text", text: "{}" });
  expect(await readSource(join(directory, "spec.json"))).toMatchObject({ kind: "spec", spec: {} });
});
