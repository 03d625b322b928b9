// When end-to-end tests count: every criterion is shown or excused, and each test falls with the modules of what it shows.
import { z } from "zod";
import { idOfType } from "../artifact/artifact-type.ts";
import { IsoTime, ModuleRef, PayloadRef, Text } from "../refs.ts";
import { claimedCriteria, TaskCriterion, CriterionId, taskOfCriterion } from "./e2e-criteria.ts";
import type { Finding } from "./gate-verdict.ts";

/** A criterion that nobody can show from outside, and why. */
export const NotShown = z.strictObject({ criterion: CriterionId, why: Text });
export type NotShown = z.infer<typeof NotShown>;

/** What the harness keeps of tests that it has accepted. */
export const E2eSuite = z.strictObject({
  suite_id: idOfType("TEST_SUITE"),
  /** Which product they are for: its criteria and its modules. */
  product: Text,
  accepted_at: IsoTime,
  modules: z.array(ModuleRef).min(1),
  /** Every file below e2e/ by its path from there. */
  files: z.record(z.string(), PayloadRef),
  tests: z.array(z.strictObject({ name: Text, file: Text, shows: z.array(CriterionId).min(1) })).min(1),
  criteria: z.array(TaskCriterion.extend({ shown_by: z.array(Text) })).min(1),
  not_shown: z.array(NotShown),
  /** The defect that each of the tests has refused. */
  planted: Text,
  /** The reports of the runs that this rests on. */
  evidence: z.array(PayloadRef).min(1),
});
export type E2eSuite = z.infer<typeof E2eSuite>;

export interface E2eTest {
  name: string;
  file: string;
}

/** What the titles say, held against the criteria that there are. */
export function claimFindings(
  tests: readonly E2eTest[],
  criteria: readonly TaskCriterion[],
  notShown: readonly NotShown[],
): Finding[] {
  const known = new Set(criteria.map(({ id }) => id));
  const shown = new Set(tests.flatMap(({ name }) => claimedCriteria(name)));
  const excused = new Set(notShown.map(({ criterion }) => criterion));
  return [
    ...tests.flatMap((test) => titleFindings(test, known)),
    ...notShown.flatMap(({ criterion }): Finding[] => {
      if (!known.has(criterion))
        return [
          { rule: "unknown-criterion", message: `${criterion} is called not shown, and there is no such` },
        ];
      if (!shown.has(criterion)) return [];
      return [
        { rule: "shown-and-excused", message: `${criterion} is called not shown, and a test names it` },
      ];
    }),
    ...criteria
      .filter(({ id }) => !shown.has(id) && !excused.has(id))
      .map(({ id, text }) => ({
        rule: "criterion-not-shown",
        message: `no test names ${id} (${text}), and nothing says why it cannot be shown from outside`,
      })),
  ];
}

function titleFindings({ name, file }: E2eTest, known: ReadonlySet<string>): Finding[] {
  const claimed = claimedCriteria(name);
  if (claimed.length === 0)
    return [{ rule: "names-no-criterion", file, message: `${name} names no criterion in brackets` }];
  return claimed
    .filter((id) => !known.has(id))
    .map((id) => ({ rule: "unknown-criterion", file, message: `${name} names ${id}, and there is no such` }));
}

/** What became of one test in a run in which modules throw. */
export type Fall = "red" | "green";

/** How each test did where every module throws, and where those of one task do. */
export interface Falls {
  everywhere(test: E2eTest): Fall;
  /** Undefined where the task has no module of its own. */
  withTask(test: E2eTest, task: string): Fall | undefined;
}

/** Tests that could not say no to what they are said to show. */
export function fallFindings(tests: readonly E2eTest[], falls: Falls): Finding[] {
  return tests.flatMap((test): Finding[] => {
    const { name, file } = test;
    if (falls.everywhere(test) === "green")
      return [
        {
          rule: "green-on-stubs",
          file,
          message: `${name} stays green although the functions of every module throw`,
        },
      ];
    const tasks = new Set(claimedCriteria(name).map(taskOfCriterion));
    return [...tasks]
      .filter((task) => falls.withTask(test, task) === "green")
      .map((task) => ({
        rule: "shows-nothing-of-it",
        file,
        message: `${name} names criteria of ${task}, and stays green although the modules of that task throw`,
      }));
  });
}

/** Which tests show each criterion. */
export function shownBy(tests: readonly E2eTest[], criteria: readonly TaskCriterion[]): E2eSuite["criteria"] {
  return criteria.map((criterion) => ({
    ...criterion,
    shown_by: tests
      .filter(({ name }) => claimedCriteria(name).includes(criterion.id))
      .map(({ name }) => name),
  }));
}
