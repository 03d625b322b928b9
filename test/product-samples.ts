// Projects with a SPEC.md and a script for the product researcher, for tests of the product loop and its doors.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ScriptLine, type ScriptToolCall } from "../src/domain/agent/script-line.ts";
import type { PointAnswer } from "../src/domain/agent/product-roles.ts";
import type { ProductSpec } from "../src/domain/product/product-spec.ts";
import { type ProductOptions, refineProduct } from "../src/factory/product.ts";
import { openWorks, type Works, type WorksOptions } from "../src/factory/works.ts";
import { SpecReview } from "../src/domain/people/spec-decision.ts";
import type { RunEvent } from "../src/domain/run/run-event.ts";
import type { ProductOutcome } from "../src/product/port.ts";
import { openStateStore, type StateStore } from "../src/store/state-store.ts";
import { temporaryDirectory } from "./temporary.ts";
import { exampleSpec } from "./arbitraries/product-spec.ts";

export const SPEC_MD = "# Notebook\n\nA notebook for people who think in plain text.\n";

export interface Said extends Partial<Omit<ScriptLine, "key" | "toolCalls">> {
  round?: number;
  attempt?: number;
  turn?: number;
  /** Handed over by its tool; the example unless told, nothing where it is null. */
  spec?: unknown;
  before?: readonly ScriptToolCall[];
  answers?: readonly PointAnswer[];
}

export function researcherLine(said: Said = {}): ScriptLine {
  const { round = 1, attempt = 1, turn = 1, spec = exampleSpec(), before = [], answers = [], ...rest } = said;
  const emit = spec === null ? [] : [{ tool: "emit_structured_spec", input: { spec } }];
  return ScriptLine.parse({
    key: {
      role: "product_researcher",
      task: null,
      module: null,
      node: round === 1 ? "refine" : `refine@${round}`,
      attempt,
      turn,
    },
    inputHash: null,
    files: {},
    toolCalls: [...before, ...emit],
    output: { answer: { summary: "A notebook.", open_questions: ["Which encoding?"], answers } },
    usage: { inputTokens: 1000, outputTokens: 100 },
    latencyMs: 0,
    ending: "ok",
    ...rest,
  });
}

/** Gives the path of the script. */
export function writeProduct(
  project: string,
  said: readonly Said[],
  specMd: string | null = SPEC_MD,
): string {
  const script = join(project, "script.jsonl");
  writeFileSync(script, said.map((each) => `${JSON.stringify(researcherLine(each))}\n`).join(""));
  writeFileSync(join(project, "cupel.config.json"), "{}");
  if (specMd !== null) writeFileSync(join(project, "SPEC.md"), specMd);
  return script;
}

/** The product loop in a run of its own, as far as it goes. */
export async function refineIn(
  project: string,
  { works: more = {}, ...options }: ProductOptions & { works?: Partial<WorksOptions> } = {},
) {
  return inWorks(project, more, (works) => refineProduct(works, { env: {}, ...options }));
}

export async function inWorks<T>(
  project: string,
  more: Partial<WorksOptions>,
  work: (works: Works) => Promise<T>,
): Promise<T> {
  const works = await openWorks({ project, replay: join(project, "script.jsonl"), env: {}, ...more });
  try {
    return await work(works);
  } finally {
    await works.close();
  }
}

/** Another draft of the example, with one task renamed. */
export function renamedSpec(name = "Make a slug of a title"): ProductSpec {
  const spec = exampleSpec();
  const task = spec.pillars[0]?.epics[0]?.stories[0]?.tasks[0];
  if (task !== undefined) task.name = name;
  return spec;
}

/** A draft without acceptance criteria. */
export function incompleteSpec(): unknown {
  const spec = exampleSpec();
  const task = spec.pillars[0]?.epics[0]?.stories[0]?.tasks[0];
  if (task !== undefined) task.acceptance_criteria = [];
  return spec;
}

export function productProject(said: readonly Said[] = [{}], specMd?: string): string {
  const directory = temporaryDirectory();
  writeProduct(directory, said, specMd);
  return directory;
}

export function waiting(outcome: ProductOutcome): { id: string; review: SpecReview } {
  if (outcome.kind !== "waiting") throw new Error(`not waiting: ${JSON.stringify(outcome)}`);
  return { id: outcome.question.id, review: SpecReview.parse(outcome.question.body) };
}

export async function answerIn(directory: string, id: string, given: unknown, by = "ann") {
  const store = storeIn(directory);
  try {
    return await store.inbox.answer(id, given, by);
  } finally {
    await store.close();
  }
}

export async function eventsIn(directory: string): Promise<RunEvent[]> {
  const store = storeIn(directory);
  try {
    return await store.journal.read(0, 10_000);
  } finally {
    await store.close();
  }
}

export async function transcriptsIn(directory: string): Promise<string[]> {
  const store = storeIn(directory);
  try {
    const refs = (await store.journal.read(0, 10_000)).flatMap((event) =>
      "transcriptRef" in event && event.transcriptRef !== null ? [event.transcriptRef] : [],
    );
    return await Promise.all(refs.map(async (ref) => String(await store.payloads.get(ref))));
  } finally {
    await store.close();
  }
}

/** Of what happened to specifications and calls. */
export const kinds = (list: readonly RunEvent[]) =>
  list.map(({ kind }) => kind).filter((kind) => /^(spec|role_call)_/.test(kind));

export function storeIn(directory: string): StateStore {
  return openStateStore(directory, { durability: "normal", missing: "refuse" });
}
