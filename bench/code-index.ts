// The Code Index: does it find by meaning and by keyword (a labelled set of our own), and how fast is an exact search among
// 100,000 entries against the memory bandwidth of this machine, measured in the same run.
import { readFileSync } from "node:fs";
import { z } from "zod";
import { localEmbedder } from "../src/code-index/embed-local.ts";
import type { LocalCodeIndex } from "../src/code-index/local-code-index.ts";
import { parseOrThrow } from "../src/domain/parse.ts";
import { embeddingText } from "../src/domain/plan/reuse.ts";
import { benchEntry, withIndex } from "./code-index/bench-index.ts";
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

export async function run(): Promise<Record<string, unknown>> {
  const quality = await measureQuality();
  return { ...quality, ...(await measureSpeed(100_000)) };
}

async function measureQuality(): Promise<Record<string, unknown>> {
  const modules = parseOrThrow(Labelled, dataIn("modules.json"), "the labelled modules");
  const questions = parseOrThrow(Questions, dataIn("queries.json"), "the labelled queries");
  return withIndex(localEmbedder(), async (index, fence) => {
    const entries = modules.map(({ inputs, outputs, error_surfaces, effects, modes, ...rest }) =>
      benchEntry({ ...rest, io_summary: { inputs, outputs, error_surfaces, effects, modes } }),
    );
    await index.append(fence, entries);
    const tuned = questions.map(({ module_id, tuned: query }): Question => [module_id, query]);
    const heldOut = questions.map(({ module_id, heldOut: query }): Question => [module_id, query]);
    const keywords = questions.flatMap((question) =>
      question.keywords.map((query): Question => [question.module_id, query]),
    );
    return {
      modules: modules.length,
      recallAt5: await recall(index, [...tuned, ...heldOut], 5),
      recallAt1: await recall(index, [...tuned, ...heldOut], 1),
      tunedRecallAt5: await recall(index, tuned, 5),
      heldOutRecallAt5: await recall(index, heldOut, 5),
      keywordRecallAt5: await recall(index, keywords, 5),
      ...(await embedTimes(entries.map(embeddingText), tuned)),
    };
  });
}

async function recall(index: LocalCodeIndex, questions: readonly Question[], top_k: number): Promise<number> {
  let found = 0;
  for (const [moduleId, query] of questions) {
    const hits = await index.search({ query, top_k });
    if (hits.some(({ module_id }) => module_id === moduleId)) found += 1;
  }
  return Math.round((found / questions.length) * 1000) / 1000;
}

async function embedTimes(texts: string[], questions: readonly Question[]): Promise<Record<string, number>> {
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
    embedMs: await median(questions.slice(0, 30).map(([, query]) => query)),
    embedEntryMs: await median(texts.slice(0, 30)),
  };
}

function dataIn(file: string): unknown {
  return JSON.parse(readFileSync(new URL(`code-index/${file}`, import.meta.url), "utf8"));
}
