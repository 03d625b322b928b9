// A test failure as data, and the patterns by which a fix loop notices that it runs in circles.
import { z } from "zod";
import { sha256Hex } from "../canonical.ts";
import { Fingerprint, Text } from "../refs.ts";

export const FailureType = z.enum(["PropertyFailed", "ExceptionThrown", "Timeout", "StubHit", "ParseError"]);
export type FailureType = z.infer<typeof FailureType>;

/** Read from the runner's report by the harness, never told by an agent. */
export const StructuredFailure = z.strictObject({
  propertyName: Text,
  failureType: FailureType,
  counterexample: z.string().optional(),
  expected: z.string().optional(),
  actual: z.string().optional(),
  /** As the runner printed it; errors without a message exist. */
  message: z.string(),
});
export type StructuredFailure = z.infer<typeof StructuredFailure>;

export const FailurePattern = z.strictObject({
  signature: Fingerprint,
  affectedFns: z.array(Text),
  category: FailureType,
  occurrences: z.int().min(1),
});
export type FailurePattern = z.infer<typeof FailurePattern>;

export function patternOf(failure: StructuredFailure, affectedFunctions: readonly string[]): FailurePattern {
  return {
    signature: signatureOf(failure),
    affectedFns: [...new Set(affectedFunctions)],
    category: failure.failureType,
    occurrences: 1,
  };
}

/** Patterns seen before keep their place; new ones follow in the order in which they came. */
export function mergePatterns(
  seen: readonly FailurePattern[],
  fresh: readonly FailurePattern[],
): FailurePattern[] {
  const merged = new Map<string, FailurePattern>();
  for (const pattern of [...seen, ...fresh]) {
    const known = merged.get(pattern.signature);
    merged.set(pattern.signature, {
      ...(known ?? pattern),
      affectedFns: [...new Set([...(known?.affectedFns ?? []), ...pattern.affectedFns])],
      occurrences: (known?.occurrences ?? 0) + pattern.occurrences,
    });
  }
  return [...merged.values()];
}

/** What came back so often that another attempt of the same kind is pointless. */
export function stuckPatterns(patterns: readonly FailurePattern[], limit = 3): FailurePattern[] {
  return patterns.filter((pattern) => pattern.occurrences >= limit);
}

const SIGNIFICANT_CHARACTERS = 2_000;

/** Values change from attempt to attempt while the failure stays the same, so they must not count. */
function signatureOf(failure: StructuredFailure): string {
  const stable = [
    failure.propertyName,
    failure.failureType,
    errorClassOf(failure.message),
    withoutVolatileParts(failure.message).slice(0, SIGNIFICANT_CHARACTERS),
  ];
  // Not canonical JSON, which refuses the broken characters that a fuzzer likes to print.
  return sha256Hex(JSON.stringify(stable));
}

function errorClassOf(message: string): string {
  return /(?<![\w$])[\w$]*(?:Error|Exception)(?![\w$])/.exec(message)?.[0] ?? "";
}

/** Every pattern starts only where a word or a line starts, so that a huge message costs linear time. */
const VOLATILE: readonly [what: RegExp, standIn: string][] = [
  [/^[ \t]+at .*$/gm, ""],
  [/^[ \t]*(?:Counterexample:|Shrunk ).*$/gm, ""],
  [/(?<![\w.@~+:\\/-])(?:\w+:)?(?:[\w.@~+-]*[\\/])+[\w.@~+-]*/g, "<path>"],
  [/(?<!\w)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?!\w)/gi, "<id>"],
  [/(?<!\w)(?:0x[0-9a-f]+|(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{7,})(?!\w)/gi, "<id>"],
  [
    /(?<!\w)[-+]?\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?(?: ?(?:[nuµm]?s|secs?|seconds?|min|minutes?)|n)?(?!\w)/gi,
    "<n>",
  ],
  [/<n>(?:[\s,:;.]+<n>)+/g, "<n>"],
  [/\s+/g, " "],
];

function withoutVolatileParts(message: string): string {
  return VOLATILE.reduce((text, [what, standIn]) => text.replace(what, standIn), message).trim();
}
