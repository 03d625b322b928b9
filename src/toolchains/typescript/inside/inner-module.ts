// Evaluates the bundle of a module anew for each use, with a switch that says which mutant is on.
import { createRequire, isBuiltin } from "node:module";
import { Script } from "node:vm";
import type { InnerJob } from "./inner-job.ts";
import { unsupported } from "./unsupported.ts";
import { vitestExports } from "./vitest-shim.ts";

/** One run's view of the mutants: which is on, what was reached, and when enough is enough. */
export class Switch {
  readonly active: number;
  hits = 0;
  over = false;
  private left: number;
  reached: Uint8Array;

  constructor(active: number, mutants: number, limit: number) {
    this.active = active;
    this.left = limit;
    this.reached = new Uint8Array(mutants);
  }

  /** Bound once for each run, so that the engine can inline it. */
  test(): (id: number) => boolean {
    return (id) => {
      this.reached[id] = 1;
      if (++this.hits > this.left) this.stop();
      return id === this.active;
    };
  }

  /** The functions that ran, given for each mutant the number of the one it stands in. */
  ran(regions: readonly number[]): number[] {
    const found = new Set<number>();
    this.reached.forEach((reached, mutant) => {
      const region = regions[mutant] ?? -1;
      if (reached === 1 && region !== -1) found.add(region);
    });
    return [...found];
  }

  /** The next part of the run may reach mutants this often. */
  allow(hits: number): void {
    if (!this.over) this.left = this.hits + hits;
  }

  /** What still runs of this run ends at its next step. */
  retire(): void {
    this.left = -1;
  }

  private stop(): never {
    this.over = true;
    throw new Error("mutants were reached far more often than without one");
  }
}

export interface LoadedModule {
  /** Evaluates what a file needs, and the file. */
  load(path: string, on: Switch): unknown;
  configureProperties(parameters: object): void;
}

const { apply, get } = Reflect;

export function loadModule({ code, packages, switchName = "__cupel_on" }: InnerJob): LoadedModule {
  hideSwitches(switchName);
  const builtin = createRequire(`${process.cwd()}/`);
  const shared = evaluateOnce(packages, (name) => {
    if (!isBuiltin(name)) throw new Error(`${name} is not part of the bundle`);
    const found: unknown = builtin(name);
    return found;
  });
  const require = (name: string): unknown => {
    if (name === "vitest") return vitestExports;
    if (isBuiltin(name)) return builtin(name);
    if (Object.hasOwn(shared, name)) return shared[name];
    return unsupported(`the import of ${name}`);
  };
  // A constant, and no parameter: whoever could put another in its place would be told which mutants are reached.
  const opening = `(function (require, module, exports) {"use strict";const ${switchName}=arguments[3];`;
  const script = new Script(`${opening}${code}\n})`, { filename: "module.cjs" });
  const evaluate: unknown = script.runInThisContext();
  if (typeof evaluate !== "function") throw new TypeError("the bundle is no function");
  return {
    load: (path, on) => {
      const module = { exports: {} };
      apply(evaluate, undefined, [require, module, module.exports, on.test()]);
      const files: unknown = get(module.exports, "files");
      if (typeof files !== "object" || files === null) throw new TypeError("the bundle has no files");
      const load: unknown = get(files, path);
      if (typeof load !== "function") throw new TypeError(`the bundle does not hold ${path}`);
      const loaded: unknown = apply(load, undefined, []);
      return loaded;
    },
    configureProperties: (parameters) => {
      const fastCheck: unknown = shared["fast-check"];
      if (typeof fastCheck !== "object" || fastCheck === null) return;
      const configure: unknown = Reflect.get(fastCheck, "configureGlobal");
      if (typeof configure === "function") Reflect.apply(configure, fastCheck, [{ ...parameters }]);
    },
  };
}

function evaluateOnce(code: string, require: (name: string) => unknown): Record<string, unknown> {
  const module: { exports: Record<string, unknown> } = { exports: {} };
  const evaluate: unknown = new Script(`(function (require, module, exports) {${code}\n})`, {
    filename: "packages.cjs",
  }).runInThisContext();
  if (typeof evaluate === "function") Reflect.apply(evaluate, undefined, [require, module, module.exports]);
  return module.exports;
}

const slice: (this: string, from: number, to?: number) => string = Reflect.get(String.prototype, "slice");
const indexOf: (this: string, part: string, from: number) => number = Reflect.get(
  String.prototype,
  "indexOf",
);

/** The text of a function would tell the switch's name and which mutants it holds. */
function hideSwitches(name: string): void {
  const call = `${name}(`;
  const hidden = (text: string): string => {
    let made = "";
    let from = 0;
    for (;;) {
      const at = apply(indexOf, text, [call, from]);
      if (at === -1) return made === "" ? text : made + apply(slice, text, [from]);
      made += `${apply(slice, text, [from, at])}false`;
      from = apply(indexOf, text, [")", at]) + 1;
    }
  };
  const { prototype } = Function;
  const toText: () => string = get(prototype, "toString");
  const value = new Proxy(toText, { apply: (_, self) => hidden(apply(toText, self, [])) });
  Object.defineProperty(prototype, "toString", { value, writable: true, configurable: true });
}
