// The Code Index: does it find by meaning and by keyword (a labelled set of our own), and how fast is an exact search among
// 100,000 entries against the memory bandwidth of this machine, measured in the same run.
import { readFileSync } from "node:fs";
import { z } from "zod";
import { localEmbedder } from "../src/code-index/embed-local.ts";
import type { LocalCodeIndex } from "../src/code-index/local-code-index.ts";
import type { Embedder } from "../src/code-index/port.ts";
import { parseOrThrow } from "../src/domain/parse.ts";
import { embeddingText } from "../src/domain/plan/reuse.ts";
import type { CodeIndexEntry } from "../src/domain/plan/reuse.ts";
import { benchEntry, withIndex } from "./code-index/bench-index.ts";
import { randomFrom } from "./code-index/random.ts";
import { measureSpeed } from "./code-index/speed.ts";

const Labelled = z.array(
  z.strictObject({
    module_id: z.string(),
    name: z.string(),
    purpose: z.string(),
    tags: z.array(z.string()),
    inputs: z.array(z.string()),
    outputs: z.array(z.string()),
    error_surfaces: z.array(z.string()),
    effects: z.array(z.string()),
    modes: z.array(z.string()),
  }),
);

/** `tuned` was looked at while the ranking was chosen, `heldOut` was not. */
const Questions = z.array(
  z.strictObject({
    module_id: z.string(),
    tuned: z.string(),
    heldOut: z.string(),
    keywords: z.array(z.string()),
  }),
);

type Question = readonly [moduleId: string, query: string];

/** The more modules there are, the more of them resemble the right one; 64 is what others were measured with. */
const FEW = 64;
const DRAWS = 6;

export async function run(): Promise<Record<string, unknown>> {
  const quality = await measureQuality();
  return { ...quality, ...(await measureSpeed(100_000)) };
}

async function measureQuality(): Promise<Record<string, unknown>> {
  const modules = parseOrThrow(Labelled, dataIn("modules.json"), "the labelled modules");
  const questions = parseOrThrow(Questions, dataIn("queries.json"), "the labelled queries");
  const entries = modules.map(({ inputs, outputs, error_surfaces, effects, modes, ...rest }) =>
    benchEntry({ ...rest, io_summary: { inputs, outputs, error_surfaces, effects, modes } }),
  );
  const embedder = remembering(localEmbedder());
  const drawn: Recalls[] = [];
  for (let draw = 0; draw < DRAWS; draw++) {
    drawn.push(await recallsAmong(shuffled(entries, randomFrom(draw)).slice(0, FEW), questions, embedder));
  }
  const all = await recallsAmong(entries, questions, embedder);
  const mean = (key: keyof Recalls): number => round(drawn.reduce((sum, each) => sum + each[key], 0) / DRAWS);
  return {
    recallAt5: mean("paraphrased"),
    heldOutRecallAt5: mean("heldOut"),
    keywordRecallAt5: mean("keyword"),
    recallAt1: mean("first"),
    modules: FEW,
    ofAll: { modules: entries.length, ...all },
    ...(await embedTimes(entries.map(embeddingText), questions)),
  };
}

type Recalls = Record<"paraphrased" | "tuned" | "heldOut" | "keyword" | "first", number>;

async function recallsAmong(
  entries: CodeIndexEntry[],
  all: z.infer<typeof Questions>,
  embedder: Embedder,
): Promise<Recalls> {
  const ids = new Set(entries.map(({ module_id }) => module_id));
  const questions = all.filter(({ module_id }) => ids.has(module_id));
  return withIndex(embedder, async (index, fence) => {
    await index.append(fence, entries);
    const tuned = questions.map(({ module_id, tuned: query }): Question => [module_id, query]);
    const heldOut = questions.map(({ module_id, heldOut: query }): Question => [module_id, query]);
    const keywords = questions.flatMap((question) =>
      question.keywords.map((query): Question => [question.module_id, query]),
    );
    return {
      paraphrased: await recall(index, [...tuned, ...heldOut], 5),
      tuned: await recall(index, tuned, 5),
      heldOut: await recall(index, heldOut, 5),
      keyword: await recall(index, keywords, 5),
      first: await recall(index, [...tuned, ...heldOut], 1),
    };
  });
}

/** The same text is embedded once. */
function remembering(embedder: Embedder): Embedder {
  const known = new Map<string, Float32Array>();
  return {
    ...embedder,
    embed: async (texts) => {
      const unknown = texts.filter((text) => !known.has(text));
      const made = await embedder.embed(unknown);
      unknown.forEach((text, index) => known.set(text, made[index] ?? new Float32Array()));
      return texts.map((text) => known.get(text) ?? new Float32Array());
    },
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

async function recall(index: LocalCodeIndex, questions: readonly Question[], top_k: number): Promise<number> {
  let found = 0;
  for (const [moduleId, query] of questions) {
    const hits = await index.search({ query, top_k });
    if (hits.some(({ module_id }) => module_id === moduleId)) found += 1;
  }
  return round(found / questions.length);
}

async function embedTimes(
  texts: string[],
  questions: z.infer<typeof Questions>,
): Promise<Record<string, number>> {
  const embedder = localEmbedder();
  await embedder.embed(["the weights are loaded with the first text"]);
  const median = async (some: string[]): Promise<number> => {
    const times: number[] = [];
    for (const text of some) {
      const begin = performance.now();
      await embedder.embed([text]);
      times.push(performance.now() - begin);
    }
    return Math.round(times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN);
  };
  return {
    embedMs: await median(questions.slice(0, 30).map(({ tuned }) => tuned)),
    embedEntryMs: await median(texts.slice(0, 30)),
  };
}

function dataIn(file: string): unknown {
  return JSON.parse(readFileSync(new URL(`code-index/${file}`, import.meta.url), "utf8"));
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
