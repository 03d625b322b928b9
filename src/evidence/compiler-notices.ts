// Survivors that the compiler itself refuses: such a part of a condition cannot be taken away unseen. A whole condition is
// another thing: what it decides is for the tests to ask.
import { isCritical, type Mutant } from "../domain/evidence/mutant.ts";
import type { BuildReport, Edits, Site } from "../toolchains/port.ts";

/** Each is built anew; where more survive, the suite is what is wrong. */
const MOST = 12;
/** What is left over after a change is no reason against it. */
const LEFT_OVER = /is declared but|are unused|never used/;

/** The others stay as they are, and so does whatever cannot be found in the code again. */
export async function withCompilerNotices(
  mutants: readonly Mutant[],
  site: Site,
  build: (edits: Edits) => Promise<BuildReport>,
): Promise<Mutant[]> {
  const asked = mutants.filter((mutant) => mutant.status === "survived" && isCritical(mutant));
  if (asked.length > MOST) return [...mutants];
  const refused = new Set<Mutant>();
  for (const mutant of asked) {
    const edits = editsOf(mutant, site);
    if (edits !== undefined && isBroken(await build(edits), site)) refused.add(mutant);
  }
  return mutants.map((mutant) => (refused.has(mutant) ? { ...mutant, compiles: false } : mutant));
}

function editsOf({ file, line, original, replacement }: Mutant, site: Site): Edits | undefined {
  const text = site.files()[file];
  const place = text === undefined ? undefined : placeOf(text, line, original);
  if (text === undefined || place === undefined) return undefined;
  const isPart =
    /(?:&&|\|\|)\s*$/.test(text.slice(0, place)) ||
    /^\s*(?:&&|\|\|)/.test(text.slice(place + original.length));
  if (!isPart) return undefined;
  return { [file]: text.slice(0, place) + replacement + text.slice(place + original.length) };
}

/** Tests may be typed by what the code was. */
function isBroken(report: BuildReport, { layout: { sources } }: Site): boolean {
  return (
    report.kind === "broken" &&
    report.errors.some(({ file, message }) => sources.includes(file) && !LEFT_OVER.test(message))
  );
}

/** Undefined where the line holds it twice, or where it does not begin there. */
function placeOf(text: string, line: number, original: string): number | undefined {
  const start = text.split("\n", line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  const end = text.indexOf("\n", start);
  const first = text.indexOf(original, start);
  const isThere = first !== -1 && (end === -1 || first < end);
  if (!isThere) return undefined;
  const second = text.indexOf(original, first + 1);
  return second !== -1 && (end === -1 || second < end) ? undefined : first;
}
