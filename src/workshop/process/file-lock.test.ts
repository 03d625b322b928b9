// Locks on files: one holder at a time, and none after its process was killed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { lockFile } from "./file-lock.ts";

test("one has it, the other is told, and gets it when it is free", async () => {
  const file = join(temporaryDirectory(), "lock");
  const first = await lockFile(file, 0);
  expect(first.kind).toBe("held");
  expect(await lockFile(file, 0)).toEqual({ kind: "taken" });
  if (first.kind === "held") await first.release();
  const second = await lockFile(file, 0);
  expect(second.kind).toBe("held");
  if (second.kind === "held") await second.release();
});

test("a killed process leaves nothing behind", async () => {
  const file = join(temporaryDirectory(), "lock");
  const code = `const { lockFile } = await import(${JSON.stringify(join(import.meta.dirname, "file-lock.ts"))});
    console.log((await lockFile(${JSON.stringify(file)}, 0)).kind);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = await once(child.stdout, "data");
  expect(String(said)).toBe("held\n");
  expect(await lockFile(file, 0)).toEqual({ kind: "taken" });
  child.kill("SIGKILL");
  await once(child, "close");
  const lock = await lockFile(file, 5);
  expect(lock.kind).toBe("held");
  if (lock.kind === "held") await lock.release();
});
