// The state of a thread: nothing gets into it, and nothing leaves the database, that does not match its schema.
import { CupelError } from "../domain/error.ts";
import { nearest } from "../domain/nearest.ts";
import { parse, preview, renderProblems } from "../domain/parse.ts";
import type { Problem } from "../domain/parse.ts";
import { damaged } from "../store/local/row.ts";
import type { StateKey, StateOf, StateShape } from "./port.ts";

export type Values = Readonly<Record<string, unknown>>;

/** What a node or a caller wants to change; `who` is how the error names it. */
export function checkUpdate(shape: StateShape, update: unknown, who: string): Values {
  if (typeof update !== "object" || update === null || Array.isArray(update)) {
    throw new CupelError("invalid_input", `${who} gave ${preview(update)} as its update`, {
      expected: "an object with keys of the state",
    });
  }
  const checked: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const [key, value] of Object.entries(update)) {
    const known = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (known === undefined) problems.push(unknownKey(shape, key));
    else if (value !== undefined) checked[key] = checkValue(known.schema, key, value, problems);
  }
  if (problems.length === 0) return freeze(checked);
  throw new CupelError("invalid_input", `${who} would break the state:\n${renderProblems(problems)}`, {
    expected: "values that match the state's schemas",
  });
}

/** What the database holds of a thread. */
export function readState<Shape extends StateShape>(
  shape: Shape,
  values: Values,
  thread: string,
): StateOf<Shape> {
  return wholeState(shape, values, new WeakMap(), (problems) => {
    throw damaged({ table: "graph_values", key: thread }, problems);
  });
}

/** What nodes have made of it meanwhile. Values that were checked before are known by their identity. */
export function checkState<Shape extends StateShape>(
  shape: Shape,
  values: Values,
  checked: WeakMap<object, unknown>,
): StateOf<Shape> {
  return wholeState(shape, values, checked, (problems) => {
    throw new CupelError("invalid_input", `what was merged breaks the state:\n${problems}`, {
      expected: "values that match the state's schemas",
    });
  });
}

function wholeState<Shape extends StateShape>(
  shape: Shape,
  values: Values,
  checked: WeakMap<object, unknown>,
  refuse: (problems: string) => never,
): StateOf<Shape> {
  const state: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const [key, { schema }] of Object.entries(shape)) {
    const value = values[key];
    const known = typeof value === "object" && value !== null ? checked.get(value) : undefined;
    state[key] = known ?? checkValue(schema, key, value, problems);
    if (typeof value === "object" && value !== null) checked.set(value, state[key]);
  }
  if (problems.length > 0) refuse(renderProblems(problems));
  if (isComplete(shape, state)) return freeze(state);
  throw new Error("a state lost a key");
}

/** A write that comes to a value, where that is merged. */
export function merged(key: Pick<StateKey, "merge">, current: unknown, update: unknown): unknown {
  return key.merge === undefined ? update : key.merge(current, update);
}

export function initialState(shape: StateShape): Values {
  return Object.fromEntries(Object.entries(shape).map(([key, { initial }]) => [key, initial()]));
}

/** All the way down, so that nodes that run side by side cannot change what the others see. */
export function freeze<T>(value: T): T {
  const open: unknown[] = [value];
  // Without recursion: whoever made the value decides how deep it is.
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null || Object.isFrozen(next) || ArrayBuffer.isView(next))
      continue;
    Object.freeze(next);
    for (const inner of Object.values(next)) open.push(inner);
  }
  return value;
}

function checkValue(
  schema: StateShape[string]["schema"],
  key: string,
  value: unknown,
  problems: Problem[],
): unknown {
  const parsed = parse(schema, value);
  if (parsed.kind === "ok") return parsed.value;
  problems.push(
    ...parsed.problems.map((problem) => ({ ...problem, path: problem.path.replace("$", `$.${key}`) })),
  );
  return undefined;
}

function unknownKey(shape: StateShape, key: string): Problem {
  const meant = nearest(key, Object.keys(shape));
  const expected = meant === undefined ? `one of ${Object.keys(shape).join(", ")}` : `the key "${meant}"`;
  return { path: `$.${key}`, expected, found: `the unknown key ${preview(key)}` };
}

function isComplete<Shape extends StateShape>(shape: Shape, state: object): state is StateOf<Shape> {
  return Object.keys(shape).every((key) => Object.hasOwn(state, key));
}
