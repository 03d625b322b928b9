// Which words stand in which rows, and how much of a query's words a row answers to: BM25 as a share of the most there is.
import { listAt, PostingList } from "./posting-list.ts";
import { wordsOf } from "./words.ts";

/** How soon the same word again stops to count, and how much longer texts are held back. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
/** A query of more words than this is a text, not a question. */
const MOST_QUERY_WORDS = 64;
const MOST_TIMES = 255;

export class Lexicon {
  /** Row and number of times in one: row * 256 + times. */
  readonly #postings = new Map<string, PostingList>();
  readonly #lengths = new PostingList();
  #total = 0;

  /** The next row. Of a text with weight 2 each word counts twice. */
  push(texts: readonly { text: string; weight: number }[]): void {
    const row = this.#lengths.length;
    const times = new Map<string, number>();
    let length = 0;
    for (const { text, weight } of texts) {
      for (const word of wordsOf(text)) {
        times.set(word, (times.get(word) ?? 0) + weight);
        length += weight;
      }
    }
    for (const [word, count] of times) {
      listAt(this.#postings, word).push(row * (MOST_TIMES + 1) + Math.min(count, MOST_TIMES));
    }
    this.#lengths.push(length);
    this.#total += length;
  }

  /**
   * For every row from 0 to 1: its BM25 score against that of a row which speaks of nothing but all of the query's words.
   * Words that nobody knows count as the rarest of all. Undefined when no row has any of the words.
   */
  shares(query: string): Float32Array | undefined {
    const words = [...new Set(wordsOf(query))].slice(0, MOST_QUERY_WORDS);
    const rows = this.#lengths.length;
    const found = words.map((word) => this.#postings.get(word));
    const rarities = found.map((postings) => rarity(postings?.length ?? 0, rows));
    const most = rarities.reduce((sum, each) => sum + each, 0) * (SATURATION + 1);
    if (found.every((postings) => postings === undefined)) return undefined;
    const shares = new Float32Array(rows);
    found.forEach((postings, index) => {
      if (postings !== undefined)
        this.#add(shares, postings.view(), ((rarities[index] ?? 0) * (SATURATION + 1)) / most);
    });
    return shares;
  }

  #add(shares: Float32Array, postings: Uint32Array, weight: number): void {
    const lengths = this.#lengths.view();
    const longer = (SATURATION * LENGTH_WEIGHT * lengths.length) / this.#total;
    for (const posting of postings) {
      const row = posting >>> 8;
      const times = posting & MOST_TIMES;
      const held = SATURATION * (1 - LENGTH_WEIGHT) + longer * (lengths[row] ?? 0);
      shares[row] = (shares[row] ?? 0) + (weight * times) / (times + held);
    }
  }
}

function rarity(holders: number, rows: number): number {
  return Math.log(1 + (rows - holders + 0.5) / (holders + 0.5));
}
