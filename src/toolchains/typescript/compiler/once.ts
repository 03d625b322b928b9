// Answers about a program are looked up once: its files never change.
import type { Program } from "./program.ts";

export function once<T>(ask: (program: Program) => T): (program: Program) => T {
  const known = new WeakMap<Program, { answer: T }>();
  return (program) => {
    const before = known.get(program) ?? { answer: ask(program) };
    known.set(program, before);
    return before.answer;
  };
}
