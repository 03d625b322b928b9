// Reads the JSON report of StrykerJS; what is not as expected is no report.
import type { MutantStatus } from "../../../domain/evidence/mutant.ts";
import type { Place } from "./place.ts";

export interface StrykerMutant {
  file: string;
  place: Place;
  operator: string;
  replacement: string;
  status: MutantStatus;
  killedBy: string[];
}

export interface StrykerReport {
  mutants: StrykerMutant[];
  initialRunMs: number;
}

const STATUSES: ReadonlyMap<unknown, MutantStatus> = new Map([
  ["Killed", "killed"],
  ["Survived", "survived"],
  ["NoCoverage", "noCoverage"],
  ["Timeout", "timeout"],
  ["RuntimeError", "invalid"],
  ["CompileError", "invalid"],
]);

export function readStrykerReport(text: string): StrykerReport | undefined {
  const report = parsed(text);
  const names = testNames(report);
  const mutants: StrykerMutant[] = [];
  for (const [file, entry] of Object.entries(record(record(report)["files"]))) {
    for (const found of list(record(entry)["mutants"])) {
      const mutant = mutantOf(file, record(found), names);
      if (mutant === undefined) return undefined;
      mutants.push(mutant);
    }
  }
  const initialRun = record(record(report)["performance"])["initialRun"];
  return mutants.length === 0
    ? undefined
    : { mutants, initialRunMs: typeof initialRun === "number" ? initialRun : 0 };
}

function mutantOf(
  file: string,
  found: Readonly<Record<string, unknown>>,
  names: ReadonlyMap<unknown, string>,
): StrykerMutant | undefined {
  const status = STATUSES.get(found["status"]);
  const { start, end } = record(found["location"]);
  const [from, to] = [positionOf(start), positionOf(end)];
  const { mutatorName: operator, replacement } = found;
  if (status === undefined || from === undefined || to === undefined) return undefined;
  if (typeof operator !== "string" || typeof replacement !== "string") return undefined;
  const killedBy = list(found["killedBy"]).map((id) => names.get(id) ?? String(id));
  return { file, place: { start: from, end: to }, operator, replacement, status, killedBy };
}

/** The report counts from 1, the instrumenter from 0. */
function positionOf(value: unknown): { line: number; column: number } | undefined {
  const { line, column } = record(value);
  if (typeof line !== "number" || typeof column !== "number") return undefined;
  return { line: line - 1, column: column - 1 };
}

function testNames(report: unknown): ReadonlyMap<unknown, string> {
  const files = Object.values(record(record(report)["testFiles"]));
  const tests = files.flatMap((file) => list(record(file)["tests"])).map((test) => record(test));
  return new Map(tests.map(({ id, name }) => [id, String(name)]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
