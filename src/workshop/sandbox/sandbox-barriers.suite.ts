// What a sandbox keeps apart, and what it keeps within limits.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import type { Promises } from "./sandbox-world.suite.ts";

export const BARRIERS: Promises = {
  "a read outside is refused": async ({ sh, secret, workspace }) => {
    for (const path of [
      secret,
      `/proc/self/root${secret}`,
      `/proc/1/root${secret}`,
      `${workspace}/../outside/secret`,
    ]) {
      expect((await sh(`cat '${path}'`)).stdout).toBe("");
    }
  },

  "a link out of the workspace leads nowhere": async ({ sh, secret }) => {
    expect((await sh(`ln -s '${secret}' link; cat link`)).stdout).toBe("");
  },

  "a write outside is refused": async ({ sh, outside, secret }) => {
    await sh(
      `echo x > '${secret}'; echo x > '${outside}/new'; rm -f '${secret}'; mkdir '${outside}/directory'`,
    );
    expect(contentOf(secret)).toBe("s3cret");
    expect([existsSync(join(outside, "new")), existsSync(join(outside, "directory"))]).toEqual([
      false,
      false,
    ]);
  },

  "read access refuses every write": async ({ sh, workspace }) => {
    writeFileSync(join(workspace, "file"), "old");
    const { stdout } = await sh("cat file; echo new > file; rm -f file; touch more; mkdir deps/x", {
      access: "read",
    });
    expect(stdout).toBe("old");
    expect([contentOf(join(workspace, "file")), existsSync(join(workspace, "more"))]).toEqual(["old", false]);
  },

  "a mount refuses every write": async ({ sh, secret, outside }) => {
    const mounts = [{ from: outside, at: "deps" }];
    const { stdout } = await sh("cat deps/secret; echo x > deps/secret; rm -f deps/secret; touch deps/new", {
      mounts,
    });
    expect(stdout).toBe("s3cret");
    expect([contentOf(secret), existsSync(join(outside, "new"))]).toEqual(["s3cret", false]);
  },

  "no process of the machine is seen": async ({ sh }) => {
    const { stdout } = await sh("ls -d /proc/[0-9]*");
    expect(stdout.trim().split("\n").length).toBeLessThanOrEqual(5);
  },

  "no process of the machine can be signalled": async ({ sh }) => {
    expect(await sh(`kill -0 ${process.pid}`)).toMatchObject({ kind: "exited", code: 1 });
  },

  "a command is nobody special": async ({ sh }) => {
    expect((await sh("id -u; id -g; id -G")).stdout).not.toMatch(/^0$/m);
  },

  "a command has no capability": async ({ sh }) => {
    const { stdout } = await sh("grep -E '^Cap(Inh|Prm|Eff|Amb)' /proc/self/status");
    expect(stdout.match(/[1-9a-f]+$/gm)).toBeNull();
    expect(stdout.match(/0{16}$/gm)).toHaveLength(4);
  },

  "no user namespace can be made inside": async ({ sh }) => {
    expect(await sh("unshare --user true")).toMatchObject({ kind: "exited", code: 1 });
  },

  "the loopback of the machine is not reached": async ({ node }) => {
    let visitors = 0;
    const listener = createServer((visitor) => {
      visitors += 1;
      visitor.destroy();
    }).listen(0, "127.0.0.1");
    await once(listener, "listening");
    const { port } = Object(listener.address());
    const script = `require("node:net").connect(${port}, "127.0.0.1")
      .on("connect", () => console.log("reached")).on("error", () => console.log("refused"))`;
    const { stdout } = await node(script);
    listener.close();
    expect([stdout, visitors]).toEqual(["refused\n", 0]);
  },

  "descriptors that the harness inherited are closed": async ({ sandbox, workspace, secret }) => {
    const script = `
      const sandboxes = await import(process.argv[2]);
      const { stdout } = await sandboxes[process.argv[1]]().run({
        command: "/bin/sh", args: ["-c", "cat /proc/self/fd/100 /proc/self/fd/25 /proc/self/fd/5"],
        workspace: process.argv[3], access: "write", network: "none", timeoutMs: 5000,
      });
      console.log("read: " + stdout);`;
    const file = openSync(secret, "r");
    const stdio = Array.from({ length: 101 }, (_, n) =>
      [5, 25, 100].includes(n) ? file : n < 3 ? "pipe" : "ignore",
    );
    const adapter = join(import.meta.dirname, `${sandbox.level}.ts`);
    const args = ["--import", "tsx", "--input-type=module", "-e", script, sandbox.level, adapter, workspace];
    const { stdout, stderr } = spawnSync(process.execPath, args, { stdio, encoding: "utf8" });
    closeSync(file);
    expect({ stdout, stderr }).toEqual({ stdout: "read: \n", stderr: "" });
  },

  "processes are limited": async ({ sh }) => {
    const started =
      "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 3 & echo started; done";
    const { stdout } = await sh(started, { limits: { processes: 12 } });
    expect(stdout.match(/started/g)?.length ?? 0).toBeLessThan(13);
    expect((await sh(started)).stdout.match(/started/g)).toHaveLength(20);
  },

  "files are limited": async ({ sh, workspace }) => {
    const write = "head -c 300000 /dev/zero > big";
    expect(await sh(write, { limits: { fileBytes: 100_000 } })).not.toMatchObject({ code: 0 });
    expect(statSync(join(workspace, "big")).size).toBe(100_000);
    expect(await sh(write)).toMatchObject({ kind: "exited", code: 0 });
  },

  "memory is limited": async ({ sh }) => {
    const hold = "head -c 150000000 /dev/zero | tail -c 150000000 | wc -c";
    expect((await sh(hold, { limits: { memoryBytes: 30_000_000 } })).stdout.trim()).toBe("0");
    expect((await sh(hold)).stdout.trim()).toBe("150000000");
  },

  "computing time is limited": async ({ sh }) => {
    const result = await sh("while :; do :; done", { limits: { cpuSeconds: 1 } });
    expect(result).toMatchObject({ kind: "killed", signal: expect.stringMatching(/^SIG(KILL|XCPU)$/) });
  },

  "open files are limited, and no core is dumped": async ({ sh }) => {
    const { stdout } = await sh("ulimit -n; ulimit -c", { limits: { openFiles: 77 } });
    expect(stdout).toBe("77\n0\n");
  },
};

function contentOf(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "gone";
}
