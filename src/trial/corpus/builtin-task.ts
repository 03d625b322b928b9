// A task of the builtin corpus: besides the oracle it has what simulated workers need to be as good or bad as a trial says.
import type { CaseExample } from "../../simulator/port.ts";
import { contractOfEntries, type EntrySketch } from "../../simulator/cases/module-sketch.ts";
import type { Area, CorpusTask } from "./corpus-task.ts";
import { specOf } from "./builtin-spec.ts";
import { blocksIn, testFile } from "./test-file.ts";

export interface BuiltinTask extends CorpusTask {
  readonly purpose: string;
  readonly constraints: readonly Constraint[];
  /** At least one for each constraint. */
  readonly tests: readonly TestBlock[];
  /** As people really write them: plausible, and red on a solution that is right. */
  readonly wrongTests: readonly TestBlock[];
  readonly omissions: readonly Omission[];
  /** Import lines for tests besides those of vitest, fast-check and the module. */
  readonly imports: readonly string[];
}

export interface Constraint {
  readonly id: string;
  readonly text: string;
}

/** Stands alone, but for its imports. */
export interface TestBlock {
  /** The id of a constraint. */
  readonly covers: string;
  readonly title: string;
  readonly code: string;
}

export const OMISSION_KINDS = [
  "missing-edge-case",
  "missing-error-surface",
  "wrong-boundary",
  "swapped-arguments",
  "ignored-constraint",
] as const;
export type OmissionKind = (typeof OMISSION_KINDS)[number];

/** A defect as a change of the reference; `find` occurs in it exactly once. */
export interface Omission {
  readonly kind: OmissionKind;
  /** The id of the constraint that it breaks. */
  readonly breaks: string;
  readonly find: string;
  readonly replace: string;
}

interface BuiltinEntry extends Omit<EntrySketch, "errors"> {
  /** `says` is what the messages of the error have in common, and no other. */
  errors: { name: string; when: string; says: string }[];
  examples: readonly ShownCall[];
}

/** `args` are code, `gives` is JSON, `throws` is `Class: message`. */
interface ShownCall {
  title: string;
  args: readonly string[];
  gives?: string;
  throws?: string;
}

export interface BuiltinSketch extends Pick<BuiltinTask, "id" | "title" | "purpose"> {
  area: Area;
  tags: string[];
  entries: readonly BuiltinEntry[];
  /** By id, in order. */
  constraints: Readonly<Record<string, string>>;
  source: string;
  imports?: readonly string[];
  /** Each test begins with a line such as `// C3: what it shows`; the lines of its body follow. */
  tests: string;
  wrongTests: string;
  /** Each begins with a line such as `// C3: wrong-boundary`; lines of the source after `- `, what they become after `+ `. */
  omissions: string;
  /** Tests without constraints. */
  oracle: string;
}

const ENTRY = "src/index.ts";

export function builtinTask(sketch: BuiltinSketch): BuiltinTask {
  const { id, area, title, purpose, source, imports = [] } = sketch;
  const entries = sketch.entries.map((entry) => ({ ...entry, errors: entry.errors.map(errorOf) }));
  const constraints = Object.entries(sketch.constraints).map(([each, text]) => ({ id: each, text }));
  const examples = entries.flatMap((entry) => entry.examples.map((each) => exampleOf(entry, each)));
  const oracle = blocksIn(sketch.oracle).map(({ code }) => code);
  return {
    id,
    area,
    title,
    purpose,
    spec: specOf({ title, purpose, entries, constraints, examples }),
    entry: ENTRY,
    contract: contractOfEntries({ tags: sketch.tags, entries }, []),
    examples,
    reference: { [ENTRY]: source },
    oracle: { "test/oracle.test.ts": testFile(oracle, source, imports) },
    constraints,
    tests: coveringBlocks(sketch.tests),
    wrongTests: coveringBlocks(sketch.wrongTests),
    omissions: omissionsIn(sketch.omissions),
    imports,
  };
}

/** Waits where the entry point gives a promise. */
function exampleOf({ entry, signature, inputs }: EntrySketch, given: ShownCall): CaseExample {
  const { title, args, gives = "null", throws = null } = given;
  const call = `${entry}(${args.join(", ")})`;
  return {
    title,
    entry,
    call: signature.includes("=> Promise<") ? `await ${call}` : call,
    inputs: inputs.map(({ name }, index) => ({ name, value: args[index] ?? "undefined" })),
    gives: throws === null ? gives : null,
    throws,
  };
}

function coveringBlocks(text: string): TestBlock[] {
  const covered = [...text.matchAll(/^\/\/ (C\d+): /gm)].map(([, id = ""]) => id);
  const blocks = blocksIn(text);
  if (covered.length !== blocks.length) throw new Error("a test says of no constraint that it shows it");
  return blocks.map((block, index) => ({ covers: covered[index] ?? "", ...block }));
}

function errorOf({ name, when, says }: BuiltinEntry["errors"][number]): EntrySketch["errors"][number] {
  return { name, when, throws: `error.message.includes(${JSON.stringify(says)})` };
}

function omissionsIn(text: string): Omission[] {
  const parts = text.trim().split(/^(?=\/\/ )/m);
  return parts.map((part) => {
    const [head = "", ...lines] = part.split("\n");
    const [, breaks = "", named] = /^\/\/ (C\d+): (.+)$/.exec(head) ?? [];
    const kind = OMISSION_KINDS.find((each) => each === named);
    if (kind === undefined) throw new Error(`${head} is no kind of omission`);
    const marked = (mark: string) =>
      lines.filter((line) => line.startsWith(mark)).map((line) => `${line.slice(mark.length)}\n`);
    return { kind, breaks, find: marked("- ").join(""), replace: marked("+ ").join("") };
  });
}

/** The sources with one defect. */
export function withOmission(
  { reference, entry }: CorpusTask,
  { find, replace }: Omission,
): CorpusTask["reference"] {
  return { ...reference, [entry]: (reference[entry] ?? "").replace(find, () => replace) };
}

/** The test file of some of its blocks. */
export function testsOf({ id, reference, entry, imports }: BuiltinTask, blocks: readonly TestBlock[]) {
  const code = blocks.map((each) => each.code);
  return { [`test/${id}.test.ts`]: testFile(code, reference[entry] ?? "", imports) };
}
