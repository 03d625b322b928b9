// One use of a module that can be sent into a sandbox: a call, or an instance and the calls that follow, with inputs as data.

/** Values of every kind that inputs are made of, as JSON can carry them. */
export type Sent =
  | string
  | boolean
  | null
  | number
  | { kind: "number" | "bigint"; text: string }
  | { kind: "undefined" }
  /** Null for a date that is none, which JSON would make of it anyway. */
  | { kind: "date"; ms: number | null }
  | { kind: "bytes"; of: number[] }
  | { kind: "list" | "set"; of: Sent[] }
  | { kind: "object" | "map"; of: [Sent, Sent][] }
  | { kind: "function"; gives: Sent };

export interface Episode {
  /** What is called upon: a class that is constructed first, or an object; without it the module itself. */
  owner?: { name: string; args: Sent[] };
  calls: { name: string; args: Sent[] }[];
}

export interface EpisodeOrder {
  nonce: string;
  /** The module as one script. */
  code: string;
  episodes: Episode[];
  /** Longest time of one episode. */
  limitMs: number;
}

/** A function that always gives the same. */
export class Giving {
  readonly gives: unknown;

  constructor(gives: unknown) {
    this.gives = gives;
  }
}

export function send(value: unknown): Sent {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return sentNumber(value);
    case "bigint":
      return { kind: "bigint", text: String(value) };
    case "object":
      return value === null ? null : sentObject(value);
    case "undefined":
    case "symbol":
    case "function":
      return { kind: "undefined" };
  }
}

function sentNumber(value: number): Sent {
  if (Object.is(value, -0)) return { kind: "number", text: "-0" };
  return Number.isFinite(value) ? value : { kind: "number", text: String(value) };
}

function sentTime(ms: number): number | null {
  return Number.isNaN(ms) ? null : ms;
}

function sentObject(value: object): Sent {
  const pair = ([key, item]: [unknown, unknown]): [Sent, Sent] => [send(key), send(item)];
  if (value instanceof Giving) return { kind: "function", gives: send(value.gives) };
  if (Array.isArray(value)) return { kind: "list", of: value.map(send) };
  if (value instanceof Date) return { kind: "date", ms: sentTime(value.getTime()) };
  if (value instanceof Uint8Array) return { kind: "bytes", of: [...value] };
  if (value instanceof Set) return { kind: "set", of: [...value].map(send) };
  if (value instanceof Map) return { kind: "map", of: [...value].map(pair) };
  return { kind: "object", of: Object.entries(value).map(pair) };
}

/** Each time anew, so that nothing that one call did to it is seen by another. */
export function received(sent: Sent): unknown {
  if (typeof sent !== "object" || sent === null) return sent;
  switch (sent.kind) {
    case "number":
      return Number(sent.text);
    case "bigint":
      return BigInt(sent.text);
    case "undefined":
      return undefined;
    case "date":
      return new Date(sent.ms ?? Number.NaN);
    case "bytes":
      return Uint8Array.from(sent.of);
    case "list":
      return sent.of.map(received);
    case "set":
      return new Set(sent.of.map(received));
    case "map":
      return new Map(sent.of.map(([key, value]) => [received(key), received(value)]));
    case "object":
      return Object.fromEntries(sent.of.map(([key, value]) => [String(received(key)), received(value)]));
    case "function":
      return () => received(sent.gives);
  }
}
