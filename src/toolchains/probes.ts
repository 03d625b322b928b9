// Looks for what the target languages need on this machine.
import type { Check } from "../domain/diagnosis.ts";
import type { RunCommand } from "../workshop/process/run-command.ts";

const TIMEOUT_MS = 10_000;

export function probeNode(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const fresh = major > 20 || (major === 20 && minor >= 19);
  const found = `node ${version}`;
  if (fresh) return { name: "node", required: true, status: "ok", found };
  return {
    name: "node",
    required: true,
    status: "unfit",
    found: `${found}, older than 20.19`,
    cost: "nothing works: Cupel and TypeScript products run on it",
    fix: "install Node 20.19 or newer",
  };
}

/** TypeScript products are installed and tested with npm. */
export async function probeTypescript(run: RunCommand, path: string): Promise<Check> {
  const result = await run("npm", ["--version"], { timeoutMs: TIMEOUT_MS, env: { PATH: path } });
  if (result.kind === "exited" && result.code === 0) {
    return { name: "typescript", required: false, status: "ok", found: `npm ${result.stdout.trim()}` };
  }
  return {
    name: "typescript",
    required: false,
    status: "absent",
    found: "no npm on the PATH",
    cost: "TypeScript products cannot be installed or tested",
    fix: "apt-get install npm",
  };
}

const PYTHON_PACKAGES = ["pytest", "hypothesis", "coverage"];

export async function probePython(run: RunCommand, path: string): Promise<Check> {
  const need = {
    name: "python",
    required: false,
    cost: "Python products cannot be tested; TypeScript ones can",
    fix: "apt-get install python3 python3-pytest python3-hypothesis python3-coverage",
  };
  const code = [
    "import sys, importlib.util as u",
    "print('.'.join(map(str, sys.version_info[:3])), *[m for m in sys.argv[1:] if u.find_spec(m) is None])",
  ].join("\n");
  const result = await run("python3", ["-I", "-c", code, ...PYTHON_PACKAGES], {
    timeoutMs: TIMEOUT_MS,
    env: { PATH: path },
  });
  if (result.kind !== "exited" || result.code !== 0)
    return { ...need, status: "absent", found: "no python3 on the PATH" };
  const [version = "", ...missing] = result.stdout.trim().split(" ");
  if (missing.length > 0)
    return { ...need, status: "unfit", found: `python ${version} without ${missing.join(", ")}` };
  return {
    name: "python",
    required: false,
    status: "ok",
    found: `python ${version} with ${PYTHON_PACKAGES.join(", ")}`,
  };
}
