// A token bucket on a clock that the caller brings.

export interface LimiterOptions {
  /** Most tokens at once. */
  burst: number;
  perSecond: number;
  now: () => number;
}

export type Decision = { allowed: true; left: number } | { allowed: false; retryAfterMs: number };

export class RateLimiter {
  readonly #options: LimiterOptions;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(options: LimiterOptions) {
    if (!(options.burst >= 1)) throw new RangeError("burst must be at least 1");
    if (!(options.perSecond > 0)) throw new RangeError("perSecond must be positive");
    this.#options = options;
  }

  get size(): number {
    return this.#buckets.size;
  }

  take(key: string, cost = 1): Decision {
    const { burst, perSecond, now } = this.#options;
    if (cost <= 0 || cost > burst) throw new RangeError(`a cost between 0 and ${burst} is needed`);
    const at = now();
    const tokens = this.#tokens(key, at);
    if (tokens < cost) {
      this.#buckets.set(key, { tokens, at });
      return { allowed: false, retryAfterMs: Math.ceil(((cost - tokens) / perSecond) * 1000) };
    }
    this.#buckets.set(key, { tokens: tokens - cost, at });
    return { allowed: true, left: Math.floor(tokens - cost) };
  }

  /** Waits until it is allowed, at most `tries` times; false when it never was. */
  async wait(key: string, sleep: (ms: number) => Promise<void>, tries = 3): Promise<boolean> {
    for (let attempt = 0; attempt < tries; attempt++) {
      const decision = this.take(key);
      if (decision.allowed) return true;
      await sleep(decision.retryAfterMs);
    }
    return false;
  }

  /** Forgets keys whose buckets are full again; says how many. */
  sweep(): number {
    const at = this.#options.now();
    let swept = 0;
    for (const key of this.#buckets.keys()) {
      if (this.#tokens(key, at) >= this.#options.burst) {
        this.#buckets.delete(key);
        swept++;
      }
    }
    return swept;
  }

  #tokens(key: string, at: number): number {
    const { burst, perSecond } = this.#options;
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return burst;
    const elapsed = Math.max(0, at - bucket.at);
    return Math.min(burst, bucket.tokens + (elapsed / 1000) * perSecond);
  }
}
