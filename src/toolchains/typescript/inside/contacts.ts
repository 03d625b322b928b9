// What each test really did with the module: which entry points it called, which promises held there, what its properties tried.
import type { WireContact, WireProperty } from "../wire-report.ts";
import type { Property } from "./properties.ts";

/** Is told of each call of an entry point; gives back what is told its result, and how many predicates held. */
export type Noticed = (entry: string, args: readonly unknown[]) => (result: unknown, upheld: number) => void;

/** Without prototypes and iterators, which foreign code could change. */
const empty = Object.create;
const keysOf = Object.keys;

/** The first tells enough; one that is made again and again would fill the report. */
const MOST_FAILED = 3;

interface Contact {
  entries: Record<string, true>;
  upheld: number;
  properties: Property[];
  /** What assertions said that failed. */
  failed: string[];
}

/** Of one test file; whatever is called outside of every test belongs to the loading of the file. */
export class Contacts {
  #tests: Record<string, Contact> = empty(null);
  #loading = newContact();

  forgetAll(): void {
    this.#tests = empty(null);
    this.#loading = newContact();
  }

  /** Only the last try of a test counts. */
  forget(test: string): void {
    this.#tests[test] = newContact();
  }

  called(test: string | undefined, entry: string): void {
    this.#of(test).entries[entry] = true;
  }

  upheld(test: string | undefined, count: number): void {
    this.#of(test).upheld += count;
  }

  tried(test: string | undefined, property: Property): void {
    const { properties } = this.#of(test);
    for (let at = 0; at < properties.length; at++) if (properties[at] === property) return;
    properties[properties.length] = property;
  }

  failed(test: string | undefined, message: string): void {
    const { failed } = this.#of(test);
    if (failed.length < MOST_FAILED) failed[failed.length] = message;
  }

  told(test: string): WireContact {
    return wire(this.#of(test));
  }

  /** By the ids of tests. */
  toldOfAll(): { tests: Record<string, WireContact>; loading: WireContact } {
    const tests: Record<string, WireContact> = empty(null);
    const ids = keysOf(this.#tests);
    for (let at = 0; at < ids.length; at++) tests[ids[at] ?? ""] = this.told(ids[at] ?? "");
    return { tests, loading: wire(this.#loading) };
  }

  #of(test: string | undefined): Contact {
    return test === undefined ? this.#loading : (this.#tests[test] ??= newContact());
  }
}

function newContact(): Contact {
  return { entries: empty(null), upheld: 0, properties: [], failed: [] };
}

function wire({ entries, upheld, properties, failed }: Contact): WireContact {
  const told: WireProperty[] = [];
  for (let at = 0; at < properties.length; at++) {
    const property = properties[at];
    if (property === undefined) continue;
    const { runs, discarded, inputs, reaching, varied } = property;
    told[told.length] = { runs, discarded, distinct: inputs.size, reaching, varied };
  }
  return { entries: keysOf(entries), upheld, properties: told, failed };
}
