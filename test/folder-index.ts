// A Code Index that is a folder of files, for tests that do not search.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "../src/domain/canonical.ts";
import { CodeIndexEntry } from "../src/domain/plan/reuse.ts";
import type { CodeIndex } from "../src/engineering/port.ts";

/** One file for each entry, and a line for each change of a status. */
export function folderIndex(directory: string): CodeIndex {
  mkdirSync(directory, { recursive: true });
  const place = (module: string) => join(directory, `${module}.json`);
  const read = (module: string) =>
    existsSync(place(module))
      ? CodeIndexEntry.parse(JSON.parse(readFileSync(place(module), "utf8")))
      : undefined;
  return {
    async append(_fence, entry) {
      const module = `${entry.module_id}@${entry.version}`;
      try {
        writeFileSync(place(module), JSON.stringify(entry), { flag: "wx" });
      } catch {
        if (canonicalJson(read(module)) !== canonicalJson(entry))
          throw new Error(`${module} is another in the index`);
      }
    },
    async setStatus(_fence, module, status, supersededBy) {
      const entry = CodeIndexEntry.parse({ ...read(module), status, superseded_by: supersededBy });
      writeFileSync(place(module), JSON.stringify(entry));
      appendFileSync(join(directory, "changes"), `${status} ${module}\n`);
    },
    get: async (module) => read(module),
    search: async () => [],
  };
}

/** Entries by name, then what became of them. What is there was appended, so that no crash can part the two. */
export function indexChanges(project: string): string[] {
  const directory = join(project, ".cupel", "index");
  const files = existsSync(directory) ? readdirSync(directory).toSorted() : [];
  const entries = files.flatMap((file) => (file.endsWith(".json") ? [file.replace(/\.json$/, "")] : []));
  const changes = files.includes("changes")
    ? readFileSync(join(directory, "changes"), "utf8").trimEnd().split("\n")
    : [];
  return [...entries.map((module) => `append ${module}`), ...changes];
}
