// A task that grows into a tree of three levels in which everything happens that can: a merge that breaks others, one who
// follows it by a rename, one who cannot, a question that climbs to the root, and somebody who must be replaced.
import type { ScriptLine } from "../src/domain/agent/script-line.ts";
import type { ChildSpec } from "../src/domain/fractal/node-spec.ts";
import type { Tree } from "../src/domain/fractal/tree.ts";
import { idOf } from "../src/simulator/cases/module-sketch.ts";
import {
  type Crop,
  gives,
  HARVEST_TASK,
  isFollower,
  moduleOf,
  sourceOf,
  type Turn,
  usesOthers,
} from "./harvest-modules.ts";
import type { SampleModule } from "./invoice-samples.ts";
import { line } from "./invoice-script.ts";

type Line = ReturnType<typeof line>;

interface Placed extends Crop {
  path: readonly Placed[];
  criteria: ChildSpec["acceptanceCriteria"];
  module: SampleModule;
}

export function cropsIn(crop: Crop, above: readonly Placed[] = [], index = 0): Placed[] {
  const placed = placedAt(crop, above, index);
  const parts = (crop.parts ?? []).flatMap((part, at) => cropsIn(part, [...above, placed], at));
  return [placed, ...parts];
}

function placedAt(crop: Crop, above: readonly Placed[], index: number): Placed {
  const parent = above.at(-1);
  const own = parent?.criteria[above.length === 1 ? index : 0];
  const criteria =
    parent === undefined
      ? HARVEST_TASK.acceptance_criteria.map((text, at) => ({ id: `AC-${at + 1}`, text }))
      : [
          {
            id: above.length === 1 ? (own?.id ?? "") : `${own?.id ?? ""}.${index + 1}`,
            text: above.length === 1 ? (own?.text ?? "") : `${crop.name} are counted`,
          },
        ];
  return { ...crop, path: above, criteria, module: moduleOf(crop, above) };
}

export function childSpecOf({
  name,
  criteria,
  turns = [],
}: Pick<Placed, "name" | "criteria" | "turns">): ChildSpec {
  return {
    id: name,
    description: `Counts ${name}.`,
    acceptanceCriteria: criteria,
    complexityConstraints: null,
    exports: [{ name, signature: "(n: number) => number" }],
    uses: isFollower({ name, turns }) ? ["apples"] : [],
  };
}

function suiteOf(crop: Crop): string {
  return `import { expect, test } from "vitest";
import { ${crop.name} } from "../src/index.ts";

test("what was announced is there", () => {
  expect(${crop.name}(2)).toBe(${gives(crop, 2)});
});
`;
}

/** One call after the other, as a node makes them; which attempt each is follows. */
type Step = { role: ScriptLine["key"]["role"]; node: string; exit: object; files?: Record<string, string> };

export function harvestLines(root: Crop): Line[] {
  const all = cropsIn(root);
  return all.flatMap((crop) => {
    const of = { task: HARVEST_TASK.task_id, module: idOf(crop.name) };
    const calls = stepsOf(crop, all).map(({ role, node, exit, files = {} }, index) =>
      line({ role, ...of, node, attempt: index + 1 }, { exit }, below(crop.name, files)),
    );
    const verdicts = verdictsOn(crop).map((exit, index) =>
      line({ role: "reviewer", ...of, node: "judge", attempt: index + 1 }, { exit }),
    );
    return [...calls, ...verdicts];
  });
}

function below(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`modules/${folder}/${path}`, text]));
}

const APPROVED = { kind: "Approved", signOff: "Read; it does what its criteria say." };
const ANSWER = { kind: "Answer", answer: "A half is refused.", because: "what is counted is whole" };
const BLOCKED = {
  kind: "BlockedDependency",
  missingSymbol: "apples",
  expectedImportPath: "#modules/apples",
};

function stepsOf(crop: Placed, all: readonly Placed[]): Step[] {
  const { turns = [], module } = crop;
  const has = (turn: Turn): boolean => turns.includes(turn);
  const plan = planStep(crop, all);
  const tests = testsStep(crop, {});
  const review: Step = { role: "reviewer", node: "review", exit: APPROVED };
  const wrote = (strategy: string, type?: string): Step => ({
    role: "impl",
    node: "impl",
    exit: { kind: "TestsPassed", strategy },
    files: { "examples.md": module.files["examples.md"] ?? "", "src/index.ts": sourceOf(crop, type) },
  });
  const gaveUp: Step = { role: "impl", node: "impl", exit: STUCK };
  const missing: Step = { role: "impl", node: "impl", exit: BLOCKED };
  const first = [
    ...(has("asks") ? questionSteps(crop) : []),
    plan,
    tests,
    ...(has("stuck") ? [gaveUp] : []),
    ...(isFollower(crop) ? [missing] : []),
    wrote("the plainest code"),
  ];
  if (has("breaks")) return [...first, review, testsStep(crop, MORE), wrote("another name", "Yield"), review];
  if (has("follows")) return [...first, followStep(crop), review];
  if (has("cannot-follow")) return [...first, CONFLICT, plan, tests, wrote("anew", "Yield"), review];
  return [...first, review];
}

const STUCK = {
  kind: "Stuck",
  subtype: "SkillCeiling",
  diagnosis: "it does not come out right",
  recommendation: "let somebody more able try",
};

const CONFLICT: Step = {
  role: "rebaser",
  node: "rebase",
  exit: {
    kind: "RebaseConflict",
    conflictFile: "src/index.ts",
    ourChange: "Crop",
    theirChange: "Yield",
    whyUnresolvable: "what is meant by a yield decides how it is counted",
  },
};

function followStep(crop: Crop): Step {
  return {
    role: "rebaser",
    node: "rebase",
    exit: {
      kind: "RebaseAdapted",
      adaptations: [{ symbol: "apples.Crop", change: "is called Yield", reason: "apples renamed it" }],
    },
    files: { "src/index.ts": sourceOf(crop, "Yield") },
  };
}

/** Nobody between the node and the root knows. */
function questionSteps({ path }: Placed): Step[] {
  const question = {
    kind: "ClarificationNeeded",
    question: "What becomes of a half?",
    ambiguityReference: "its criterion",
    specSentence: "are counted",
  };
  const asked = path.map((_, index): Step => {
    const isRoot = index === path.length - 1;
    return { role: "scaffold", node: "clarify", exit: isRoot ? ANSWER : question };
  });
  return [{ role: "scaffold", node: "scaffold", exit: question }, ...asked];
}

function planStep(crop: Placed, all: readonly Placed[]): Step {
  const children = all.filter(({ path }) => path.at(-1)?.name === crop.name);
  const own: Record<string, string> =
    crop.path.length === 0 ? { "test/contract.test.ts": suiteOf(crop) } : {};
  const suites = children.map((child) => [`children/${child.name}/contract.test.ts`, suiteOf(child)]);
  return {
    role: "scaffold",
    node: "scaffold",
    exit: {
      kind: "InitWork",
      contract: crop.module.contract,
      test_plan: shownIn(crop).map(({ test, criterion }) => ({
        criterionId: criterion,
        plannedTestName: test,
        approach: "examples",
      })),
      children: children.map(childSpecOf),
    },
    files: { ...own, ...Object.fromEntries(suites) },
  };
}

/** A root has three criteria, and two tests: the one of halves shows two of them by its name alone. */
function shownIn(crop: Placed): { test: string; criterion: string }[] {
  const { criteria, name } = crop;
  const [first = "", second = first, third] = criteria.map(({ id }) => id);
  return [
    { test: "%d comes to %d", criterion: first },
    { test: "halves are refused", criterion: second },
    ...(usesOthers(crop) ? [{ test: "with what it uses it comes to more", criterion: first }] : []),
    ...(third === undefined ? [] : [{ test: `${name} of nothing`, criterion: third }]),
  ];
}

const MORE: Readonly<Record<string, string>> = {
  "test/more.test.ts": `import { expect, test } from "vitest";
import { apples } from "../src/index.ts";

test("many come to more", () => {
  expect(apples(1000)).toBe(${1000 + "apples".length});
});
`,
};

function testsStep(crop: Placed, more: Readonly<Record<string, string>>): Step {
  const { name, module, criteria } = crop;
  const path = `test/${name}.test.ts`;
  const together = `test/${name}.integration.test.ts`;
  const nothing = `\ntest("${name} of nothing", () => {\n  expect(${name}(0)).toBe(${gives(crop, 0)});\n});\n`;
  const text = `${module.files[path] ?? ""}${criteria.length > 1 ? nothing : ""}`;
  const added = Object.keys(more).map(() => ({
    test: "many come to more",
    criterion: criteria[0]?.id ?? "",
  }));
  return {
    role: "test_author",
    node: "author",
    exit: { kind: "TestsReady", shows: [...shownIn(crop), ...added] },
    files: {
      [path]: text,
      ...(usesOthers(crop) ? { [together]: module.files[together] ?? "" } : {}),
      ...more,
    },
  };
}

function verdictsOn({ path, turns = [], criteria }: Placed): object[] {
  if (path.length === 0) return [];
  const satisfied = { kind: "Satisfied", rationale: "Its tests show what it was given." };
  if (!turns.includes("breaks")) return [satisfied];
  const critiques = [
    { file: "src/index.ts", line: 1, issue: "a crop is a plant", requiredFix: "call it a yield" },
  ];
  return [{ kind: "SendBack", missingCriteria: [criteria[0]?.id], critiques }, satisfied];
}

/** Who is asked only when something has happened: so that what breaks others breaks them whoever is quicker. */
export function harvestWaits(
  key: Pick<ScriptLine["key"], "module" | "node" | "attempt">,
  tree: Tree,
): boolean {
  const merges = tree["apples"]?.merges ?? 0;
  if (key.node !== "impl") return false;
  const followers = ["pears", "plums"].flatMap((name) => tree[name] ?? []);
  if (key.module === idOf("apples"))
    return merges === 0 && followers.some(({ place }) => place.kind !== "blocked");
  const waits = followers.some(({ spec }) => key.module === idOf(spec.id));
  return waits && key.attempt === 4 && merges < 2;
}
