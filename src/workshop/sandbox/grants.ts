// What a command was granted, checked on the disk before anything starts: agents control every name and link.
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { CupelError } from "../../domain/error.ts";
import type { Mount, SandboxedCommand } from "./port.ts";

export interface Grants {
  /** Absolute and not a link. */
  workspace: string;
  /** Relative to the workspace; empty for the workspace itself. */
  cwd: string;
  mounts: readonly Mount[];
  /** Absolute, there, and not reached over a link. */
  visible: readonly string[];
}

export function checkGrants(command: SandboxedCommand): Grants {
  const workspace = resolve(command.workspace);
  if (!isRealDirectory(workspace))
    throw refusal(
      `the workspace ${workspace} is not a directory of its own`,
      "a directory that is not a link",
    );
  const mounts = (command.mounts ?? []).map(({ from, at }) => {
    const source = resolve(from);
    if (!isRealDirectory(source))
      throw refusal(`${source} cannot be mounted`, "a directory that is not a link");
    return { from: source, at: realPathWithin(workspace, at, "mount point") };
  });
  const cwd = command.cwd === undefined ? "" : realPathWithin(workspace, command.cwd, "starting directory");
  for (const name of Object.keys(command.env ?? {})) {
    if (!/^[A-Za-z_]\w*$/.test(name))
      throw refusal(`${JSON.stringify(name)} is no name of a variable`, "letters, digits and _");
  }
  for (const path of command.visible ?? []) {
    if (!isAbsolute(path) || !existsSync(path) || realpathSync(path) !== path || path === "/")
      throw refusal(
        `${path} cannot be made visible`,
        "an absolute path of something that is there, without links",
      );
  }
  return { workspace, cwd, mounts, visible: command.visible ?? [] };
}

/** Every step must be a directory: a link could lead the harness out of the workspace. */
function realPathWithin(workspace: string, path: string, what: string): string {
  const steps = path.split("/").filter((step) => step !== "" && step !== ".");
  if (isAbsolute(path) || steps.includes("..") || (steps.length === 0 && what === "mount point"))
    throw refusal(
      `the ${what} ${JSON.stringify(path)} is not inside the workspace`,
      "a relative path without ..",
    );
  steps.reduce((parent, step) => {
    const here = join(parent, step);
    if (!isRealDirectory(here))
      throw refusal(
        `the ${what} ${JSON.stringify(path)} is missing or leads over a link`,
        "directories all the way",
      );
    return here;
  }, workspace);
  return steps.join("/");
}

/** Not a link to one. */
export function isRealDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function refusal(message: string, expected: string): CupelError {
  return new CupelError("usage", `${message}; nothing was started`, { expected });
}
