// The compiled package of a module for those who will import it, and the same with functions that throw.
import type { Files, Site, Toolchain } from "../../toolchains/port.ts";
import { MOST_PER_GATE } from "./findings.ts";
import { packagePaths } from "./store-files.ts";

export type Packages =
  /** In the places of the store. */
  { kind: "built"; files: Files } | { kind: "broken"; problems: string[] };

export async function buildPackages(toolchain: Toolchain, site: Site): Promise<Packages> {
  const whole = await toolchain.compile(site);
  if (whole.kind === "broken") return broken(whole.errors);
  const stubbed = await site.fork(await toolchain.stubs(site));
  try {
    const throwing = await toolchain.compile(stubbed, "code");
    if (throwing.kind === "broken") return broken(throwing.errors);
    return { kind: "built", files: packagePaths(whole.files, throwing.files) };
  } finally {
    await stubbed.remove();
  }
}

function broken(errors: readonly { file: string; line: number; message: string }[]): Packages {
  const problems = errors
    .slice(0, MOST_PER_GATE)
    .map(({ file, line, message }) => `build: ${file}:${line}: ${message}`);
  return { kind: "broken", problems: ["build: it does not compile as a package for others", ...problems] };
}
