// The part of the check that looks at the Code Index: the ledger of entries, and the vectors of the model in use.
import { z } from "zod";
import { sha256Hex } from "../domain/canonical.ts";
import { CodeIndexEntry, embeddingText } from "../domain/plan/reuse.ts";
import { Text } from "../domain/refs.ts";
import type { FsckProblem } from "./fsck-report.ts";
import { json, parsed } from "./fsck-rows.ts";
import type { Row, Sql } from "./sql.ts";

const StoredEntry = z.object({ module_id: Text, version: Text, text_hash: Text, entry: CodeIndexEntry });

export function checkCodeIndex(sql: Sql): { problems: FsckProblem[]; entries: number } {
  const problems: FsckProblem[] = [];
  const rows = sql.all("SELECT * FROM code_index ORDER BY seq");
  const refs = new Set(rows.map(refOf));
  for (const row of rows) checkEntry(row, refs, problems);
  checkVectors(sql, problems);
  return { problems, entries: rows.length };
}

function checkEntry(row: Row, refs: ReadonlySet<string>, problems: FsckProblem[]): void {
  const where = `Code Index ${refOf(row)}`;
  const { superseded_by: successor } = row;
  const now = {
    ...Object(json(row["entry"])),
    status: row["status"],
    notes: json(row["notes"]),
    ...(successor === null ? {} : { superseded_by: successor }),
  };
  const stored = parsed(StoredEntry, { ...row, entry: now }, where, problems);
  if (stored === undefined) return;
  const { entry, module_id, version, text_hash } = stored;
  if (entry.module_id !== module_id || entry.version !== version)
    problems.push({ where, what: `its entry is that of ${entry.module_id}@${entry.version}` });
  if (sha256Hex(embeddingText(entry)) !== text_hash)
    problems.push({ where, what: "its vector was made of another text" });
  if (typeof successor === "string" && !refs.has(successor))
    problems.push({ where, what: `it was replaced by ${successor}, which is not in the Code Index` });
}

/** Those of a generation that is being made, or was given up, may be fewer. */
function checkVectors(sql: Sql, problems: FsckProblem[]): void {
  const unfit = sql.all(
    `SELECT v.seq AS seq, length(v.vector) AS bytes, g.dimensions AS dimensions
     FROM code_index_vectors v JOIN code_index_generations g USING (generation)
     WHERE length(v.vector) <> 4 * g.dimensions ORDER BY v.seq`,
  );
  for (const { seq, bytes, dimensions } of unfit) {
    const what = `its vector has ${String(bytes)} bytes, not four for each of ${String(dimensions)} dimensions`;
    problems.push({ where: `Code Index entry ${String(seq)}`, what });
  }
  const without = sql.all(
    `SELECT module_id, version FROM code_index e, code_index_generations g
     WHERE g.state = 'current' AND NOT EXISTS (
       SELECT 1 FROM code_index_vectors v WHERE v.generation = g.generation AND v.seq = e.seq
     ) ORDER BY e.seq`,
  );
  for (const row of without)
    problems.push({ where: `Code Index ${refOf(row)}`, what: "it has no vector, so nobody finds it" });
  const lost = sql.all(
    "SELECT seq FROM code_index_vectors WHERE seq NOT IN (SELECT seq FROM code_index) ORDER BY seq",
  );
  for (const { seq } of lost)
    problems.push({
      where: `Code Index entry ${String(seq)}`,
      what: "there is a vector of it, but no entry",
    });
}

function refOf(row: Row): string {
  return `${String(row["module_id"])}@${String(row["version"])}`;
}
