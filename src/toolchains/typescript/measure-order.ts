// What the measuring program inside a site is told, and what it tells in return.

/** How to make up a value. */
export type Shape =
  | { kind: "string" }
  | { kind: "number"; whole: boolean }
  | { kind: "boolean" | "bigint" | "null" | "undefined" | "date" | "unknown" | "bytes" }
  | { kind: "literal"; value: string | number | boolean }
  | { kind: "list"; of: Shape }
  | { kind: "tuple"; of: readonly Shape[] }
  | { kind: "object"; fields: readonly { name: string; of: Shape }[] }
  | { kind: "record" | "map"; key: Shape; of: Shape }
  | { kind: "set"; of: Shape }
  | { kind: "union"; of: readonly Shape[] }
  | { kind: "function"; gives: Shape };

export interface MeasuredEntry {
  name: string;
  inputs: readonly Shape[];
  /** Expressions over `args` that inputs must meet. */
  requires: readonly string[];
  /** Whether some input has a size. */
  scales: boolean;
}

export interface MeasureOrder {
  nonce: string;
  /** The module as one script. */
  code: string;
  entries: readonly MeasuredEntry[];
  budgetMs: number;
}

export interface MeasureReport {
  calls: number;
  latencies: number[];
  memoryBytes: number;
  growth: { entry: string; exponent: number; sizes: number[] }[];
  skipped: string[];
}
