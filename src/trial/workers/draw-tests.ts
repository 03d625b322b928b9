// A test author's work: tests of some of the constraints, a few of them wrong; the arm has no say in it.
import { chance } from "../../domain/chance.ts";
import type { BuiltinTask, TestBlock } from "../corpus/builtin-task.ts";
import type { Draw } from "./draw-code.ts";

export interface DrawnTest {
  block: TestBlock;
  /** The one that it is written in place of, where it is wrong; undefined where it is right. */
  instead: TestBlock | undefined;
}

/** Those that are there stay; what else there is to show is drawn once more. `attempt` is from 1. */
export function drawTests(
  { task, seed, parameters }: Draw,
  attempt: number,
  written: readonly DrawnTest[] = [],
): DrawnTest[] {
  const right = new Set(
    written.flatMap(({ block, instead }) => (instead === undefined ? [block.title] : [])),
  );
  const open = task.tests.filter(({ title }) => !right.has(title));
  const missing = task.constraints.filter(({ id }) => open.some(({ covers }) => covers === id));
  const remembered = missing.filter(
    ({ id }) => chance(seed, `${task.id} tests ${id} ${attempt}`)() < parameters.coverage,
  );
  // Whoever sits down to write tests writes one.
  const shows = remembered.length > 0 ? remembered : missing.slice(0, 1);
  const all = [...written];
  for (const block of open.filter(({ covers }) => shows.some(({ id }) => id === covers))) {
    const isWrong = chance(seed, `${task.id} wrong test ${block.title} ${attempt}`)() < parameters.wrongTest;
    const wrong = isWrong ? wrongFor(task, block, all) : undefined;
    all.push(wrong === undefined ? { block, instead: undefined } : { block: wrong, instead: block });
  }
  return inOrder(task, all);
}

/** With the right ones in place of those, each once. */
export function repaired(tests: readonly DrawnTest[], titles: readonly string[]): DrawnTest[] {
  const isThere = (title: string) => tests.some(({ block }) => block.title === title);
  return tests.flatMap((test): DrawnTest[] => {
    const { block, instead } = test;
    if (instead === undefined || !titles.includes(block.title)) return [test];
    return isThere(instead.title) ? [] : [{ block: instead, instead: undefined }];
  });
}

export function without(tests: readonly DrawnTest[], titles: readonly string[]): DrawnTest[] {
  return tests.filter(({ block }) => !titles.includes(block.title));
}

/** One of the same constraint where there is one; nobody makes the same mistake twice. */
function wrongFor(
  { wrongTests }: BuiltinTask,
  block: TestBlock,
  written: readonly DrawnTest[],
): TestBlock | undefined {
  const fresh = wrongTests.filter(({ title }) => !written.some((test) => test.block.title === title));
  return fresh.find(({ covers }) => covers === block.covers) ?? fresh[0];
}

function inOrder({ tests }: BuiltinTask, drawn: readonly DrawnTest[]): DrawnTest[] {
  const place = ({ block, instead }: DrawnTest) =>
    tests.findIndex(({ title }) => title === (instead ?? block).title);
  return drawn.toSorted((one, other) => place(one) - place(other));
}
