// What a protocol must be besides well formed, so that every figure of the trial has something to stand on.
import { CupelError } from "../domain/error.ts";
import { oneOf } from "../domain/one-of.ts";
import type { TrialProtocol } from "../domain/trial/trial-protocol.ts";

export function checkProtocol(protocol: TrialProtocol, ofCorpus: readonly { id: string }[]): void {
  const known = ofCorpus.map(({ id }) => id);
  const { tasks, seeds, arms, control, corpus } = protocol;
  const names = arms.map(({ name }) => name);
  if (known.length === 0)
    throw new CupelError("usage", `the corpus ${corpus} has no tasks`, {
      expected: "at least one task: a trial without any would show nothing",
    });
  if (tasks.length === 0)
    throw new CupelError("usage", "the trial has no tasks", {
      expected: "at least one: a trial without any would show nothing",
      hint: `cupel trial init DIR --tasks ${known.slice(0, 2).join(",")}`,
    });
  for (const task of tasks) oneOf(known, task, `task of the corpus ${corpus}`);
  refuseTwice(tasks, "task");
  refuseTwice(seeds, "seed");
  refuseTwice(names, "arm");
  oneOf(names, control, "arm to be the control");
}

function refuseTwice(list: readonly (string | number)[], what: string): void {
  const again = list.find((each, index) => list.indexOf(each) !== index);
  if (again === undefined) return;
  throw new CupelError("usage", `the ${what} ${again} is there twice`, {
    expected: `each ${what} once: what is counted twice looks like more than it is`,
  });
}
