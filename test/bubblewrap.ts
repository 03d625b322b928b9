// Whether suites that need bubblewrap can run here; where they cannot, they are skipped by name.
import { spawnSync } from "node:child_process";

export const bubblewrapWorks: boolean =
  spawnSync("bwrap", ["--ro-bind", "/", "/", "--unshare-all", "true"], { stdio: "ignore" }).status === 0;
