// The whole routing of a debate as one pure function, so that no prompt and no agent can add a round.
import { CupelError } from "../error.ts";
import type { Decision, Verdict } from "./debate-records.ts";

export const MAX_REVISIONS = 2;

/** How often one Challenge may be asked for again when it was a mild review. */
export const MAX_COMPLIANCE_RETRIES = 2;

export type DebateEvent =
  | { kind: "challenged"; verdict: Verdict }
  /** `standing` is the verdict of the Challenge that was adjudicated. */
  | { kind: "adjudicated"; decision: Decision; standing: Verdict }
  | { kind: "amendments_applied" }
  | { kind: "amendments_verified"; result: "applied" | "unapplied" }
  /** For whatever reason: another fingerprint, failing tests or a gate. All count the same. */
  | { kind: "ship_refused" }
  | { kind: "shipped" };

export interface DebateBudget {
  revisionsUsed: number;
}

export interface Route extends DebateBudget {
  goto: "revise" | "adjudicate" | "apply_amendments" | "validate_amendments" | "ship" | "shipped" | "halt";
}

/** A route to `revise` has already paid for the revision. */
export function route(event: DebateEvent, { revisionsUsed }: DebateBudget): Route {
  assertCount(revisionsUsed, MAX_REVISIONS, "revisions");
  const go = (goto: Route["goto"]): Route => ({ goto, revisionsUsed });
  const reviseOr = (otherwise: "adjudicate" | "halt"): Route =>
    revisionsUsed < MAX_REVISIONS ? { goto: "revise", revisionsUsed: revisionsUsed + 1 } : go(otherwise);

  switch (event.kind) {
    case "challenged":
      return event.verdict === "PASS" ? go("adjudicate") : reviseOr("adjudicate");
    case "adjudicated":
      if (!decisionsOpen(event.standing).includes(event.decision)) return go("halt");
      return event.decision === "REJECT" ? reviseOr("halt") : go(AFTER_APPROVAL[event.decision]);
    case "amendments_applied":
      return go("validate_amendments");
    case "amendments_verified":
      return go(event.result === "applied" ? "ship" : "halt");
    case "ship_refused":
      return reviseOr("halt");
    case "shipped":
      return go("shipped");
    default:
      throw new CupelError("usage", `a debate knows no event ${JSON.stringify(event satisfies never)}`);
  }
}

const AFTER_APPROVAL = { APPROVE: "ship", APPROVE_WITH_AMENDMENTS: "apply_amendments" } as const;

/** Over a FAIL that no revision cured, the Arbiter may name the cure or reject; it may not look away. */
export function decisionsOpen(standing: Verdict): readonly Decision[] {
  return standing === "PASS"
    ? ["APPROVE", "APPROVE_WITH_AMENDMENTS", "REJECT"]
    : ["APPROVE_WITH_AMENDMENTS", "REJECT"];
}

export type ComplianceRoute = { goto: "challenge" | "auto_fail"; retriesUsed: number };

/** After a mild review. Counted for each Challenge anew and apart from the revisions: the Proposer is not to blame. */
export function challengeAgain(retriesUsed: number): ComplianceRoute {
  assertCount(retriesUsed, MAX_COMPLIANCE_RETRIES, "compliance retries");
  return retriesUsed < MAX_COMPLIANCE_RETRIES
    ? { goto: "challenge", retriesUsed: retriesUsed + 1 }
    : { goto: "auto_fail", retriesUsed };
}

/** A counter that was lost or tampered with would make the bound meaningless. */
function assertCount(used: number, most: number, what: string): void {
  if (Number.isInteger(used) && used >= 0 && used <= most) return;
  throw new CupelError("usage", `${String(used)} cannot be the number of ${what} used`, {
    expected: `a whole number from 0 to ${most}`,
  });
}
