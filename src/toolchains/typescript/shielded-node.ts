// Starts Node inside a sandbox so that no other process there can look into it. The kernel closes the memory, files and
// environment of a process to others of the same user once it was started from a program that they cannot read.
import { closeSync, openSync, readSync, realpathSync } from "node:fs";
import type { Site } from "../port.ts";

interface ShieldedCommand {
  command: string;
  args: string[];
  /** The program to start other processes with, which are not shielded. */
  node: string;
  /** Whether the program inside has to insist on its shield. */
  shielded: boolean;
}

/** Without a sandbox there is nobody to be protected from. */
export function shieldedNode({ level }: Pick<Site, "level">, args: readonly string[]): ShieldedCommand {
  const node = realpathSync(process.execPath);
  if (level === "none") return { command: node, args: [...args], node, shielded: false };
  const loader = loaderOf(node);
  // What is copied is small where Node has a loader, which can be started instead and loads it then.
  const copied = loader === undefined ? [node] : [loader, node];
  return { command: "sh", args: ["-c", START, "sh", ...copied, ...args], node, shielded: true };
}

/** Where the copy lies; inside, it is the program that runs. */
const COPY = "/tmp/.cupel-node";
const START = `cp -L "$1" ${COPY} && chmod 0111 ${COPY} && shift && exec ${COPY} "$@"`;

const loaders = new Map<string, string | undefined>();

function loaderOf(program: string): string | undefined {
  if (!loaders.has(program)) loaders.set(program, readLoader(program));
  return loaders.get(program);
}

const INTERPRETER = 3;

/** The program's own word for it, in the header of its file; undefined where it needs none. */
function readLoader(program: string): string | undefined {
  const bytes = beginningOf(program);
  const is64BitLittleEndian = bytes.readUInt32BE(0) === 0x7f454c46 && bytes[4] === 2 && bytes[5] === 1;
  if (!is64BitLittleEndian) return undefined;
  const [table, size, count] = [
    Number(bytes.readBigUInt64LE(32)),
    bytes.readUInt16LE(54),
    bytes.readUInt16LE(56),
  ];
  for (let entry = table; entry < table + size * count; entry += size) {
    if (entry + size > bytes.length || bytes.readUInt32LE(entry) !== INTERPRETER) continue;
    const [from, length] = [
      Number(bytes.readBigUInt64LE(entry + 8)),
      Number(bytes.readBigUInt64LE(entry + 32)),
    ];
    return bytes.toString("utf8", from, from + length - 1);
  }
  return undefined;
}

function beginningOf(program: string): Buffer {
  const file = openSync(program, "r");
  try {
    const bytes = Buffer.alloc(8_192);
    return bytes.subarray(0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}
