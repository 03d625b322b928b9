// Whatever is released can be found: the Code Index knows every module as it was sealed, and every task's modules.
import { canonicalJson } from "../../domain/canonical.ts";
import type { Violation } from "../../domain/people/integration-verdict.ts";
import type { CodeIndexEntry } from "../../domain/plan/reuse.ts";
import type { PicturedModule, ReleasePicture } from "../picture.ts";
import { PLANTED } from "./integration-gate.ts";
import type { PictureGate } from "./integration-gate.ts";

export const codeIndex: PictureGate = {
  name: "code_index_check",
  look: ({ modules, tasks, entries }) => {
    const named = tasks.flatMap((task) => task.modules);
    return {
      looked: modules.length + named.length,
      summary: `${modules.length} modules, and ${named.length} that ${tasks.length} tasks name`,
      violations: [
        ...modules.flatMap((module) => moduleViolations(module, entries)),
        ...tasks.flatMap((task) => taskViolations(task, entries)),
      ],
    };
  },
  plants: (picture) => {
    const [first] = picture.modules;
    if (first === undefined) return [];
    const without = new Map([...picture.entries].filter(([module]) => module !== first.module));
    const task = { task: "T-planted-001", modules: [PLANTED] };
    return [
      { what: `no entry of ${first.module}`, picture: { ...picture, entries: without } },
      {
        what: `a task that names ${PLANTED}`,
        picture: { ...picture, tasks: [...picture.tasks, task] },
      },
    ];
  },
};

function moduleViolations(
  { module, sealedEntry }: PicturedModule,
  entries: ReleasePicture["entries"],
): Violation[] {
  const violation = (explanation: string, next: string): Violation[] => [
    { module_ref: module, references: [], explanation, next },
  ];
  const entry = entries.get(module);
  if (entry === undefined)
    return violation(`${module} has shipped, and the Code Index does not know it`, "cupel index reindex");
  if (entry.status === "SUPERSEDED")
    return violation(
      `${module} is superseded by ${entry.superseded_by ?? "another"} and still in the product`,
      `cupel index show ${module}`,
    );
  if (saysOf(entry) !== saysOf(sealedEntry))
    return violation(
      `the Code Index says something else of ${module} than what was sealed`,
      `cupel index show ${module}`,
    );
  return [];
}

/** What both ways into the index derive from the contract. */
function saysOf({ module_id, version, name, purpose, tags, dependencies }: CodeIndexEntry): string {
  return canonicalJson({ module_id, version, name, purpose, tags, dependencies });
}

function taskViolations(
  { task, modules }: ReleasePicture["tasks"][number],
  entries: ReleasePicture["entries"],
): Violation[] {
  return modules
    .filter((module) => !entries.has(module))
    .map((module) => ({
      module_ref: module,
      references: [task],
      explanation: `${task} counts as done with ${module}, which the Code Index does not know`,
      next: "cupel index reindex",
    }));
}
