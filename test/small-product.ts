// A small product for tests of the whole way: two tasks, the second of which builds on the first, and what agents say.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProductSpec, SpecTask } from "../src/domain/product/product-spec.ts";
import { BADGE, INITIALS_1 } from "./change-samples.ts";
import { buildLines, contractLines, judged, planOf } from "./change-script.ts";
import { sampleProject } from "./git-samples.ts";
import { INVOICE_TASK } from "./invoice-samples.ts";
import { scriptText } from "./invoice-script.ts";
import { temporaryDirectory } from "./temporary.ts";

export const FIRST = "T-names-initials-short-names-001";
export const SECOND = "T-names-initials-short-names-002";

export function smallSpec(): ProductSpec {
  const context = INVOICE_TASK.context;
  return {
    spec_id: "SPEC-001",
    spec_version: "1.0.0",
    title: "Names",
    description: "Short forms of names.",
    created_at: "2026-01-02T03:04:05Z",
    updated_at: "2026-01-02T03:04:05Z",
    pillars: [
      {
        pillar_id: "PIL-001",
        name: "Names",
        description: context.pillar.description,
        rationale: "People have names.",
        epics: [
          {
            epic_id: "EPC-001",
            name: "Initials",
            description: context.epic.description,
            success_criteria: ["Every name has a short form"],
            stories: [
              {
                story_id: "STR-001",
                name: "Short names",
                description: context.story.description,
                user_facing_behavior: "A list shows the initials of every person.",
                tasks: [specTask("TSK-001", "Initials", []), specTask("TSK-002", "Badges", ["TSK-001"])],
              },
            ],
          },
        ],
      },
    ],
  };
}

function specTask(task_id: string, name: string, depends_on: string[]): SpecTask {
  const { description, subtasks, acceptance_criteria, micro_module_contract } = INVOICE_TASK;
  return {
    task_id,
    name,
    description,
    subtasks: [...subtasks, "write the examples"].slice(0, 3),
    acceptance_criteria: [...acceptance_criteria, "whatever else is refused"].slice(0, 3),
    depends_on,
    io_contract_sketch: micro_module_contract,
  };
}

/** A person's checkout with the specification, and a script beside it. */
export function smallProduct(settings: object = {}) {
  const config = JSON.stringify({ rigor: "lite", protocol: "debate", ...settings });
  const project = sampleProject({ "README.md": "# Names\n", "cupel.config.json": config });
  const beside = temporaryDirectory();
  const [spec, script] = [join(beside, "spec.json"), join(beside, "script.jsonl")];
  writeFileSync(spec, JSON.stringify(smallSpec()));
  writeFileSync(script, scriptText(honestLines()));
  return { project, spec, script };
}

function honestLines(): ReturnType<typeof planOf>[] {
  const [first, second] = [{ task: FIRST }, { task: SECOND }];
  // Without a contract round it is the first time that the two are asked.
  const debated = ["challenge", "adjudicate"] as const;
  return [
    planOf(first, [INITIALS_1]),
    ...contractLines(first, INITIALS_1),
    ...buildLines(first, INITIALS_1),
    ...judged(first, INITIALS_1, debated, 1),
    planOf(second, [BADGE], ["MM-initials@1.0.0"]),
    ...contractLines(second, BADGE),
    ...buildLines(second, BADGE),
    ...judged(second, BADGE, debated, 1),
  ];
}
