// Without a sandbox commands still run and end as promised; everything that is open is listed here.
import { spawnSync } from "node:child_process";
import { none } from "./none.ts";
import { sandboxSuite } from "./sandbox.suite.ts";

const OPEN = [
  "a read outside is refused",
  "a link out of the workspace leads nowhere",
  "a write outside is refused",
  "read access refuses every write",
  "a mount refuses every write",
  "no process of the machine is seen",
  "no process of the machine can be signalled",
  "the loopback of the machine is not reached",
];

const OPEN_TO_ROOT = ["a command is nobody special", "a command has no capability", "processes are limited"];

/** Root can always make one; whether others can is up to the machine. */
const namespaces =
  spawnSync("/usr/bin/unshare", ["--user", "true"]).status === 0
    ? ["no user namespace can be made inside"]
    : [];

const open = [...OPEN, ...namespaces, ...(process.getuid?.() === 0 ? OPEN_TO_ROOT : [])];

sandboxSuite("no sandbox", none, open);
