// The corpus that a trial names.
import { CupelError } from "../../domain/error.ts";
import { BUILTIN } from "./builtin.ts";
import type { BuiltinTask } from "./builtin-task.ts";

export function tasksOfCorpus(corpus: string): Promise<readonly BuiltinTask[]> {
  if (corpus === "builtin") return Promise.resolve(BUILTIN.tasks());
  return Promise.reject(new CupelError("usage", `${corpus} is no corpus`));
}
