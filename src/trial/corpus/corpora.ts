// The corpus that a trial names.
import { CupelError } from "../../domain/error.ts";
import { BUILTIN } from "./builtin.ts";
import type { BuiltinTask } from "./builtin-task.ts";
import type { TrackTasks } from "./exercism/track-tasks.ts";

/** All of them, or those of `ids` that it has: to read a whole track takes a while. */
export async function tasksOfCorpus(
  corpus: string,
  ids?: readonly string[],
): Promise<readonly BuiltinTask[]> {
  return (await readCorpus(corpus, ids)).tasks;
}

/** Data of others is read from the path that is given and kept nowhere. */
export async function readCorpus(corpus: string, ids?: readonly string[]): Promise<TrackTasks> {
  if (corpus === "builtin") return { tasks: BUILTIN.tasks(), leftOut: [] };
  const [, kind, path = ""] = /^(exercism|polyglot):(.*)$/s.exec(corpus) ?? [];
  if (kind === undefined)
    throw new CupelError("usage", `${corpus} is no corpus`, {
      expected: "builtin, exercism:PATH or polyglot:PATH",
      hint: "cupel trial corpus builtin",
    });
  // The compiler takes a while to load, and only tracks need it.
  const { exercismTasks, polyglotTasks } = await import("./exercism/track-tasks.ts");
  return kind === "exercism" ? exercismTasks(path, ids) : polyglotTasks(path, ids);
}
