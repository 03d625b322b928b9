// The only way to make a graph: whatever could go wrong silently while it runs is refused when it is defined.
import { CupelError } from "../domain/error.ts";
import { nearest } from "../domain/nearest.ts";
import { preview } from "../domain/parse.ts";
import { LONGEST_MS } from "./attempt.ts";
import { END } from "./port.ts";
import type { Graph, GraphDefinition, NodeDefinition, StateKey, StateShape } from "./port.ts";
import { walkAll } from "./walks.ts";
import type { Wiring } from "./walks.ts";

/** Also the prefix of an embedded graph, before the slash. */
const NODE = /^[a-z][a-z0-9_-]{0,63}(\/[a-z][a-z0-9_-]{0,63}){0,3}$/;
const NAME = /^[a-z][a-z0-9_-]{0,63}$/;
const KEY = /^[a-zA-Z][a-zA-Z0-9_]{0,63}$/;

export function defineGraph<Shape extends StateShape, Ports, Names extends string, Entries extends string>(
  definition: GraphDefinition<Shape, Ports, Names, Entries>,
): Graph<Shape, Ports, Entries, Names> {
  const { name, version, state } = definition;
  const nodes = new Map<Names, NodeDefinition<Shape, Ports>>();
  const nodesByName: { readonly [Name in Names]: NodeDefinition<Shape, Ports> } = definition.nodes;
  for (const key in nodesByName) nodes.set(key, nodesByName[key]);
  const entries = new Map<Entries, Names>();
  const entriesByName: { readonly [Entry in Entries]: Names } = definition.entries;
  for (const key in entriesByName) entries.set(key, entriesByName[key]);

  checkNames(name, version, state, entries);
  if (nodes.size === 0) refuseGraph(name, "it has no nodes", "at least one");
  for (const [node, definition] of nodes) {
    checkNode(name, node, definition);
    checkEdges(name, nodes, node, definition);
    checkJoin(name, nodes, node, definition.after);
  }
  for (const [entry, node] of entries) {
    if (!nodes.has(node))
      refuseGraph(name, `its entry ${entry} leads to ${preview(node)}`, known(node, nodes));
  }
  const walks = walkAll(name, nodes, [...entries.values()]);
  return Object.freeze({ name, version, state, nodes, entries, endsOnce: walks.endsOnce });
}

/** A value of the state without a schema of keys around it. */
export function stateKey<Schema extends StateKey["schema"]>(key: StateKey<Schema>): StateKey<Schema> {
  return key;
}

export function refuseGraph(graph: string, problem: string, expected: string): never {
  throw new CupelError("usage", `the graph ${preview(graph)} cannot be: ${problem}`, { expected });
}

function checkNames(
  name: string,
  version: number,
  state: StateShape,
  entries: ReadonlyMap<string, string>,
): void {
  if (!NAME.test(name)) refuseGraph(name, `its name is ${preview(name)}`, "a name such as debate");
  if (!Number.isSafeInteger(version) || version < 1) {
    refuseGraph(name, `its version is ${version}`, "1, 2, 3 and so on");
  }
  for (const key of Object.keys(state)) {
    if (KEY.test(key)) continue;
    refuseGraph(name, `${preview(key)} is no name for a value of the state`, "a name such as verdict");
  }
  for (const entry of entries.keys()) {
    if (NAME.test(entry)) continue;
    refuseGraph(name, `${preview(entry)} is no name for an entry`, "a name such as challenge");
  }
  if (!entries.has("start")) refuseGraph(name, "it has no entry named start", "one");
}

interface Labels {
  timeoutMs: number;
  retries?: number;
  lane: string;
  does: string;
}

function checkNode(graph: string, node: string, { timeoutMs, retries = 0, lane, does }: Labels): void {
  // The engine looks nodes up in plain objects, where some names are taken.
  if (!NODE.test(node) || node === END || node in {}) {
    refuseGraph(graph, `${preview(node)} is no name for a node`, "a name such as draft");
  }
  if (!(timeoutMs > 0 && timeoutMs <= LONGEST_MS)) {
    refuseGraph(graph, `${node} may take ${timeoutMs} ms`, `more than 0 and at most ${LONGEST_MS}`);
  }
  if (!Number.isSafeInteger(retries) || retries < 0 || retries > 100) {
    refuseGraph(graph, `${node} is tried again ${retries} times`, "a whole number from 0 to 100");
  }
  if (lane.trim() === "" || does.trim() === "") {
    refuseGraph(graph, `${node} has no lane or does nothing`, "both, in words");
  }
}

function checkEdges(
  graph: string,
  nodes: ReadonlyMap<string, Wiring>,
  node: string,
  { to, routes, after = [] }: Wiring,
): void {
  const targets = to ?? routes;
  if (targets === undefined || (to !== undefined && routes !== undefined)) {
    const has = to === undefined ? "neither" : "both";
    refuseGraph(graph, `${node} has ${has} to and routes`, "exactly one of the two");
  }
  if (targets.length === 0) {
    refuseGraph(graph, `${node} leads nowhere`, `at least one target; ${END} is the end`);
  }
  checkNamed(
    graph,
    nodes,
    node,
    targets.filter((target) => target !== END),
  );
  checkNamed(graph, nodes, node, after);
  if (to !== undefined && to.length > 1 && to.includes(END)) {
    refuseGraph(graph, `${node} goes to ${to.join(" and ")}`, `${END} alone, or nodes alone`);
  }
}

function checkNamed(
  graph: string,
  nodes: ReadonlyMap<string, unknown>,
  node: string,
  named: readonly string[],
): void {
  if (new Set(named).size < named.length) refuseGraph(graph, `${node} names a node twice`, "each once");
  for (const name of named) {
    if (!nodes.has(name)) {
      refuseGraph(graph, `${node} names ${preview(name)}, which is no node`, known(name, nodes));
    }
  }
}

/** Whoever leads to a join must always lead there: one that may go elsewhere would leave it waiting. */
function checkJoin(
  graph: string,
  nodes: ReadonlyMap<string, Wiring>,
  join: string,
  after?: readonly string[],
): void {
  if (after === undefined) return;
  if (after.length < 2)
    refuseGraph(graph, `${join} waits for ${after.length} node`, "at least two; one needs no after");
  for (const [node, { to = [], routes = [] }] of nodes) {
    if (routes.includes(join)) {
      refuseGraph(
        graph,
        `${join} waits for others, but ${node} only sometimes goes there`,
        `to: ["${join}"] in ${node}`,
      );
    }
    if (to.includes(join) !== after.includes(node)) {
      const wanted = after.includes(node)
        ? `to: ["${join}"] in ${node}`
        : `${node} among what ${join} waits for`;
      refuseGraph(graph, `${join} and ${node} disagree about who waits for whom`, wanted);
    }
  }
}

function known(name: string, nodes: ReadonlyMap<string, unknown>): string {
  const meant = nearest(name, nodes.keys());
  return meant === undefined ? `one of ${[...nodes.keys()].join(", ")}` : `perhaps ${meant}`;
}
