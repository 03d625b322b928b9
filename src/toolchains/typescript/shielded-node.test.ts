import { describe, expect, test } from "vitest";
import { bubblewrapWorks } from "../../../test/bubblewrap.ts";
import { siteOf } from "../../../test/typescript-site.ts";
import { bubblewrap } from "../../workshop/sandbox/bubblewrap.ts";
import { shieldedNode } from "./shielded-node.ts";

const MODULE = { "src/index.ts": "export const one = 1;\n" };

/** Which things of a process its child can open. */
const PROGRAM = `
const { spawnSync } = require("node:child_process");
const names = ["mem", "environ", "maps", "cwd", "fd/1"];
const child = "const fs = require('node:fs'); for (const name of " + JSON.stringify(names) + ") try { " +
  "name === 'cwd' || name === 'fd/1' ? fs.readlinkSync('/proc/' + process.ppid + '/' + name) : fs.openSync('/proc/' + process.ppid + '/' + name); console.log(name); } catch {}";
process.stdout.write(spawnSync(process.argv0, ["-e", child], { encoding: "utf8" }).stdout);
`;

describe.skipIf(!bubblewrapWorks)("a shielded process (needs bubblewrap)", () => {
  test("is closed to other processes of its sandbox, which another is not", async () => {
    const site = await siteOf(MODULE, bubblewrap());
    const run = async (command: string, args: readonly string[]) =>
      (await site.run({ command, args, timeoutMs: 20_000 })).stdout.split("\n").filter((line) => line !== "");
    const { command, args, node } = shieldedNode(site, ["-e", PROGRAM]);
    expect(await run(command, args)).toEqual([]);
    expect(await run(node, ["-e", PROGRAM])).toEqual(["mem", "environ", "maps", "cwd", "fd/1"]);
  });
});

test("without a sandbox there is no shield, and it says so", () => {
  const { command, args, shielded, node } = shieldedNode({ level: "none" }, ["a"]);
  expect([command, args, shielded]).toEqual([node, ["a"], false]);
});
