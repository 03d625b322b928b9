// Builds once before the tests, so that end-to-end tests run what a user runs. Type errors are for `npm run check`.
import { spawnSync } from "node:child_process";

export default function setup(): void {
  spawnSync("npm", ["run", "--silent", "build"], { stdio: "inherit" });
}
