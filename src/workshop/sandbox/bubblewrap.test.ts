// Bubblewrap keeps every promise of a sandbox, and what only it promises.
import { spawn } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { bubblewrapWorks } from "../../../test/bubblewrap.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { sandboxSuite } from "./sandbox.suite.ts";
import { newWorld, survivorsOf } from "./sandbox-world.suite.ts";

describe.skipIf(!bubblewrapWorks)("needs bubblewrap", () => {
  sandboxSuite("bubblewrap", bubblewrap);

  test("a fork bomb ends with its command", async () => {
    const world = await newWorld(bubblewrap());
    const bomb = `bomb() { bomb ${world.token} | bomb ${world.token} & }; bomb; sleep ${world.token}`;
    const result = await world.sh(bomb, { timeoutMs: 700, limits: { processes: 60, cpuSeconds: 5 } });
    expect(result).toMatchObject({ kind: "timed-out" });
    expect(await survivorsOf(world)).toEqual([]);
  });

  test("a command sees the system's programs, its account and nothing else", async () => {
    const { sh } = await newWorld(bubblewrap());
    const top = (await sh("ls /")).stdout.trim().split("\n");
    expect(
      top.filter((name) => !/^(bin|dev|etc|home|lib\w*|proc|sbin|tmp|usr|workspace)$/.test(name)),
    ).toEqual([]);
    expect((await sh("ls -A /home /home/agent /tmp /dev/shm | grep -v : | xargs")).stdout).toBe("agent\n");
    expect((await sh("ls -A /etc")).stdout).not.toMatch(/shadow|hostname|resolv|machine-id|hosts/);
    const account = "agent:x:1000:1000::/home/agent:/bin/sh\nagent:x:1000:\nsandbox\n";
    expect((await sh("cat /etc/passwd /etc/group /proc/sys/kernel/hostname")).stdout).toBe(account);
  });

  test("nothing but the workspace and the temporary directories can be written", async () => {
    const { sh } = await newWorld(bubblewrap());
    const closed = ["/", "/dev", "/etc", "/home", "/usr", "/usr/bin", "/proc/sys/kernel"];
    const opened = ["/tmp", "/home/agent", "/dev/shm", "/workspace"];
    const writable = [];
    for (const place of [...closed, ...opened]) {
      const { stdout } = await sh(`echo x > ${place}/new && echo written`);
      if (stdout === "written\n") writable.push(place);
    }
    expect(writable).toEqual(opened);
  });

  test("a temporary directory is limited in size", async () => {
    const { sh } = await newWorld(bubblewrap());
    expect(
      (await sh("df --output=size -m /tmp /home/agent /dev/shm | tail -n 3")).stdout.match(/\d+/g),
    ).toEqual(["512", "512", "64"]);
  });

  test("a command cannot pass for a failure of bubblewrap, nor forge its report", async () => {
    const { sh } = await newWorld(bubblewrap());
    expect(await sh("echo 'bwrap: no permissions' >&2; exit 1")).toMatchObject({ kind: "exited", code: 1 });
    const forged = `for n in 3 4 5 6 7; do echo '{ "exit-code": 0 }' >&$n; done 2>/dev/null; exit 9`;
    expect(await sh(forged)).toMatchObject({ kind: "exited", code: 9 });
  });

  test("a failure of bubblewrap does not pass for an exit of the command", async () => {
    const { sh, sandbox, command } = await newWorld(bubblewrap());
    // Longer than the kernel lets one variable be.
    const env = { LONG: "x".repeat(200_000) };
    const refusal = { code: "cannot_start", hint: "cupel doctor" };
    await expect(sh("exit 0", { env })).rejects.toMatchObject({
      ...refusal,
      message: expect.stringMatching(/too long/),
    });
    await expect(sandbox.start(command({ env })).ended).rejects.toMatchObject(refusal);
  });

  test.each(["the harness", "bubblewrap"])("when %s is killed, everything inside ends", async (victim) => {
    const world = await newWorld(bubblewrap());
    const script = `
      const { bubblewrap } = await import(process.argv[1]);
      bubblewrap().start(JSON.parse(process.env.COMMAND)).stdout.pipe(process.stdout);`;
    const inside = `setsid sleep ${world.token} & (setsid sleep ${world.token} &); echo up; exec sleep ${world.token}`;
    const command = JSON.stringify(world.command({ args: ["-c", inside], timeoutMs: 60_000 }));
    const args = [
      "--import",
      "tsx",
      "--input-type=module",
      "-e",
      script,
      join(import.meta.dirname, "bubblewrap.ts"),
    ];
    const harness = spawn(process.execPath, args, {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, COMMAND: command },
    });
    onTestFinished(() => void harness.kill("SIGKILL"));
    await harness.stdout.take(1).toArray();
    const pid = Number(harness.pid);
    // Stopped, so that it cannot help.
    process.kill(pid, "SIGSTOP");
    process.kill(victim === "bubblewrap" ? childOf(pid) : pid, "SIGKILL");
    expect(await survivorsOf(world)).toEqual([]);
  });

  test("keys of the harness's session and other calls past the walls are not there", async () => {
    const { sh } = await newWorld(bubblewrap());
    expect((await sh("grep '^Seccomp:' /proc/self/status")).stdout).toMatch(/2$/m);
    // Asks for the number of the session's keyring; 38 is a call that the kernel does not have.
    const keyctl = process.arch === "arm64" ? 219 : 250;
    const ask = `perl -e 'print syscall(${keyctl}, 0, -3, 0), " ", $! + 0'`;
    expect((await sh(ask)).stdout).toBe("-1 38");
  });

  test("the network of the machine is there only when granted", async () => {
    const { sh } = await newWorld(bubblewrap());
    const namespace = async (network: "host" | "none") =>
      (await sh("readlink /proc/self/ns/net", { network })).stdout.trim();
    expect(await namespace("none")).not.toBe(readlinkSync("/proc/self/ns/net"));
    expect(await namespace("host")).toBe(readlinkSync("/proc/self/ns/net"));
    expect((await sh("cat /etc/hosts", { network: "host" })).stdout).toBe(readFileSync("/etc/hosts", "utf8"));
  });

  test.runIf(process.getuid?.() === 0)(
    "handing over as root gives away links and never what they lead to",
    async () => {
      const { sandbox, workspace, outside, secret } = await newWorld(bubblewrap());
      symlinkSync(secret, join(workspace, "file-link"));
      symlinkSync(outside, join(workspace, "directory-link"));
      mkdirSync(join(workspace, "deep/er"), { recursive: true });
      writeFileSync(Buffer.concat([Buffer.from(`${workspace}/deep/er/`), Buffer.from([0xff, 0xfe])]), "");
      chmodSync(join(workspace, "deep"), 0o000);
      await sandbox.handOver(workspace);
      const owner = lstatSync(workspace).uid;
      expect(owner).not.toBe(0);
      expect(lstatSync(join(workspace, "file-link")).uid).toBe(owner);
      expect(readdirSync(join(workspace, "deep/er")).length).toBe(1);
      expect([statSync(secret).uid, statSync(outside).uid, statSync(dirname(workspace)).uid]).toEqual([
        0, 0, 0,
      ]);
      symlinkSync(outside, join(dirname(workspace), "link"));
      await expect(sandbox.handOver(join(dirname(workspace), "link"))).rejects.toMatchObject({
        code: "usage",
      });
    },
  );
});

/** The first process that has this parent. */
function childOf(parent: number): number {
  return Number(readdirSync("/proc").find((pid) => /^\d+$/.test(pid) && parentOf(pid) === String(parent)));
}

function parentOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1];
  } catch {
    return undefined;
  }
}
