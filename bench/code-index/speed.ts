// Exact filtered searches among many entries with random vectors, in turns with plain reading of as many bytes.
import type { LocalCodeIndex } from "../../src/code-index/local-code-index.ts";
import type { Embedder } from "../../src/code-index/port.ts";
import { bandwidthProbe } from "./bandwidth.ts";
import { benchEntry, withIndex } from "./bench-index.ts";
import { randomFrom } from "./random.ts";

const DIMENSIONS = 384;
const BATCH = 1000;
const SEARCHES = 200;
/** Nine in ten entries have the tag that is asked for, one in a hundred the other. */
const COMMON = { tag: "common", of: 10, leaves: 9 };
const RARE = { tag: "rare", of: 100, leaves: 1 };

export async function measureSpeed(entries: number): Promise<Record<string, unknown>> {
  const random = randomFrom(7);
  return withIndex(randomEmbedder(random), async (index, fence, reopen) => {
    const begin = performance.now();
    for (let from = 0; from < entries; from += BATCH) {
      await index.append(
        fence,
        Array.from({ length: BATCH }, (_, n) => syntheticEntry(from + n, random)),
      );
    }
    const appended = performance.now();
    const fresh = reopen();
    const before = process.memoryUsage.rss();
    await fresh.search({ query: "the first search reads everything" });
    const loaded = performance.now();
    const common = await measure(fresh, random, COMMON.tag, (entries * COMMON.leaves) / COMMON.of);
    const rare = await measure(fresh, random, RARE.tag, (entries * RARE.leaves) / RARE.of);
    return {
      entries,
      p50Ms: common.p50,
      p95Ms: common.p95,
      // Of the least disturbed rounds of both: other work on the machine only ever adds.
      overBandwidth: round(common.best / common.readBest),
      p95OverBandwidth: round(common.p95 / common.readP95),
      gigabytesPerSecond: round((common.bytes / 1e9 / common.best) * 1000),
      bandwidthGigabytesPerSecond: round((common.bytes / 1e9 / common.readBest) * 1000),
      onePercentP95Ms: rare.p95,
      appendsPerSecond: Math.round((entries / (appended - begin)) * 1000),
      firstSearchMs: Math.round(loaded - appended),
      mirrorMegabytes: Math.round((process.memoryUsage.rss() - before) / 1e6),
    };
  });
}

async function measure(index: LocalCodeIndex, random: () => number, tag: string, expected: number) {
  const bytes = expected * DIMENSIONS * 4;
  const read = bandwidthProbe(bytes);
  const searches: number[] = [];
  const reads: number[] = [];
  for (let round = -20; round < SEARCHES; round++) {
    const query = { query: words(random, 6), tags: [tag], output_types: ["string", "number"], top_k: 10 };
    const begin = performance.now();
    const hits = await index.search(query);
    const took = performance.now() - begin;
    const readTook = read();
    if (hits.length !== 10) throw new Error(`${hits.length} hits instead of 10`);
    // The first ones warm up the compilers.
    if (round < 0) continue;
    searches.push(took);
    reads.push(readTook);
  }
  return {
    bytes,
    best: quantile(searches, 0.05),
    p50: quantile(searches, 0.5),
    p95: quantile(searches, 0.95),
    readBest: quantile(reads, 0.05),
    readP95: quantile(reads, 0.95),
  };
}

function syntheticEntry(n: number, random: () => number) {
  const tags = [
    `t${n % 50}`,
    ...(n % COMMON.of < COMMON.leaves ? [COMMON.tag] : []),
    ...(n % RARE.of < RARE.leaves ? [RARE.tag] : []),
  ];
  return benchEntry({
    module_id: `MM-m${n}`,
    name: words(random, 2),
    purpose: words(random, 14),
    tags,
    io_summary: {
      inputs: [`text: string (${words(random, 3)})`, "limit?: number"],
      outputs: [n % 2 === 0 ? "result: string" : "count: number"],
      error_surfaces: [words(random, 4)],
      effects: [],
      modes: ["sync"],
    },
  });
}

/** Few words are frequent and many are rare, as in any text. */
function words(random: () => number, count: number): string {
  return Array.from({ length: count }, () => spelled(Math.floor(20_000 * random() ** 3))).join(" ");
}

/** A number as a word of letters. */
function spelled(number: number): string {
  const letters = Array.from(number.toString(26), (digit) =>
    String.fromCodePoint(97 + Number.parseInt(digit, 26)),
  );
  return letters.join("").padStart(4, "k");
}

function randomEmbedder(random: () => number): Embedder {
  return {
    model: "bench:random",
    dimensions: DIMENSIONS,
    embed: async (texts) => texts.map(() => Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5)),
  };
}

function quantile(times: readonly number[], share: number): number {
  return round(times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
