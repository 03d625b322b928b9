// A clean clone of the product in a sandbox: the files of one commit and its packages, and nothing of Cupel.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BytePath, toBuffer, toBytePath } from "../workshop/git/byte-path.ts";
import { readTree, type TreeEntry } from "../workshop/git/objects.ts";
import type { Mount, Sandbox, SandboxedResult } from "../workshop/sandbox/port.ts";
import { removeAll } from "../workshop/workspace/remove.ts";

export interface CloneRequest {
  gitDir: string;
  commit: string;
  /** Where it is made; nothing may be there yet. */
  directory: string;
  sandbox: Sandbox;
  packages: readonly Mount[];
  /** Programs of packages, as links in `node_modules/.bin`. */
  programs: Readonly<Record<string, string>>;
  /** Texts that take the place of regular files of the commit, or stand beside them in the same folder. */
  instead?: Readonly<Record<string, string>>;
}

export interface Clone {
  run(command: string, args: readonly string[], limit: RunLimit): Promise<SandboxedResult>;
  remove(): Promise<void>;
}

export interface RunLimit {
  timeoutMs: number;
  signal: AbortSignal;
}

export async function openClone(request: CloneRequest): Promise<Clone> {
  const { directory, sandbox, packages, programs } = request;
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  try {
    await layOut(request);
    for (const { at } of packages) mkdirSync(join(directory, at), { recursive: true, mode: 0o755 });
    linkPrograms(directory, programs);
    await sandbox.handOver(directory);
  } catch (error) {
    await removeAll(directory);
    throw error;
  }
  return {
    run: (command, args, { timeoutMs, signal }) =>
      sandbox.run({
        command,
        args,
        workspace: directory,
        access: "write",
        mounts: packages,
        env: { CI: "true", NO_COLOR: "1", npm_config_update_notifier: "false" },
        // Whoever tries the product need not be in reach of anything.
        network: "none",
        timeoutMs,
        signal,
      }),
    remove: () => removeAll(directory),
  };
}

/** The harness made every folder, and no path of a commit leads through a link of the same commit. */
async function layOut({ gitDir, commit, directory, instead = {} }: CloneRequest): Promise<void> {
  const texts = new Map(Object.entries(instead).map(([path, text]) => [toBytePath(path), text]));
  const made = new Set<string>();
  for await (const { path, mode, content } of readTree(gitDir, commit, isFile)) {
    const place = placed(directory, path);
    if (mode === "120000") {
      symlinkSync(content, place);
      continue;
    }
    made.add(folderOf(path));
    writeFileSync(place, texts.get(path) ?? content, { flag: "wx" });
    texts.delete(path);
    chmodSync(place, mode === "100755" ? 0o755 : 0o644);
  }
  // Only into folders that the harness has made: another one could be a link.
  for (const [path, text] of texts)
    if (made.has(folderOf(path))) writeFileSync(placed(directory, path), text, { flag: "wx" });
}

/** What is installed comes from elsewhere, and another repository's commit is no file. */
function isFile({ path, mode }: TreeEntry): boolean {
  return mode !== "160000" && !path.startsWith("node_modules/");
}

function folderOf(path: BytePath): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** Its folder exists afterwards. */
function placed(directory: string, path: BytePath): Buffer {
  const whole = Buffer.concat([Buffer.from(`${directory}/`), toBuffer(path)]);
  mkdirSync(whole.subarray(0, whole.lastIndexOf("/")), { recursive: true, mode: 0o755 });
  return whole;
}

function linkPrograms(directory: string, programs: CloneRequest["programs"]): void {
  if (Object.keys(programs).length === 0) return;
  const bin = join(directory, "node_modules", ".bin");
  mkdirSync(bin, { recursive: true, mode: 0o755 });
  for (const [name, target] of Object.entries(programs)) symlinkSync(`../${target}`, join(bin, name));
}
