// Plants leaks of the harness's own, in copies of each kind of place that is scanned: a scan must find every one.
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { deflateSync, gzipSync } from "node:zlib";
import { makeCanary } from "./canary.ts";
import type { ScanTarget } from "./scan.ts";

/** A canary of nobody, and where it was put. */
export interface Plant {
  id: string;
  token: string;
  planted: string;
  target: ScanTarget;
}

/** `directory`: an empty one, for those that need files. */
export async function plantsFor(targets: readonly ScanTarget[], directory: string): Promise<Plant[]> {
  const plants: Plant[] = [];
  const shapes = new Map(targets.map(({ kind, source }) => [`${kind} ${shapeOf(source)}`, { kind, source }]));
  for (const { kind, source } of shapes.values()) {
    for (const [what, make] of PLANTS[shapeOf(source)]) {
      const { token, text } = makeCanary();
      const id = `plant ${plants.length + 1}`;
      const content = `words before it; ${text}and words after it`;
      const place = join(directory, String(plants.length + 1));
      const target = { kind, name: id, source: await make({ content, token }, place) };
      plants.push({ id, token, planted: `a canary in ${what} of a ${kind}`, target });
    }
  }
  return plants;
}

type Source = ScanTarget["source"];
type Shape = "directory" | "text" | "bytes" | "entries";
type Make = (leak: { content: string; token: string }, place: string) => Promise<Source>;

const PLANTS: Readonly<Record<Shape, readonly [what: string, make: Make][]>> = {
  directory: [
    ["a file", ({ content }, place) => directoryWith(place, "src/notes.md", Buffer.from(content))],
    ["a git object", ({ content }, place) => directoryWith(place, OBJECT, deflateSync(`blob 0\0${content}`))],
    ["a base64 text", ({ content }, place) => directoryWith(place, "data.txt", Buffer.from(base64(content)))],
    ["a name", ({ token }, place) => directoryWith(place, `src/${folded(token)}.ts`, Buffer.from("x"))],
    ["a link's target", ({ token }, place) => directoryWithLink(place, `../lib/${folded(token)}`)],
  ],
  text: [
    ["the text", async ({ content }) => ({ text: content })],
    ["a base64 passage", async ({ content }) => ({ text: `{"data":"${base64(content)}"}` })],
  ],
  bytes: [["the bytes", async ({ content }) => ({ bytes: Buffer.from(content) })]],
  entries: [
    ["an entry", async ({ content }) => ({ entries: oneEntry("an entry", content) })],
    ["an entry's name", async ({ token }) => ({ entries: oneEntry(`to/${folded(token)}`, "x") })],
  ],
};

const OBJECT = `.git/objects/ab/${"c".repeat(38)}`;

function shapeOf(source: Source): Shape {
  if ("directory" in source) return "directory";
  if ("text" in source) return "text";
  return "bytes" in source ? "bytes" : "entries";
}

async function directoryWith(place: string, file: string, bytes: Uint8Array): Promise<Source> {
  await mkdir(dirname(join(place, file)), { recursive: true });
  await writeFile(join(place, file), bytes);
  return { directory: place };
}

async function directoryWithLink(place: string, target: string): Promise<Source> {
  await mkdir(place, { recursive: true });
  await symlink(target, join(place, "link"));
  return { directory: place };
}

async function* oneEntry(path: string, text: string): AsyncGenerator<{ path: string; bytes: Uint8Array }> {
  yield { path, bytes: Buffer.from(text) };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** As short as a name must be. */
function folded(token: string): string {
  return gzipSync(token).toString("base64url");
}
