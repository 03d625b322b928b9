// The best few of many scores, and how closeness in meaning and keywords become one score.

export interface Scored {
  /** The place in the ledger, which also decides between equal scores: the older first. */
  seq: number;
  score: number;
}

/**
 * Closeness in meaning, lifted by the share of the query's words that stand in the entry. The square keeps a word that is
 * shared by chance from outweighing the meaning, while a name or a tag that was typed as it is finds its module.
 */
export function fused(cosine: number, share: number): number {
  return cosine + KEYWORD_WEIGHT * share * share;
}

const KEYWORD_WEIGHT = 0.4;

export class Best {
  readonly #most: number;
  readonly #scored: Scored[] = [];
  /** What the worst of a full list has; anything below cannot get in. */
  #floor = -Infinity;

  constructor(most: number) {
    this.#most = most;
  }

  get floor(): number {
    return this.#floor;
  }

  offer(score: number, seq: number): void {
    if (score < this.#floor) return;
    const place = this.#scored.findLastIndex(
      (other) => other.score > score || (other.score === score && other.seq < seq),
    );
    this.#scored.splice(place + 1, 0, { seq, score });
    if (this.#scored.length > this.#most) this.#scored.pop();
    if (this.#scored.length === this.#most) this.#floor = this.#scored.at(-1)?.score ?? -Infinity;
  }

  list(): readonly Scored[] {
    return this.#scored;
  }
}
