// Writes a file that only saves time: whole or not at all, whoever else writes it, and never a reason to fail.
import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export function keepFile(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(draft, text, { flag: "wx" });
    renameSync(draft, path);
  } catch {
    // A full or closed disk costs the time that the file would have saved.
    rmSync(draft, { force: true });
  }
}
