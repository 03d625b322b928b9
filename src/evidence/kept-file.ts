// Writes a file that only saves time: whole or not at all, whoever else writes it, and never a reason to fail.
import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export function keepFile(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}`;
  // A full or closed disk costs the time that the file would have saved.
  if (!done(() => write(draft, path, text))) done(() => rmSync(draft, { force: true }));
}

function write(draft: string, path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(draft, text, { flag: "wx" });
  renameSync(draft, path);
}

function done(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
