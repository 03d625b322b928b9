// Controls for StrykerJS: statements that do nothing, whose mutants do nothing either. A suite that fails for one of
// them is unsteady or notices that it judges mutants.
import { randomInt } from "node:crypto";
import type { StrykerMutant } from "./stryker-report.ts";

interface Controls {
  file: string;
  /** So many lines stand before and behind the lines of the file. */
  before: number;
  behind: number;
  /** The first line behind, from 0. */
  end: number;
}

const NOTHING = "void true;";

/** In one of the mutated files, at its beginning and maybe its end, so that the numbers of all mutants change. */
export function addControls(
  sources: Record<string, string | null>,
  mutants: readonly { file: string }[],
): Controls | undefined {
  const files = [...new Set(mutants.map(({ file }) => file))];
  const file = files[randomInt(Math.max(1, files.length))];
  const text = file === undefined ? undefined : sources[file];
  if (file === undefined || typeof text !== "string") return undefined;
  const before = text.startsWith("#!") ? 0 : 1 + randomInt(2);
  const behind = before === 0 ? 1 : randomInt(2);
  const lines = [...nothing(before), text, ...nothing(behind)];
  sources[file] = lines.join("\n");
  return { file, before, behind, end: before + text.split("\n").length };
}

function nothing(count: number): string[] {
  return Array.from({ length: count }, () => NOTHING);
}

/** The answers about the module itself, with the places that its own files have. */
export function takeControls(
  judged: readonly StrykerMutant[],
  controls: Controls | undefined,
): { kind: "ran"; mutants: StrykerMutant[] } | { kind: "impossible"; why: string } {
  if (controls === undefined) return { kind: "ran", mutants: [...judged] };
  const { file, before, behind, end } = controls;
  const isControl = ({ file: at, place }: StrykerMutant) =>
    at === file && (place.start.line < before || place.start.line >= end);
  const noticed = judged.filter(isControl).filter(({ status }) => status !== "survived");
  if (judged.filter(isControl).length !== before + behind || noticed.length > 0) {
    const by = [...new Set(noticed.flatMap(({ killedBy }) => killedBy))].join(", ");
    const who = by === "" ? "the tests" : by;
    return {
      kind: "impossible",
      why: `${who} did not pass in a control of StrykerJS, in which nothing was mutated: the tests are unsteady, or notice that they judge mutants`,
    };
  }
  const moved = (line: number) => line - before;
  const mutants = judged
    .filter((mutant) => !isControl(mutant))
    .map((mutant) => {
      if (mutant.file !== file) return mutant;
      const { start, end: last } = mutant.place;
      return {
        ...mutant,
        place: {
          start: { ...start, line: moved(start.line) },
          end: { ...last, line: moved(last.line) },
        },
      };
    });
  return { kind: "ran", mutants };
}
