// Knows a module's exported classes in one world: finds, makes, uses and names their instances.
import { type InputGenerator, Unmakeable } from "./input-generator.ts";
import type { CallableFunction, CallableMember, CompareJob, InputShape } from "./inner-job.ts";
import { Opaque } from "./picture.ts";

type Callable = (...args: unknown[]) => unknown;

const MOST_PREPARING_CALLS = 3;
const MOST_TRIES = 5;

interface OwnClass {
  callee: CallableFunction;
  constructor: Callable;
  /** Members that need no other instance. */
  flat: CallableMember[];
}

export class OwnClasses {
  readonly #classes: OwnClass[];
  readonly #inner: readonly string[];

  constructor(exports: unknown, { functions, innerClasses }: CompareJob) {
    this.#inner = innerClasses;
    this.#classes = functions.flatMap((callee) => {
      const constructor = callee.methods === undefined ? undefined : exported(exports, callee).called;
      if (!isCallable(constructor)) return [];
      const flat = (callee.methods ?? []).filter(({ parameters }) => !mentionsInstances(parameters));
      return [{ callee, constructor, flat }];
    });
  }

  find(value: unknown): { instance: object; callee: CallableFunction } | undefined {
    if (typeof value !== "object" || value === null) return undefined;
    const callee = this.#classes.find(({ constructor }) => isInstance(value, constructor))?.callee;
    return callee === undefined ? undefined : { instance: value, callee };
  }

  /** Undefined for what fields do not tell all about. */
  nameOf(value: object, isWithin: boolean): string | undefined {
    const callee = this.find(value)?.callee;
    if (callee !== undefined) return callee.isOpaque === true ? undefined : callee.name;
    const prototype: unknown = Object.getPrototypeOf(value);
    if (!isWithin || typeof prototype !== "object" || prototype === null) return undefined;
    const maker: unknown = Reflect.get(prototype, "constructor");
    const isInner = isCallable(maker) && this.#inner.includes(maker.name);
    return isInner && Object.getPrototypeOf(prototype) === Object.prototype ? maker.name : undefined;
  }

  /** Some calls bring it into a state that no constructor makes. */
  build(of: string, make: (shape: InputShape) => unknown, generator: InputGenerator): object {
    const found = this.#classes.find(({ callee }) => callee.name === of);
    if (found === undefined) throw new Unmakeable(`a ${of}`);
    const { callee, constructor, flat } = found;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const args = argumentsOf(callee.parameters, make);
      const instance = quietly(() => Reflect.construct(constructor, args));
      if (typeof instance !== "object" || instance === null) continue;
      for (let left = generator.below(MOST_PREPARING_CALLS + 1); left > 0 && flat.length > 0; left--) {
        const member = generator.pick(flat);
        const given = argumentsOf(member.parameters, make);
        quietly(() => accessed(instance, member, given));
      }
      return instance;
    }
    throw new Unmakeable(`a ${of}`);
  }
}

export function findExport(exports: unknown, callee: CallableFunction): { called: Callable; owner: unknown } {
  const { called, owner } = exported(exports, callee);
  if (!isCallable(called)) throw new Opaque("no such function");
  return { called, owner };
}

/** Functions that are called by their own name get no `this`. */
function exported(exports: unknown, { name, path = [name] }: CallableFunction) {
  let owner: unknown;
  let called = exports;
  for (const [depth, key] of path.entries()) {
    const isHolder = (typeof called === "object" && called !== null) || typeof called === "function";
    owner = depth === 0 ? undefined : called;
    called = isHolder ? Reflect.get(Object(called), key) : undefined;
  }
  return { called, owner };
}

function isCallable(value: unknown): value is Callable {
  return typeof value === "function";
}

function isInstance(value: object, constructor: Callable): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== null && prototype === Reflect.get(constructor, "prototype");
}

export function accessed(instance: object, { name, access }: CallableMember, args: unknown[]): unknown {
  if (access === "set") return Reflect.set(instance, name, args[0]);
  const member: unknown = Reflect.get(instance, name);
  if (access === "get") return member;
  if (!isCallable(member)) throw new TypeError(`${name} is not a function`);
  return Reflect.apply(member, instance, args);
}

function mentionsInstances(shapes: readonly InputShape[]): boolean {
  return JSON.stringify(shapes).includes('"kind":"instance"');
}

function quietly(call: () => unknown): unknown {
  try {
    const made = call();
    if (made instanceof Promise) made.catch(() => undefined);
    return made;
  } catch {
    return undefined;
  }
}

/** A rest parameter takes many. */
export function argumentsOf(shapes: readonly InputShape[], make: (shape: InputShape) => unknown): unknown[] {
  return shapes.flatMap((shape) => {
    const made = make(shape);
    return shape.kind === "rest" && Array.isArray(made) ? made : [made];
  });
}

/** Whether it can be used without handing anything in. */
export function isBare({ parameters, access }: CallableMember): boolean {
  return parameters.length === 0 && access !== "set";
}

/** Whether a result is the instance's own collection or a copy shows when something is taken out of it. */
export function takenFrom(value: unknown): string {
  try {
    if (Array.isArray(value)) return `took ${value.length > 0 && value.pop() !== undefined}`;
    if (value instanceof Set || value instanceof Map)
      for (const [key] of value.entries()) return `took ${value.delete(key)}`;
    return "";
  } catch {
    return "nothing can be taken";
  }
}
