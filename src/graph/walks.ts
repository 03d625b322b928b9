// Walks every way through a graph before it ever runs, step by step as the engine would: joins that would wait for ever,
// nodes nobody comes to and loops without a way out show themselves here.
import { CupelError } from "../domain/error.ts";
import { preview } from "../domain/parse.ts";
import { END } from "./port.ts";

export interface Wiring {
  to?: readonly string[] | undefined;
  routes?: readonly string[] | undefined;
  after?: readonly string[] | undefined;
}

/** Which nodes run in a step, and who has arrived at which join so far. */
interface Moment {
  active: readonly string[];
  /** `join<predecessor`, sorted. */
  waiting: readonly string[];
  /** How many ways have ended; two stands for more. */
  ended: number;
  from: Moment | undefined;
}

/** Graphs of people have a handful of ways side by side; one with more than this is not understood by anybody. */
const MOST_MOMENTS = 20_000;

export function walkAll(
  graph: string,
  nodes: ReadonlyMap<string, Wiring>,
  entries: readonly string[],
): { endsOnce: boolean } {
  const moments = explore(graph, nodes, entries);
  const seen = new Set([...moments.values()].flatMap(({ moment }) => moment.active));
  for (const node of nodes.keys()) {
    if (!seen.has(node)) refuse(graph, `nothing leads to ${node}`, "an edge or an entry that does");
  }
  const ends = [...moments].filter(([, { moment }]) => moment.active.length === 0);
  for (const [, { moment }] of ends) {
    const [stuck] = moment.waiting;
    if (stuck === undefined) continue;
    const [join, arrived] = stuck.split("<");
    refuse(
      graph,
      `${join} would wait for ever: only ${arrived} comes when the way is ${pathTo(moment)}`,
      `ways that reach all that ${join} waits for, or none`,
    );
  }
  const lost = withoutEnd(
    moments,
    ends.map(([key]) => key),
  );
  if (lost !== undefined)
    refuse(graph, `from ${lost.active.join(" and ")} no way leads to the end`, `a way to ${END}`);
  return { endsOnce: ends.every(([, { moment }]) => moment.ended === 1) };
}

type Moments = Map<string, { moment: Moment; before: string[] }>;

function explore(graph: string, nodes: ReadonlyMap<string, Wiring>, entries: readonly string[]): Moments {
  const moments: Moments = new Map();
  const open = entries.map((entry): Moment => ({ active: [entry], waiting: [], ended: 0, from: undefined }));
  for (const moment of open) moments.set(keyOf(moment), { moment, before: [] });
  for (let moment = open.pop(); moment !== undefined; moment = open.pop()) {
    for (const next of following(graph, nodes, moment)) {
      const known = moments.get(keyOf(next));
      if (known === undefined) open.push(next);
      moments.set(keyOf(next), {
        moment: known?.moment ?? next,
        before: [...(known?.before ?? []), keyOf(moment)],
      });
      if (moments.size > MOST_MOMENTS)
        refuse(graph, "too many ways run side by side in it", "a simpler graph");
    }
  }
  return moments;
}

/** Every combination of what the active nodes may choose. */
function following(graph: string, nodes: ReadonlyMap<string, Wiring>, moment: Moment): Moment[] {
  if (moment.active.length === 0) return [];
  let choices: [string, string][][] = [[]];
  for (const node of moment.active) {
    const { to, routes = [] } = nodes.get(node) ?? {};
    const ways = to === undefined ? routes.map((route) => [route]) : [to];
    choices = choices.flatMap((chosen) =>
      ways.map((way) => [...chosen, ...way.map((target): [string, string] => [node, target])]),
    );
    if (choices.length > MOST_MOMENTS)
      refuse(graph, "too many ways run side by side in it", "a simpler graph");
  }
  return choices.map((arrivals) => step(graph, nodes, moment, arrivals));
}

function step(
  graph: string,
  nodes: ReadonlyMap<string, Wiring>,
  from: Moment,
  arrivals: readonly [string, string][],
): Moment {
  const active = new Set<string>();
  const waiting = new Set(from.waiting);
  let { ended } = from;
  for (const [node, target] of arrivals) {
    const after = nodes.get(target)?.after;
    if (target === END) ended = Math.min(2, ended + 1);
    else if (after === undefined) active.add(target);
    else {
      const mark = `${target}<${node}`;
      if (waiting.has(mark)) refuse(graph, `${node} comes to ${target} twice while it waits`, "each once");
      waiting.add(mark);
      if (after.every((one) => waiting.has(`${target}<${one}`))) {
        active.add(target);
        for (const one of after) waiting.delete(`${target}<${one}`);
      }
    }
  }
  return { active: [...active].toSorted(), waiting: [...waiting].toSorted(), ended, from };
}

/** The first moment from which no end can be reached. */
function withoutEnd(moments: Moments, ends: readonly string[]): Moment | undefined {
  const reaching = new Set(ends);
  const open = [...ends];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    for (const before of moments.get(key)?.before ?? []) {
      if (reaching.has(before)) continue;
      reaching.add(before);
      open.push(before);
    }
  }
  return [...moments].find(([key]) => !reaching.has(key))?.[1].moment;
}

function keyOf({ active, waiting, ended }: Moment): string {
  return JSON.stringify([active, waiting, ended]);
}

function pathTo(moment: Moment): string {
  const steps: string[] = [];
  for (let at: Moment | undefined = moment; at !== undefined; at = at.from) {
    if (at.active.length > 0) steps.unshift(at.active.join(" + "));
  }
  return steps.slice(-12).join(" → ");
}

function refuse(graph: string, problem: string, expected: string): never {
  throw new CupelError("usage", `the graph ${preview(graph)} cannot be: ${problem}`, { expected });
}
