// What the demo says between the lines of the commands that it types: what happens, why, and where to look.
import { fileURLToPath } from "node:url";
import { EscalationArtifact } from "../../domain/people/escalation.ts";
import { SpecReview } from "../../domain/people/spec-decision.ts";
import type { RunEvent } from "../../domain/run/run-event.ts";
import { preparedAnswer, REPORT } from "../../factory/demo-project.ts";
import type { Question } from "../../store/port.ts";

const PROGRAM = fileURLToPath(new URL("../../../bin/cupel.js", import.meta.url));

export interface Act {
  title: string;
  lines: readonly string[];
}

export function introduction(directory: string, begun: boolean): string[] {
  return [
    `Cupel builds a small library, an agenda for a day, from a SPEC.md in ${directory}`,
    "The agents are scripted: what they say was written beforehand, so no key is needed and nothing is paid.",
    "Everything else is real: git, the tests, the mutants, every gate, the store, and what you decide.",
    ...(begun ? ["It was begun before and goes on from where it stopped."] : []),
  ];
}

export const ACTS = {
  specification: {
    title: "1 · A specification",
    lines: ["The product researcher turns SPEC.md into tasks with criteria that a test can show."],
  },
  approval: {
    title: "2 · Your word",
    lines: ["Nothing is built before a person has approved what will be built."],
  },
  triviality: {
    title: "3 · Tests that test nothing",
    lines: [
      "These tests would also pass if nothing were implemented, so they prove nothing. The gates ran them against",
      "an empty module and saw it. The proposer has to write real ones.",
    ],
  },
  challenge: {
    title: "4 · A challenge",
    lines: [
      "This time every gate passed. But the challenger, who is shown evidence and never code, found a criterion",
      "that no test shows. The proposer revises.",
    ],
  },
  halt: {
    title: "5 · A halt",
    lines: [
      "Two criteria contradict each other. The factory does not guess: the task stops, whatever needs it waits,",
      "and a person gets one question.",
    ],
  },
  resolution: { title: "6 · Your answer", lines: [] },
  reuse: {
    title: "7 · Reuse",
    lines: [
      "The planner wanted to make a module that has shipped already under another name. The Code Index found it",
      "by meaning, so the plan is refused; the next one uses the sealed module as it is.",
    ],
  },
  whole: {
    title: "8 · The whole",
    lines: [
      "Every task has shipped. The architect, who sees contracts and no code, has written end-to-end tests from the",
      "acceptance criteria. They pass, and each of them falls when the modules that it names do not work.",
    ],
  },
  release: {
    title: "9 · A release",
    lines: [
      "Every task is done. Gates over the whole have looked at all modules together, and each at a planted defect",
      "as well, which it refused. So there is a version, with a manifest and a tag (git show v1.0.0).",
    ],
  },
  report: {
    title: "10 · A report",
    lines: ["One page on what was built, with the evidence for it and what was decided. It opens from disk."],
  },
  tests: {
    title: "11 · The product",
    lines: [
      "The repository needs no Cupel. These are its own tests, run with the vitest that came with Cupel",
      "(elsewhere, npm install fetches it).",
    ],
  },
} as const satisfies Record<string, Act>;

/** As it was typed. */
export function demoCommand(directory: string): string {
  const typed = process.env["npm_lifecycle_event"] === "demo" ? "npm run demo --" : "cupel demo";
  return `${typed} --dir ${directory} --yes`;
}

/** Tells the story beside the events that make it, each part once. */
export function narrator(tell: (act: Act) => void): (event: RunEvent) => void {
  const told = new Set<Act>();
  return (event) => {
    const act = actOf(event);
    if (act === undefined || told.has(act)) return;
    told.add(act);
    tell(act);
  };
}

function actOf(event: RunEvent): Act | undefined {
  switch (event.kind) {
    case "gate_verdict_recorded":
      return event.blocks ? ACTS.triviality : undefined;
    case "work_challenged":
      return event.verdict === "FAIL" ? ACTS.challenge : undefined;
    case "escalation_raised":
      return ACTS.halt;
    case "plan_refused":
      return ACTS.reuse;
    case "e2e_suite_accepted":
      return ACTS.whole;
    case "product_released":
      return ACTS.release;
    default:
      return undefined;
  }
}

export function approvalLines({ id, body }: Question): string[] {
  const review = SpecReview.safeParse(body);
  const summary = review.success ? [`  ${review.data.title}: ${review.data.summary}`] : [];
  return [...summary, `  To read it whole: cupel show ${id}`];
}

export function haltLines(directory: string, { body }: Question): string[] {
  const escalation = EscalationArtifact.safeParse(body);
  const why = escalation.success ? escalation.data.failed_invariants.map(({ evidence }) => evidence) : [];
  return [
    ...why.map((evidence) => `  ${evidence}`),
    "  The demo has an answer ready. It amends the criteria of the task, which then begins again:",
    ...JSON.stringify(preparedAnswer(directory), null, 2)
      .split("\n")
      .map((line) => `    ${line}`),
  ];
}

export function endLines(directory: string): string[] {
  return [
    "",
    `The library is in ${directory}. To look around, go there (cd ${directory}):`,
    `  ${REPORT}                open it in a browser`,
    "  git log --oneline          one commit for each module that shipped",
    "  cat modules/agenda/src/index.ts modules/agenda/ship.json",
    "  cupel status               every task, and what it has shipped",
    "  cupel log                  everything that happened, with every verdict of every gate",
    "  cupel show MM-agenda       a sealed module as its users see it: contract, examples, evidence",
    "  cupel verify --proof MM-agenda@1.0.0   reaches every verdict again",
    `For the command cupel: alias cupel='node ${PROGRAM}'`,
    "To build something of your own: cupel init DIRECTORY",
  ];
}
