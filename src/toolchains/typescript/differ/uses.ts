// The ways to use what a contract promises: each function by itself, each class with its members, with values for all inputs.
import fc from "fast-check";
import type { EntryPoint, MicroModuleContract } from "../../../domain/contract/contract.ts";
import type { Files } from "../../port.ts";
import { picture } from "../inside/picture.ts";
import { inputShapes } from "../input-shapes.ts";
import type { Shape } from "../measure-order.ts";
import { type Taste, valuesOf } from "./arbitraries.ts";
import { type Episode, Giving, send } from "./episode.ts";

/** What was chosen for one use: inputs of the class, if there is one, and of the calls on it. */
export interface Chosen {
  owner: unknown[];
  calls: { at: number; args: unknown[] }[];
}

export interface Use {
  /** Whose entry points are used. */
  entries: string[];
  choices(taste: Taste): fc.Arbitrary<Chosen>;
  episode(chosen: Chosen): Episode;
  /** For people. */
  text(chosen: Chosen): { entry: string; args: string };
}

export interface Uses {
  uses: Use[];
  /** Why something cannot be used, one line for each entry point. */
  unusable: string[];
}

export function usesOf(contract: MicroModuleContract, sources: Files): Uses {
  const unusable: string[] = [];
  const shapesOf = (entry: EntryPoint): Shape[] | undefined => {
    const found = inputShapes(entry, contract, sources);
    if (found.kind === "shapes") return found.shapes;
    unusable.push(found.why);
    return undefined;
  };
  const classes = new Map<string, EntryPoint[]>();
  const uses: Use[] = [];
  for (const entry of contract.entry_points) {
    const [owner = "", member] = entry.name.split(".");
    if (member !== undefined) classes.set(owner, [...(classes.get(owner) ?? []), entry]);
  }
  for (const entry of contract.entry_points) {
    if (entry.name.includes(".") || classes.has(entry.name)) continue;
    const shapes = shapesOf(entry);
    if (shapes !== undefined) uses.push(useOf([{ name: entry.name, shapes }], [entry.name]));
  }
  for (const [name, members] of classes) {
    const maker = contract.entry_points.find((entry) => entry.name === name);
    const made = maker === undefined ? [] : shapesOf(maker);
    const known = members.map((entry) => ({ name: memberOf(entry.name), shapes: shapesOf(entry) }));
    const callable = known.flatMap(({ name: member, shapes }) =>
      shapes === undefined ? [] : [{ name: member, shapes }],
    );
    const entries = members.map((entry) => entry.name);
    if (made !== undefined && callable.length > 0)
      uses.push(useOf(callable, entries, { name, shapes: made }));
  }
  return { uses, unusable };
}

interface Callee {
  name: string;
  shapes: readonly Shape[];
}

const MOST_CALLS = 6;

function useOf(callees: readonly Callee[], entries: string[], owner?: Callee): Use {
  const call = ({ at, args }: Chosen["calls"][number]) => ({ name: callees[at]?.name ?? "", args });
  return {
    entries,
    choices: (taste) => {
      const inputs = ({ shapes }: Pick<Callee, "shapes">) =>
        fc.tuple(...shapes.map((shape) => valuesOf(shape, taste)));
      const one = callees.map((callee, at) => fc.record({ at: fc.constant(at), args: inputs(callee) }));
      const most = owner === undefined ? 1 : MOST_CALLS;
      return fc.record({
        owner: inputs(owner ?? { shapes: [] }),
        calls: fc.array(fc.oneof(...one), { minLength: 1, maxLength: most }),
      });
    },
    episode: ({ owner: made, calls }) => ({
      ...(owner === undefined ? {} : { owner: { name: owner.name, args: made.map(send) } }),
      calls: calls.map(call).map(({ name, args }) => ({ name, args: args.map(send) })),
    }),
    text: ({ owner: made, calls }) => {
      const told = calls.map(call);
      const last = told.at(-1);
      if (owner === undefined) return { entry: last?.name ?? "", args: written(last?.args ?? []) };
      const steps = told.map(({ name, args }) => `${name}(${written(args)})`);
      const entry = `${owner.name}.${last?.name ?? ""}`;
      return { entry, args: [`new ${owner.name}(${written(made)})`, ...steps].join("; ") };
    },
  };
}

function memberOf(name: string): string {
  return name.slice(name.indexOf(".") + 1);
}

function written(args: readonly unknown[]): string {
  const known = {
    own: [],
    classNameOf: () => undefined,
    instead: (value: object) => (value instanceof Giving ? `() => ${written([value.gives])}` : undefined),
  };
  return args.map((each) => picture(each, known).replaceAll(/\bArray \[/g, "[")).join(", ");
}
