// The researcher's folders of rounds that are over: what was drafted in them lies in the store, so nobody needs them.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathsOf } from "../store/state-store.ts";
import { UNFINISHED } from "../workshop/workspace/places.ts";
import { discard } from "../workshop/workspace/remove.ts";
import { foldersIn, sizeOf } from "../workshop/workspace/rubbish.ts";
import { projectAround } from "./project.ts";
import { withStore } from "./stores.ts";

export interface FinishedRound {
  /** Below `.cupel/product`. */
  name: string;
  bytes: number;
}

/** All but the last one, which is worked on until its specification has become a project. */
export async function finishedRounds(directory: string): Promise<FinishedRound[]> {
  const place = placeOf(directory);
  const names = foldersIn(place).toSorted((a, b) => numberIn(a) - numberIn(b));
  const rounds = names.filter((name) => /^round-\d+$/.test(name));
  const finished = rounds.length > 0 && (await hasProject(directory)) ? rounds : rounds.slice(0, -1);
  const rubbish = names.filter((name) => name.startsWith(UNFINISHED));
  return [...finished, ...rubbish].map((name) => ({ name, bytes: sizeOf(join(place, name)) }));
}

export async function removeRounds(directory: string): Promise<FinishedRound[]> {
  const rounds = await finishedRounds(directory);
  for (const { name } of rounds) await discard(join(placeOf(directory), name));
  return rounds;
}

function placeOf(directory: string): string {
  return join(projectAround(directory), ".cupel", "product");
}

function numberIn(name: string): number {
  return Number(/\d+$/.exec(name)?.[0] ?? 0);
}

async function hasProject(directory: string): Promise<boolean> {
  const around = projectAround(directory);
  if (!existsSync(pathsOf(around).database)) return false;
  return withStore(around, async ({ project }) => (await project.head()) !== undefined);
}
