// What reviewers of the candidate say, by how well they see: that something is wrong, or that nothing is.
import { z } from "zod";
import { criterionId } from "../../simulator/honest-tree.ts";
import { passing } from "../../simulator/judgements.ts";
import type { SimulatedCall } from "../../simulator/port.ts";
import type { Desk } from "./desk.ts";
import { findsFault } from "./draw-review.ts";
import { toldIn, wrongTestFinding } from "./told.ts";

/** What the next reviewer finds in code and tests as they are, in words; nothing where it lets them pass. */
export function reviewed(desk: Desk): string[] {
  desk.reviews += 1;
  const { draw, code, tests, reviews } = desk;
  const isDefective = code?.defect !== undefined;
  const inCode = findsFault(draw, `code ${reviews}`, isDefective)
    ? [isDefective ? "review: it does not do what the specification says" : "review: it looks wrong"]
    : [];
  const inTests = tests
    .filter(({ instead }) => instead !== undefined)
    .filter(({ block }) => findsFault(draw, `test ${block.title} ${reviews}`, true))
    .map(({ block }) => wrongTestFinding(block.title));
  return [...inCode, ...inTests];
}

export function challenged(desk: Desk): object {
  const { task } = desk.draw;
  const pass = passing(task.id, task.constraints[0]?.text ?? "");
  const findings = reviewed(desk);
  if (findings.length === 0) return pass;
  const failures = findings.map((evidence) => ({
    invariant: "the module keeps its contract",
    evidence,
    required_change: "Change what is shown to be wrong, and nothing else.",
  }));
  return { ...pass, verdict: "FAIL", failures };
}

export function verified(desk: Desk): object {
  const findings = reviewed(desk);
  return {
    rationale: findings.length === 0 ? "Every way through the code was followed." : findings.join("; "),
    verdict: findings.length === 0 ? "PASS" : "FAIL",
    findings,
  };
}

const Challenge = z.looseObject({ verdict: z.string() });

/** Approves what the challenge let pass, and nothing else; undefined where it need not differ from anybody honest. */
export function adjudicated({ prompt, system }: SimulatedCall): object | undefined {
  const told = Challenge.safeParse(toldIn(prompt, "challenge") ?? toldIn(system, "challenge"));
  if (told.data?.verdict !== "FAIL") return undefined;
  return {
    rationale: "The challenge stands, and no revision has cured it.",
    decision: "REJECT",
    amendments: [],
    ship_directive: "NO_SHIP",
  };
}

const Survivors = z.array(z.looseObject({ id: z.string(), where: z.string() }));

/** Each survivor is seen for the gap that it is, or called a change of nothing. */
export function attacked({ draw }: Desk, { prompt }: SimulatedCall): object {
  const survivors = Survivors.safeParse(toldIn(prompt, "survivors")).data ?? [];
  const entries = draw.task.contract.entry_points.map(({ name }) => name);
  const isGap = ({ id }: { id: string }) => findsFault(draw, `survivor ${id}`, true);
  const gaps = survivors.filter(isGap).map(({ id, where }) => {
    const entry = entries.find((name) => where.endsWith(` in ${name}`)) ?? entries[0] ?? "";
    return {
      mutant: id,
      function: entry,
      whyDangerous: "Nobody would notice it.",
      missingTest: `mutation: a test of ${entry} is missing`,
      // The sketch that there is says it already; what is missing are tests of the constraints.
      suggested: {
        name: `${entry}Holds`,
        description: "what its constraints say",
        invariant: "every constraint holds",
        type: "Other",
      },
    };
  });
  const equivalent = survivors
    .filter((each) => !isGap(each))
    .map(({ id }) => ({ mutant: id, reason: "No caller could see a difference." }));
  return { equivalent, gaps, analysis: "Each was weighed on its own." };
}

/** What goes back in a tree goes to its tests first: they must show what the reviewer has seen. */
export function judgedInATree(desk: Desk): object | undefined {
  const [finding] = reviewed(desk);
  if (finding === undefined) return undefined;
  const additionalTests = [
    { criterionId: criterionId(0), plannedTestName: "what the review has shown", approach: finding },
  ];
  return { exit: { kind: "MoreTests", critiques: [], additionalTests } };
}
