// Keeps files and sockets that the harness itself inherited out of the commands it starts.
import { openSync, readdirSync, readFileSync } from "node:fs";

/** What each descriptor of a command is; `ignore` above the standard three leaves what is there. */
type Stdio = ("pipe" | "ignore" | number)[];

const CLOSE_ON_EXEC = 0o2000000;

let covers: { descriptors: readonly number[]; nothing: number } | undefined;

/** Node marks what it opens itself, so what leaks is what was there when it started: looked up once. */
export function coverInherited(stdio: Stdio): Stdio {
  covers ??= { descriptors: inheritedDescriptors(), nothing: openSync("/dev/null", "r+") };
  const covered = [...stdio];
  for (const descriptor of covers.descriptors) {
    if (descriptor < stdio.length) continue;
    while (covered.length < descriptor) covered.push("ignore");
    covered[descriptor] = covers.nothing;
  }
  return covered;
}

/** Descriptors above the standard three that a command would get without having been given them. */
export function inheritedDescriptors(): number[] {
  return descriptorNames()
    .map(Number)
    .filter((descriptor) => descriptor > 2 && !closesOnExec(descriptor))
    .toSorted((a, b) => a - b);
}

function descriptorNames(): string[] {
  try {
    return readdirSync("/proc/self/fd");
  } catch {
    return [];
  }
}

/** One that is gone by now, such as the listing's own, counts as closed. */
function closesOnExec(descriptor: number): boolean {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1");
    const flags = Number.parseInt(/^flags:\s+([0-7]+)/m.exec(info)?.[1] ?? "0", 8);
    return (flags & CLOSE_ON_EXEC) !== 0;
  } catch {
    return true;
  }
}
