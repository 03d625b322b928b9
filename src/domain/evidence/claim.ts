// What agents say about their own work, checked against what a language server or compiler sees in the files.
import { z } from "zod";
import { Text } from "../refs.ts";

export const Claim = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("calls"), test: Text, targets: z.array(Text).min(1) }),
  z.strictObject({ kind: z.literal("exists"), function: Text }),
  z.strictObject({ kind: z.literal("stub"), function: Text }),
  /** These are all the functions there are; none is hidden. */
  z.strictObject({ kind: z.literal("complete"), functions: z.array(Text).min(1) }),
]);
export type Claim = z.infer<typeof Claim>;

export const ClaimSource = z.enum(["language-server", "compiler"]);

export const ClaimCheck = z.strictObject({
  claim: Claim,
  outcome: z.enum(["HOLDS", "REFUTED"]),
  source: ClaimSource,
  /** What was really there. */
  found: z.array(Text),
  /** Why the claim is refuted; empty when it holds. */
  against: z.array(Text),
});
export type ClaimCheck = z.infer<typeof ClaimCheck>;

/** What the code itself says. */
export interface GroundTruth {
  source: z.infer<typeof ClaimSource>;
  /** Each test with the functions it reaches, through its own helpers too. */
  tests: readonly { name: string; calls: readonly string[] }[];
  functions: readonly { name: string; isStub: boolean }[];
}

/** A claim about something that is not there is refuted, never skipped. */
export function checkClaim(claim: Claim, truth: GroundTruth): ClaimCheck {
  const { found, against } = compare(claim, truth);
  return {
    claim,
    outcome: against.length === 0 ? "HOLDS" : "REFUTED",
    source: truth.source,
    found,
    against,
  };
}

function compare(claim: Claim, truth: GroundTruth): Pick<ClaimCheck, "found" | "against"> {
  switch (claim.kind) {
    case "calls":
      return compareCalls(claim, truth);
    case "exists":
      return compareFunction(claim.function, truth);
    case "stub": {
      const { found, against } = compareFunction(claim.function, truth);
      const meant = meantBy(claim.function, truth);
      const isStub = truth.functions.every((entry) => entry.name !== meant || entry.isStub);
      return { found, against: isStub ? against : [`${claim.function} has a body`] };
    }
    case "complete":
    default:
      return compareAll(claim.functions, truth);
  }
}

function compareCalls(
  claim: { test: string; targets: string[] },
  truth: GroundTruth,
): Pick<ClaimCheck, "found" | "against"> {
  const tests = truth.tests.filter((test) => test.name === claim.test);
  if (tests.length === 0) return { found: [], against: [`there is no test ${claim.test}`] };
  const found = [...new Set(tests.flatMap((test) => test.calls))];
  const missed = claim.targets.filter((target) => tests.some((test) => !isCalled(test.calls, target)));
  return { found, against: missed.map((target) => `${claim.test} does not call ${target}`) };
}

function isCalled(calls: readonly string[], target: string): boolean {
  return calls.includes(target) || calls.includes(`${target}.constructor`);
}

/** Contracts call what makes an object by the name of its class. */
function meantBy(claimed: string, { functions }: GroundTruth): string {
  const maker = `${claimed}.constructor`;
  const isMaker = functions.some(({ name }) => name === maker);
  return isMaker && !functions.some(({ name }) => name === claimed) ? maker : claimed;
}

function compareFunction(claimed: string, truth: GroundTruth): Pick<ClaimCheck, "found" | "against"> {
  const name = meantBy(claimed, truth);
  const exists = truth.functions.some((entry) => entry.name === name);
  return exists ? { found: [name], against: [] } : { found: [], against: [`there is no function ${name}`] };
}

function compareAll(claimed: string[], truth: GroundTruth): Pick<ClaimCheck, "found" | "against"> {
  const listed = claimed.map((name) => meantBy(name, truth));
  const found = [...new Set(truth.functions.map((entry) => entry.name))];
  const missing = listed.filter((name) => !found.includes(name));
  const undeclared = found.filter((name) => !listed.includes(name));
  return {
    found,
    against: [
      ...missing.map((name) => `there is no function ${name}`),
      ...undeclared.map((name) => `${name} was not declared`),
    ],
  };
}
