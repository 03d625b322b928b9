// Puts every mutant of a module's sources behind a numbered switch, so that one bundle holds them all.
import { randomBytes } from "node:crypto";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { sha256Hex } from "../../../domain/canonical.ts";
import { kindOfOperator } from "../../../domain/evidence/mutant.ts";
import type { Mutant } from "../../../domain/evidence/mutant.ts";
import type { Files, Site } from "../../port.ts";
import { type CodeMap, mapCode } from "./code-map.ts";
import type { Place } from "./place.ts";

/** A mutant that nobody has judged yet; its place in the list is the number of its switch. */
export type Unjudged = Omit<Mutant, "status" | "killedBy" | "timing" | "equivalence"> & { place: Place };

export type Instrumented =
  | { kind: "instrumented"; sources: Files; mutants: Unjudged[]; switchName: string }
  | { kind: "impossible"; why: string };

export async function instrument(site: Site): Promise<Instrumented> {
  const files = site.files();
  const maps = new Map(site.layout.sources.map((path) => [path, mapCode(path, files[path] ?? "")]));
  const used = [...maps].find(([, { text }]) => text.includes(MARK));
  if (used !== undefined) return { kind: "impossible", why: `${used[0]} uses names of the instrumenter` };
  try {
    const result = await new Instrumenter(SILENT).instrument(
      [...maps].map(([name, { text }]) => ({ name, mutate: true, content: text })),
      { plugins: null, excludedMutations: [], ignorers: [] },
    );
    const mutants = result.mutants.map((mutant) => {
      const map = maps.get(mutant.fileName);
      if (map === undefined) throw new Error(`a mutant of ${mutant.fileName}, which is no source`);
      return describe(mutant, map, files[mutant.fileName] ?? "");
    });
    const wrong = result.mutants.findIndex(({ id }, index) => id !== String(index));
    if (wrong !== -1)
      return { kind: "impossible", why: "the instrumenter numbers its mutants in another way" };
    // Not to be guessed, so that no test can ask whether it is on.
    const switchName = `on_${randomBytes(12).toString("hex")}`;
    const sources = Object.fromEntries(
      result.files.map(({ name, content }) => [name, withSwitches(content, switchName)]),
    );
    return { kind: "instrumented", sources, mutants, switchName };
  } catch (error) {
    return { kind: "impossible", why: `the sources cannot be mutated: ${firstLine(error)}` };
  }
}

const MARK = "_9fa48";
const nothing = () => undefined;
const never = () => false;
const SILENT = {
  isTraceEnabled: never,
  isDebugEnabled: never,
  isInfoEnabled: never,
  isWarnEnabled: never,
  isErrorEnabled: never,
  isFatalEnabled: never,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};

interface Made {
  fileName: string;
  location: Place;
  mutatorName: string;
  replacement: string;
}

function describe(made: Made, map: CodeMap, content: string): Unjudged {
  const { fileName: file, location, mutatorName: operator, replacement } = made;
  const original = map.slice(location);
  const inFunction = map.functionAt(location.start);
  const place = { start: { ...location.start }, end: { ...location.end } };
  return {
    id: mutantId({ file, content, place, operator, replacement }),
    file,
    line: location.start.line + 1,
    ...(inFunction === undefined ? {} : { function: inFunction }),
    operator,
    kind: kindOfOperator(operator, original, replacement),
    original,
    replacement,
    place,
  };
}

/** As the record of the domain has it. */
export function withoutPlace(unjudged: Unjudged): Omit<Unjudged, "place"> {
  const { id, file, line, operator, kind, original, replacement } = unjudged;
  const inFunction = unjudged.function === undefined ? {} : { function: unjudged.function };
  return { id, file, line, ...inFunction, operator, kind, original, replacement };
}

interface Identity {
  file: string;
  content: string;
  place: Place;
  operator: string;
  replacement: string;
}

/** The same in every run as long as the file stays as it is. */
export function mutantId({ file, content, place, operator, replacement }: Identity): string {
  const { start, end } = place;
  const where = [start.line, start.column, end.line, end.column];
  return sha256Hex(JSON.stringify([file, sha256Hex(content), where, operator, replacement])).slice(0, 20);
}

const HEADER =
  /function stryNS_9fa48\(\) \{[\s\S]*?\n {2}stryMutAct_9fa48 = isActive;\n {2}return isActive\(id\);\n\}\n/;

function withSwitches(content: string, name: string): string {
  return content
    .replace(HEADER, "")
    .replaceAll(/stryMutAct_9fa48\("(\d+)"\)/g, `${name}($1)`)
    .replaceAll(/stryCov_9fa48\((?:"\d+"(?:, )?)+\)/g, "0");
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
