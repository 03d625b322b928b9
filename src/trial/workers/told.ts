// What a simulated worker reads in its prompt: the parts that are fenced as material of others, by name.
import { z } from "zod";
import { isAboutTests } from "../../protocols/about-tests.ts";

/** Undefined where the prompt has no part of that name. */
export function toldIn(prompt: string, name: string): unknown {
  const [, text] =
    new RegExp(`<untrusted name="${name}" id="(?:\\w+)">\n([\\s\\S]*?)\n</untrusted id=`).exec(prompt) ?? [];
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const Critique = z.looseObject({ evidence: z.string().optional(), problem: z.string().optional() });

/** Everything that came back, each in words. */
export function complaintsIn(prompt: string): string[] {
  return ["findings", "failures", "feedback", "structured failures", "gate findings", "critiques"].flatMap(
    (name) => {
      const told = toldIn(prompt, name);
      if (told === undefined) return [];
      return (Array.isArray(told) ? told : [told]).map((each) =>
        typeof each === "string" ? each : wordsOf(each),
      );
    },
  );
}

function wordsOf(each: unknown): string {
  const { data } = Critique.safeParse(each);
  return data?.evidence ?? data?.problem ?? JSON.stringify(each);
}

const WRONG_TEST = "review of tests: ";

/** As a reviewer says it. */
export function wrongTestFinding(title: string): string {
  return `${WRONG_TEST}${JSON.stringify(title)} contradicts the specification`;
}

export interface Sorted {
  /** Titles of tests that somebody calls wrong. */
  wrong: string[];
  /** Whether tests are missing. */
  weak: boolean;
  /** Whether the code is called wrong. */
  code: boolean;
}

export function sortComplaints(complaints: readonly string[]): Sorted {
  const wrong = complaints.flatMap((each) => titleIn(each) ?? []);
  const others = complaints.filter((each) => titleIn(each) === undefined);
  return { wrong, weak: others.some(isAboutTests), code: others.some((each) => !isAboutTests(each)) };
}

function titleIn(complaint: string): string | undefined {
  const [, title] = new RegExp(`${WRONG_TEST}("(?:[^"\\\\]|\\\\.)*") contradicts`).exec(complaint) ?? [];
  const told: unknown = title === undefined ? undefined : JSON.parse(title);
  return typeof told === "string" ? told : undefined;
}
