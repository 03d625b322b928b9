// What the workers of one run have made so far: the code that was drawn last, the tests as they are, and how it came so.
import { keyText } from "../../domain/agent/call-key.ts";
import type { CallKey } from "../../domain/agent/call-key.ts";
import type { Files } from "../../toolchains/port.ts";
import type { Bench } from "../bench.ts";
import { testsOf } from "../corpus/builtin-task.ts";
import { type Draw, drawCode, type DrawnCode } from "./draw-code.ts";
import { findsFault } from "./draw-review.ts";
import { type DrawnTest, drawTests, repaired, without } from "./draw-tests.ts";

export interface Desk {
  readonly draw: Draw;
  readonly bench: Bench;
  /** How often somebody who writes both may mend it after its own tests failed. */
  readonly mostMended: number;
  /** How often code and tests were drawn. */
  codeDrawn: number;
  testsDrawn: number;
  code: DrawnCode | undefined;
  tests: DrawnTest[];
  reviews: number;
  /** The call in which its author's own tests first sent a defective candidate back. */
  caughtIn: string | undefined;
  /** Code and tests as they were handed in last. */
  lastHandedIn: string;
  lastTests: string;
  /** Whether somebody has looked at the same code, or the same tests, again: once more, and the mark is taken away. */
  isCodeMarked: boolean;
  areTestsMarked: boolean;
  /** Which code each call handed in. */
  readonly handedIn: Map<string, DrawnCode>;
  /** How many turns a call took, where it took more than one. */
  readonly turns: Map<string, number>;
}

export function newDesk(draw: Draw, bench: Bench, mostMended: number): Desk {
  return {
    draw,
    bench,
    mostMended,
    codeDrawn: 0,
    testsDrawn: 0,
    code: undefined,
    tests: [],
    reviews: 0,
    caughtIn: undefined,
    lastHandedIn: "",
    lastTests: "",
    isCodeMarked: false,
    areTestsMarked: false,
    handedIn: new Map(),
    turns: new Map(),
  };
}

export async function nextCode(desk: Desk): Promise<void> {
  desk.codeDrawn += 1;
  desk.code = await drawCode(desk.draw, desk.codeDrawn, desk.bench);
}

export function nextTests(desk: Desk): void {
  desk.testsDrawn += 1;
  desk.tests = drawTests(desk.draw, desk.testsDrawn, desk.tests);
}

/** Whoever comes to the same again leaves a mark that it has looked: work in which nothing changed would not be taken. */
export function handIn(desk: Desk, key: CallKey): void {
  const { code, handedIn, draw } = desk;
  if (code === undefined) return;
  const plain = withoutMark(code.sources, draw.task.entry);
  const now = JSON.stringify([plain, testsOn(desk)]);
  desk.isCodeMarked = now === desk.lastHandedIn && !desk.isCodeMarked;
  desk.lastHandedIn = now;
  desk.code = { ...code, sources: desk.isCodeMarked ? marked(plain, draw.task.entry) : plain };
  handedIn.set(keyText({ ...key, turn: 1 }), desk.code);
}

export function handInTests(desk: Desk): void {
  const now = desk.tests.map(({ block }) => block.title).join("\n");
  desk.areTestsMarked = now === desk.lastTests && !desk.areTestsMarked;
  desk.lastTests = now;
}

const MARK = "\n// Looked at again.\n";

function marked(sources: Files, entry: string): Files {
  return { ...sources, [entry]: (sources[entry] ?? "") + MARK };
}

function withoutMark(sources: Files, entry: string): Files {
  return { ...sources, [entry]: (sources[entry] ?? "").replace(MARK, "") };
}

export function sourcesOn({ code, draw }: Desk): Files {
  return code?.sources ?? draw.task.reference;
}

/** The same inputs each time: a run that is repeated must come to the same end. */
export function testsOn({ draw: { task }, tests, areTestsMarked }: Desk): Files {
  const files = testsOf(
    task,
    tests.map(({ block }) => block),
  );
  const mark = areTestsMarked ? MARK : "";
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, seeded(text) + mark]));
}

function seeded(text: string): string {
  if (!text.includes('from "fast-check"')) return text;
  return text.replace(/\n\n/, () => "\n\nfc.configureGlobal({ seed: 1 });\n\n");
}

/** Whoever writes code and tests runs them: while they fail, it mends the code, or the tests that it takes for wrong. */
export async function mendOwn(desk: Desk, key: CallKey): Promise<void> {
  const name = keyText({ ...key, turn: 1 });
  for (let turn = 1; turn <= desk.mostMended; turn += 1) {
    const failing = await failingTests(desk);
    if (failing.length === 0) return;
    desk.turns.set(name, turn + 1);
    const isWrong = (title: string) =>
      desk.tests.some(({ block, instead }) => block.title === title && instead !== undefined);
    const blamed = failing.filter((title) =>
      findsFault(desk.draw, `own test ${title} ${desk.codeDrawn} ${turn}`, isWrong(title)),
    );
    if (blamed.length === 0) {
      if (desk.code?.defect !== undefined) desk.caughtIn ??= name;
      await nextCode(desk);
    } else desk.tests = mended(desk.tests, blamed, isWrong);
  }
}

function mended(
  tests: DrawnTest[],
  blamed: readonly string[],
  isWrong: (title: string) => boolean,
): DrawnTest[] {
  const right = blamed.filter((title) => !isWrong(title));
  const left = without(repaired(tests, blamed), right);
  // Nobody hands in a module without a test.
  return left.length === 0 ? tests.slice(0, 1) : left;
}

async function failingTests(desk: Desk): Promise<string[]> {
  const report = await desk.bench.test({ ...sourcesOn(desk), ...testsOn(desk) });
  const titles = desk.tests.map(({ block }) => block.title);
  if (report.kind === "no-report") return titles;
  const passed = report.run.results.filter(({ outcome }) => outcome === "passed").map(({ name }) => name);
  return titles.filter((title) => !passed.includes(title));
}
