// A Code Index that is a folder of files, for tests that do not search.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "../src/domain/canonical.ts";
import { CodeIndexEntry } from "../src/domain/plan/reuse.ts";
import type { CodeIndex } from "../src/engineering/port.ts";

/** One file for each entry, and a line for each change. */
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
        appendFileSync(join(directory, "changes"), `append ${module}\n`);
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

export function indexChanges(project: string): string[] {
  const path = join(project, ".cupel", "index", "changes");
  return existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
}
