// Keeps what crossed the entry points of one load of a module, in order, as data that can be played again elsewhere.
import type { RecordedCall } from "../alone/alone-order.ts";
import { type Sent, send } from "../differ/episode.ts";
import type { Outcome } from "./call-watch.ts";
import { CALLERS_VIEW } from "./callers-view.ts";
import { picture } from "./picture.ts";

const MOST_CALLS = 300;
const MOST_TEXT = 200_000;
const MOST_DEPTH = 20;

/** Leaves out what cannot be played again; whoever remembers something may do otherwise from there on. */
export class CallRecord {
  readonly calls: RecordedCall[] = [];
  #size = 0;
  #running = 0;
  #isWhole = true;

  begin(entry: string, args: readonly unknown[]): (outcome: Outcome) => void {
    if (this.calls.length >= MOST_CALLS || this.#size > MOST_TEXT) return () => undefined;
    const call = this.#running === 0 ? this.#recorded(entry, args) : undefined;
    this.#isWhole = this.#isWhole && call !== undefined;
    if (call === undefined) return () => undefined;
    this.calls[this.calls.length] = call;
    this.#running += 1;
    return (outcome) => {
      this.#running -= 1;
      call.outcome = shown(outcome);
      this.#size += call.outcome?.length ?? 0;
    };
  }

  #recorded(entry: string, args: readonly unknown[]): RecordedCall | undefined {
    if (!args.every((value) => isData(value, 0))) return undefined;
    const sent: Sent[] = args.map(send);
    this.#size += JSON.stringify(sent).length;
    return { entry, args: sent, outcome: null, isWhole: this.#isWhole };
  }
}

/** As callers see it; null where that cannot be compared. */
export function shown(outcome: Outcome): string | null {
  try {
    return outcome.kind === "threw"
      ? `threw ${picture(outcome.error, CALLERS_VIEW)}`
      : `returned ${picture(outcome.result, CALLERS_VIEW)}`;
  } catch {
    return null;
  }
}

/** What `send` carries without loss. */
function isData(value: unknown, depth: number): boolean {
  if (typeof value === "function" || typeof value === "symbol" || depth > MOST_DEPTH) return false;
  if (typeof value !== "object" || value === null) return true;
  if (value instanceof Date || value instanceof Uint8Array) return true;
  return partsOf(value)?.every((each) => isData(each, depth + 1)) === true;
}

/** Undefined for what is more than its parts. */
function partsOf(value: object): unknown[] | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Set.prototype && value instanceof Set) return [...value];
  if (prototype === Map.prototype && value instanceof Map) return [...value].flat();
  if (prototype === Array.prototype && Array.isArray(value)) return hasHoles(value) ? undefined : value;
  if (prototype !== Object.prototype) return undefined;
  return Reflect.ownKeys(value).map((key) => (typeof key === "string" ? fieldOf(value, key) : key));
}

function hasHoles(list: readonly unknown[]): boolean {
  return Object.keys(list).length !== list.length;
}

/** A getter is no data: reading it could do something. */
function fieldOf(value: object, key: string): unknown {
  const field = Object.getOwnPropertyDescriptor(value, key);
  const isPlain = field?.enumerable === true && "value" in field && key !== "__proto__";
  return isPlain ? field.value : () => undefined;
}
