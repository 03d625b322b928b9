// A tree ends as a whole, and nothing that does not belong to it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import {
  endTree,
  groupEmpties,
  groupHasMembers,
  leftoversOf,
  MARKER,
  threadsOfUser,
} from "./process-tree.ts";
import { survivorsOf } from "../sandbox/sandbox-world.suite.ts";

let count = 0;

/** A process with a session of its own that sleeps until it is ended. */
async function start(marker: string, script: (token: string) => string) {
  const token = `301.${process.pid}${(count += 1)}`;
  const env = { PATH: process.env["PATH"] ?? "", [MARKER]: marker };
  const child = spawn("/bin/sh", ["-c", `${script(token)}; echo up; exec sleep ${token}`], {
    env,
    detached: true,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return { token, root: Number(child.pid), child };
}

test("descendants, sessions and orphans end; a stranger does not", async () => {
  const stranger = await start("stranger", () => ":");
  const { token, root } = await start(
    "mine",
    (token) => `(setsid sleep ${token} &); setsid sleep ${token} & sleep ${token} & :`,
  );
  await endTree({ marker: "mine", root, session: root });
  expect(await survivorsOf({ token })).toEqual([]);
  expect(await survivorsOf(stranger)).toHaveLength(1);
});

test("one that keeps forking ends too", async () => {
  const { token, root } = await start(
    "forking",
    (token) => `(while :; do setsid sleep ${token} & sleep 0.005; done) & sleep 0.1`,
  );
  await endTree({ marker: "forking", root, session: root });
  await sleep(50);
  expect(await survivorsOf({ token })).toEqual([]);
});

test("after the command's own process is gone its number is no longer trusted", async () => {
  const { token, root, child } = await start("gone", (token) => `setsid sleep ${token} & :`);
  expect(groupHasMembers(root)).toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  await expect.poll(() => groupHasMembers(root)).toBe(false);
  expect(leftoversOf({ marker: "gone", root, session: root })).toEqual({ marker: "gone" });
  expect(await survivorsOf({ token })).toHaveLength(1);
  await endTree({ marker: "gone" });
  expect(await survivorsOf({ token })).toEqual([]);
});

test("the harness counts its own threads", () => {
  expect(threadsOfUser(process.getuid?.())).toBeGreaterThan(4);
  expect(threadsOfUser(4_294_967_000)).toBe(0);
});

test("a group of which only dead processes are left is empty, one with a living process is not", async () => {
  // What bash started goes on beside sleep, which collects nobody.
  const child = spawn("/bin/bash", [
    "-c",
    "set -m; sleep 0.2 & echo $!; sleep 302 & echo $!; exec sleep 302",
  ]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  for await (const text of child.stdout) if (/\d+\n\d+\n/.test((said += String(text)))) break;
  const [dead = 0, alive = 0] = said.trim().split("\n").map(Number);
  onTestFinished(() => void process.kill(alive, "SIGKILL"));
  await sleep(500);
  expect(await groupEmpties(dead)).toBe(true);
  expect(groupHasMembers(dead)).toBe(true);
  expect(await groupEmpties(alive)).toBe(false);
});
