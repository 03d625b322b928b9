// Checks the whole state store: every hash, envelope, transition, seal and reference. Looks, never mends by itself.
import { checkFiles } from "./fsck-files.ts";
import type { FsckProblem, FsckReport } from "./fsck-report.ts";
import { checkCodeIndex } from "./fsck-code-index.ts";
import { type CheckedProject, checkProject } from "./fsck-project.ts";
import { checkRows } from "./fsck-rows.ts";
import type { CheckedRows } from "./fsck-rows.ts";
import type { Payloads } from "./payloads.ts";
import type { Sql } from "./sql.ts";

export interface FsckInput {
  sql: Sql;
  payloads: Payloads;
  /** The directory of the files that follow the database. */
  root: string;
}

const LOOKS = 3;

/** A writer may be at work, so a problem counts only if it is still there when looked at again. */
export async function fsck(input: FsckInput): Promise<FsckReport> {
  let report = await look(input);
  for (let again = 1; again < LOOKS && !report.clean; again++) {
    const seen = new Set(report.problems.map(textOf));
    const next = await look(input);
    const problems = next.problems.filter((problem) => seen.has(textOf(problem)));
    report = { ...next, problems, clean: problems.length === 0 };
  }
  return report;
}

async function look({ sql, payloads, root }: FsckInput): Promise<FsckReport> {
  const { rows, index, project } = sql.snapshot(() => ({
    rows: checkRows(sql),
    index: checkCodeIndex(sql),
    project: checkProject(sql),
  }));
  const stored = await checkPayloads(payloads);
  const files = await checkFiles(root, { ...rows, state: project.state });
  const problems = [
    ...rows.problems,
    ...index.problems,
    ...project.problems,
    ...stored.problems,
    ...missingPayloads([...rows.bodies, ...specOf(project)], stored.refs),
    ...files.problems,
  ];
  return {
    clean: problems.length === 0,
    problems,
    leftovers: files.leftovers,
    looked: {
      ...rows.counts,
      tasks: project.tasks,
      indexed: index.entries,
      payloads: stored.refs.size,
      files: files.count,
    },
  };
}

function textOf({ where, what }: FsckProblem): string {
  return `${where}\n${what}`;
}

async function checkPayloads(payloads: Payloads): Promise<{ refs: Set<string>; problems: FsckProblem[] }> {
  const refs = new Set<string>();
  const problems: FsckProblem[] = [];
  for await (const { ref, problem } of payloads.verifyAll()) {
    refs.add(ref);
    if (problem !== undefined) problems.push({ where: ref, what: problem });
  }
  return { refs, problems };
}

function specOf({ specRef }: CheckedProject): CheckedRows["bodies"] {
  return specRef === undefined ? [] : [{ owner: "project", files: { "spec.json": specRef } }];
}

function missingPayloads(bodies: CheckedRows["bodies"], stored: ReadonlySet<string>): FsckProblem[] {
  return bodies.flatMap(({ owner, files }) =>
    Object.entries(files)
      .filter(([, ref]) => !stored.has(ref))
      .map(([path, ref]) => ({ where: `${owner} ${path}`, what: `its payload ${ref} is missing` })),
  );
}
