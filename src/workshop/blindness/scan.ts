// Looks for canaries outside the workspaces they belong to, and lists whatever it could not look at.
import { setImmediate } from "node:timers/promises";
import type { CanaryLeak, NotScanned, ScanKind } from "../../domain/evidence/blindness-certificate.ts";
import { type CanaryFilter, canaryFilter, canaryFinder } from "./canary.ts";
import type { Finder } from "./disguises.ts";
import { toBuffer } from "../git/byte-path.ts";
import { packIn, packObjects } from "./pack-objects.ts";
import { onOneLine, shown, uncoverName, withoutCanariesInName } from "./scan-names.ts";
import { treeEntries, type TreeLimits } from "./scan-tree.ts";
import { uncover, type Uncovered } from "./uncover.ts";

export interface ScanTarget {
  kind: ScanKind;
  name: string;
  /** The workspace it belongs to; only in the tree of that workspace is its canary at home. */
  owner?: string;
  source:
    | { directory: string }
    | { text: string }
    | { bytes: Uint8Array }
    | { entries: AsyncIterable<{ path: string; bytes: Uint8Array }> };
}

export interface PlacedCanary {
  workspace: string;
  token: string;
}

export interface ScanReport {
  scanned: { kind: ScanKind; name: string; owner?: string; files: number; bytes: number }[];
  leaks: CanaryLeak[];
  notScanned: NotScanned[];
  /** The workspaces whose canary was seen in their own tree. */
  atHome: Set<string>;
}

export const SCAN_LIMITS: TreeLimits = { fileBytes: 64 << 20, treeBytes: 4 * 2 ** 30, entries: 1_000_000 };

/** A longer list helps nobody, and an agent decides how long it gets. */
const LONGEST_LIST = 1000;

export async function scan(
  canaries: readonly PlacedCanary[],
  targets: readonly ScanTarget[],
  limits: TreeLimits = SCAN_LIMITS,
): Promise<ScanReport> {
  const tokens = canaries.map(({ token }) => token);
  const find = canaryFinder(tokens);
  const filter = canaryFilter(tokens, find);
  const report: ScanReport = { scanned: [], leaks: [], notScanned: [], atHome: new Set() };
  for (const target of targets) await scanTarget({ canaries, find, filter, limits, target, report });
  return report;
}

interface Scanning {
  canaries: readonly PlacedCanary[];
  find: Finder;
  /** A name can hold a canary too, and what is reported must not carry it on. */
  filter: CanaryFilter;
  limits: TreeLimits;
  target: ScanTarget;
  report: ScanReport;
}

type Piece =
  | { kind: "content"; path: string; bytes: Uint8Array }
  /** `last`: the folders above it come as pieces of their own. */
  | { kind: "name"; path: string; bytes: Uint8Array; parts: "all" | "last" }
  | { kind: "unread"; path: string; reason: string };

async function scanTarget(scanning: Scanning): Promise<void> {
  const { target, report } = scanning;
  const { kind, name, owner } = target;
  const scanned = { kind, name, ...(owner === undefined ? {} : { owner }), files: 0, bytes: 0 };
  report.scanned.push(scanned);
  let rested = performance.now();
  try {
    for await (const piece of piecesOf(target, scanning.limits)) {
      if (piece.kind === "unread") unread(scanning, piece.path, piece.reason);
      else if (piece.kind === "name")
        note(scanning, piece.path, uncoverName(scanning.find, piece.bytes, piece.parts));
      else {
        scanned.files++;
        scanned.bytes += piece.bytes.length;
        await lookInside(scanning, piece.path, piece.bytes);
      }
      // Others share this process; a big tree must not keep them waiting.
      if (performance.now() - rested < 50) continue;
      await setImmediate();
      rested = performance.now();
    }
  } catch (error) {
    unread(scanning, ".", error instanceof Error ? error.message : String(error));
  }
}

async function* piecesOf({ source, name }: ScanTarget, limits: TreeLimits): AsyncGenerator<Piece> {
  if ("text" in source) yield { kind: "content", path: name, bytes: Buffer.from(source.text) };
  else if ("bytes" in source) yield { kind: "content", path: name, bytes: source.bytes };
  else if ("directory" in source) yield* piecesOfTree(source.directory, limits);
  else {
    for await (const { path, bytes } of source.entries) {
      yield { kind: "name", path: onOneLine(path), bytes: Buffer.from(path), parts: "all" };
      yield { kind: "content", path: onOneLine(path), bytes };
    }
  }
}

function* piecesOfTree(directory: string, limits: TreeLimits): Generator<Piece> {
  for (const entry of treeEntries(directory, limits)) {
    const path = shown(entry.path);
    if (entry.kind === "unread") yield { kind: "unread", path, reason: entry.reason };
    else yield { kind: "name", path, bytes: toBuffer(entry.path), parts: "last" };
    if (entry.kind === "link")
      yield { kind: "name", path: `${path} (link)`, bytes: entry.target, parts: "all" };
    if (entry.kind === "file") yield { kind: "content", path, bytes: entry.bytes };
  }
}

async function lookInside(scanning: Scanning, path: string, bytes: Uint8Array): Promise<void> {
  const { fileBytes } = scanning.limits;
  look(scanning, path, bytes, 4 * fileBytes);
  const pack = packIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (pack === undefined) return;
  try {
    for await (const object of packObjects(pack, 4 * fileBytes)) {
      look(scanning, `${path} (${object.name})`, object.bytes, 4 * fileBytes);
    }
  } catch (error) {
    unread(
      scanning,
      path,
      `git cannot read this pack: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function look(scanning: Scanning, path: string, bytes: Uint8Array, limit: number): void {
  note(scanning, path, uncover(scanning.find, bytes, "first", limit));
}

function note(scanning: Scanning, path: string, { sightings, unread: reason }: Uncovered): void {
  const { canaries, find, filter, target, report } = scanning;
  for (const { canary, disguise, start } of sightings) {
    const of = canaries[canary]?.workspace ?? "";
    if (target.kind === "workspace" && target.owner === of) report.atHome.add(of);
    else if (report.leaks.length < LONGEST_LIST) {
      const shownPath = withoutCanariesInName(find, filter, path);
      const where = { kind: target.kind, name: target.name, path: shownPath };
      report.leaks.push({ ...where, of, disguise, offset: start });
    }
  }
  if (reason !== undefined) unread(scanning, path, reason);
}

function unread(scanning: Scanning, path: string, reason: string): void {
  const { find, filter, target, report } = scanning;
  if (report.notScanned.length >= LONGEST_LIST) return;
  const { kind, name } = target;
  report.notScanned.push({
    kind,
    name,
    path: withoutCanariesInName(find, filter, path),
    reason: filter.text(reason).text,
  });
}
