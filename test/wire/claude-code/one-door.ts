// A world whose network is one port of the loopback, for programs that must ask nobody but their provider.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const GATE = fileURLToPath(new URL("gate.mjs", import.meta.url));

export interface OneDoor {
  /** The command that runs another one there. */
  wrap(command: string, args: readonly string[]): [string, string[]];
  /** What was tried besides the door; zeros when nothing was. */
  report(): { through: number; opened: number; astray: Record<string, number> };
  close(): Promise<void>;
}

export async function oneDoor(directory: string, port: number): Promise<OneDoor> {
  const socket = join(directory, "door");
  const report = join(directory, "report.json");
  const server = createServer((inside) => {
    const outside = connect(port, "127.0.0.1");
    inside.pipe(outside).pipe(inside);
    for (const end of [inside, outside])
      end.on("error", () => [inside, outside].map((both) => both.destroy()));
  });
  await new Promise<void>((resolve) => {
    server.listen(socket, resolve);
  });
  const closed = ["--dev-bind", "/", "/", "--unshare-net", "--die-with-parent"];
  return {
    wrap: (command, args) => [
      "bwrap",
      [...closed, process.execPath, GATE, socket, String(port), report, command, ...args],
    ],
    report: () => JSON.parse(readFileSync(report, "utf8")),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
      }),
  };
}

/** Every process that has this text in its environment. */
export function processesWith(text: string): string[] {
  const found = spawnSync("sh", ["-c", `grep -lsa -- "$1" /proc/[0-9]*/environ; true`, "sh", text], {
    encoding: "utf8",
    env: { PATH: "/usr/bin:/bin" },
  });
  return found.stdout.split("\n").filter((line) => line !== "");
}
