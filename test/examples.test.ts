// What the README shows is what the examples give, word for word but for names and times that differ every time.
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cupelIn } from "./cupel-process.ts";
import { temporaryDirectory } from "./temporary.ts";

test("the replayed call of the README", () => {
  const [, args = "", shown = ""] =
    /```console\n\$ npx cupel (ask [^\n]*)\n([\s\S]*?)```/.exec(readFileSync("README.md", "utf8")) ?? [];
  const directory = temporaryDirectory();
  cpSync("examples", join(directory, "examples"), { recursive: true });
  const { code, out, err } = cupelIn(directory, args.split(" "), { TMPDIR: directory });
  expect(code).toBe(0);
  expect(timeless(err + out)).toBe(timeless(shown));
});

function timeless(text: string): string {
  return text
    .replaceAll(/\br-[0-9a-f]{8}\b/g, "r-…")
    .replaceAll(/\/\S*\/cupel-ask-\w+/g, "…")
    .replaceAll(/sha256:[0-9a-f]{64}/g, "sha256:…")
    .replaceAll(/\d+\.\d s\b/g, "… s");
}
