// The tasks of a track, and what of it is left out.
import { CupelError } from "../../../domain/error.ts";
import type { BuiltinTask } from "../builtin-task.ts";
import { exerciseTask } from "./exercise-task.ts";
import { isLeftOut, type LeftOut, unlessLeftOut } from "./left-out.ts";
import { exercismTrack, polyglotTrack, type Track } from "./track.ts";
import { openWorkbench } from "./workbench.ts";

export interface TrackTasks {
  tasks: readonly BuiltinTask[];
  leftOut: readonly LeftOut[];
}

export function exercismTasks(path: string, slugs?: readonly string[]): Promise<TrackTasks> {
  return tasksOf(only(exercismTrack(path), slugs), "exercism", path);
}

export function polyglotTasks(path: string, slugs?: readonly string[]): Promise<TrackTasks> {
  return tasksOf(only(polyglotTrack(path), slugs), "polyglot", path);
}

function only(track: Track, slugs: readonly string[] | undefined): Track {
  if (slugs === undefined) return track;
  return { ...track, exercises: track.exercises.filter(({ slug }) => slugs.includes(slug)) };
}

/** A corpus without a task is none. */
async function tasksOf(track: Track, area: string, path: string): Promise<TrackTasks> {
  const workbench = openWorkbench();
  const made: (BuiltinTask | LeftOut)[] = [];
  try {
    for (const exercise of track.exercises)
      made.push(await unlessLeftOut(exercise.slug, () => exerciseTask(exercise, area, workbench)));
  } finally {
    workbench.close();
  }
  const leftOut = [...track.leftOut, ...made.filter(isLeftOut)];
  const tasks = made.flatMap((each) => (isLeftOut(each) ? [] : [each]));
  if (tasks.length > 0) return { tasks, leftOut };
  const [first] = leftOut;
  const why = first === undefined ? "" : `, for example ${first.exercise}: ${first.why}`;
  throw new CupelError("usage", `${path} has no exercise for a trial; ${leftOut.length} are left out${why}`, {
    expected:
      "exercises in TypeScript below exercises/practice or exercises/concept, with exemplar and tests",
  });
}
