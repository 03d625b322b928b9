// The physics of the gatekeeper protocol, as data: from where a part of the work stands, where it may go, on which conditions,
// which edge that leaves behind and who is sent next. Whatever is not here cannot happen.
import type { Condition } from "./conditions.ts";
import type { Dispatched, WorkEdgeType, WorkNodeType, WorkStatus } from "./work-graph.ts";

export type Standing = `${WorkNodeType}:${WorkStatus}`;

export interface TransitionRule {
  to: WorkStatus;
  /** All of them. */
  when: readonly Condition[];
  /** Who is sent to it where it stands then; null where what follows is by rule. */
  dispatches: Dispatched | null;
  /** Comes to the node that moves. */
  edge?: { type: WorkEdgeType; from: WorkNodeType };
  /** Comes into being, and traces to the node that moves. */
  creates?: { type: WorkNodeType; status: WorkStatus; dispatches: Dispatched | null };
}

export type TransitionMatrix = Readonly<Partial<Record<Standing, readonly TransitionRule[]>>>;

export const TRANSITION_MATRIX: TransitionMatrix = {
  "REQ:PENDING": [
    {
      to: "PENDING",
      when: ["needs_research"],
      dispatches: null,
      creates: { type: "RESEARCH", status: "PENDING", dispatches: "researcher" },
    },
    { to: "VERIFIED", when: ["code_verified", "door_shipped"], dispatches: null },
    { to: "FAILED", when: ["something_failed"], dispatches: "person" },
  ],
  "REQ:FAILED": [{ to: "PENDING", when: ["nothing_failed"], dispatches: null }],
  "RESEARCH:PENDING": [
    { to: "VERIFIED", when: ["research_sound"], dispatches: null },
    {
      to: "PENDING",
      when: ["research_unsound", "under_max_attempts"],
      dispatches: "researcher",
      edge: { type: "FEEDBACK", from: "REQ" },
    },
    { to: "FAILED", when: ["research_unsound", "max_attempts_exceeded"], dispatches: "person" },
    { to: "FAILED", when: ["gave_up"], dispatches: "person" },
  ],
  // Research that nothing follows is a dead branch; this is the link.
  "RESEARCH:VERIFIED": [
    {
      to: "VERIFIED",
      when: ["needs_spec_generation"],
      dispatches: null,
      creates: { type: "SPEC", status: "PENDING", dispatches: "architect" },
    },
  ],
  "SPEC:PENDING": [
    { to: "VERIFIED", when: ["spec_sound"], dispatches: null },
    {
      to: "PENDING",
      when: ["spec_unsound", "under_max_attempts"],
      dispatches: "architect",
      edge: { type: "FEEDBACK", from: "RESEARCH" },
    },
    { to: "FAILED", when: ["spec_unsound", "max_attempts_exceeded"], dispatches: "person" },
    { to: "FAILED", when: ["gave_up"], dispatches: "person" },
  ],
  "SPEC:VERIFIED": [
    {
      to: "VERIFIED",
      when: ["needs_code"],
      dispatches: null,
      creates: { type: "CODE", status: "PENDING", dispatches: "builder" },
    },
  ],
  "CODE:PENDING": [
    {
      to: "TESTING",
      when: ["has_spec", "spec_verified", "code_delivered", "needs_suite"],
      dispatches: "harness",
      creates: { type: "TEST_SUITE", status: "PENDING", dispatches: "tester" },
    },
    // Tests that are there are run before anybody is asked for more.
    {
      to: "TESTING",
      when: ["has_spec", "spec_verified", "code_delivered", "has_suite"],
      dispatches: "harness",
    },
    {
      to: "PENDING",
      when: ["code_refused", "under_max_attempts"],
      dispatches: "builder",
      edge: { type: "FEEDBACK", from: "SPEC" },
    },
    { to: "FAILED", when: ["code_refused", "max_attempts_exceeded"], dispatches: "person" },
    { to: "FAILED", when: ["gave_up"], dispatches: "person" },
  ],
  "CODE:TESTING": [
    {
      to: "TESTED",
      when: ["tests_passed"],
      dispatches: "verifier",
      edge: { type: "TESTS", from: "TEST_SUITE" },
    },
    {
      to: "PENDING",
      when: ["tests_need_revision", "under_max_attempts"],
      dispatches: "builder",
      edge: { type: "FEEDBACK", from: "TEST_SUITE" },
    },
    { to: "FAILED", when: ["tests_need_revision", "max_attempts_exceeded"], dispatches: "person" },
    { to: "FAILED", when: ["tests_failed_critical"], dispatches: "person" },
    { to: "FAILED", when: ["suite_failed"], dispatches: "person" },
  ],
  "CODE:TESTED": [
    { to: "VERIFIED", when: ["verifier_approved"], dispatches: "door" },
    {
      to: "PENDING",
      when: ["verifier_refused", "under_max_attempts"],
      dispatches: "builder",
      edge: { type: "FEEDBACK", from: "SPEC" },
    },
    { to: "FAILED", when: ["verifier_refused", "max_attempts_exceeded"], dispatches: "person" },
    { to: "FAILED", when: ["gave_up"], dispatches: "person" },
  ],
  "CODE:VERIFIED": [
    {
      to: "PENDING",
      when: ["not_shipped", "door_refused", "under_max_attempts"],
      dispatches: "builder",
      edge: { type: "FEEDBACK", from: "REQ" },
    },
    { to: "FAILED", when: ["not_shipped", "door_refused", "max_attempts_exceeded"], dispatches: "person" },
    { to: "FAILED", when: ["not_shipped", "door_barred"], dispatches: "person" },
  ],
  "CODE:FAILED": [
    {
      to: "TESTING",
      when: ["person_fixed", "has_suite"],
      dispatches: "harness",
      edge: { type: "OVERRIDES", from: "REQ" },
    },
    {
      to: "TESTING",
      when: ["person_fixed", "needs_suite"],
      dispatches: "harness",
      edge: { type: "OVERRIDES", from: "REQ" },
      creates: { type: "TEST_SUITE", status: "TESTING", dispatches: null },
    },
    {
      to: "VERIFIED",
      when: ["person_overrode"],
      dispatches: "door",
      edge: { type: "OVERRIDES", from: "REQ" },
    },
  ],
  "TEST_SUITE:PENDING": [
    { to: "TESTING", when: ["suite_delivered"], dispatches: null },
    {
      to: "PENDING",
      when: ["suite_refused", "under_max_attempts"],
      dispatches: "tester",
      edge: { type: "FEEDBACK", from: "CODE" },
    },
    { to: "FAILED", when: ["suite_refused", "max_attempts_exceeded"], dispatches: null },
    { to: "FAILED", when: ["gave_up"], dispatches: null },
  ],
  "TEST_SUITE:TESTING": [
    { to: "VERIFIED", when: ["code_tested"], dispatches: null },
    {
      to: "PENDING",
      when: ["suite_refused", "under_max_attempts"],
      dispatches: "tester",
      edge: { type: "FEEDBACK", from: "CODE" },
    },
    { to: "FAILED", when: ["suite_refused", "max_attempts_exceeded"], dispatches: null },
  ],
  "TEST_SUITE:VERIFIED": [{ to: "TESTING", when: ["code_testing"], dispatches: null }],
  "TEST_SUITE:FAILED": [{ to: "TESTING", when: ["person_fixed"], dispatches: null }],
};
