// Finds short texts that say nearly the same thing, judged by their words alone.
import { editDistance } from "../nearest.ts";

/**
 * The share of common words among all words from which two texts count as near-duplicates. At 0.8 a slip, a plural
 * or a filler word makes no difference, while "tests for login" and "tests for logout" stay two things.
 */
export const NEAR_DUPLICATE = 0.8;

/** Comparing everything with everything is quadratic; whoever lists more than this has other worries. */
const COMPARED = 200;

export interface NearDuplicate {
  first: number;
  again: number;
}

/** Each text that nearly repeats an earlier one, with the earliest such; empty texts repeat nothing. */
export function nearDuplicates(texts: readonly string[]): NearDuplicate[] {
  const digests = texts.slice(0, COMPARED).map(digestOf);
  return digests.flatMap((digest, again) => {
    const first = digests.findIndex((earlier, index) => index < again && areNear(earlier, digest));
    return first < 0 ? [] : [{ first, again }];
  });
}

interface Digest {
  /** All letters and digits in a row, so that "e-mail" and "email" are equal. */
  joined: string;
  words: ReadonlySet<string>;
}

function digestOf(text: string): Digest {
  const words = wordsIn(text);
  return { joined: words.join("") || text.trim(), words: new Set(meaningful(words)) };
}

function areNear(a: Digest, b: Digest): boolean {
  return a.joined !== "" && (a.joined === b.joined || overlap(a.words, b.words) >= NEAR_DUPLICATE);
}

function wordsIn(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

const FILLERS = new Set(
  "a an the this that of to for in on at by with from as and or is are be it its all any each every".split(
    " ",
  ),
);

/** The words that carry meaning; the fillers as well when there is nothing else. */
function meaningful(words: string[]): string[] {
  const carrying = words.filter((word) => !FILLERS.has(word));
  return carrying.length > 0 ? carrying : words;
}

/** Jaccard index in which two words that differ by one slip count as the same word. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const restOfA = [...a].filter((word) => !b.has(word));
  const restOfB = [...b].filter((word) => !a.has(word));
  const same = a.size - restOfA.length;
  const best = same + Math.min(restOfA.length, restOfB.length);
  // Looking for slips is quadratic, so only where they could decide and the differences are few.
  const worthwhile = best / (a.size + b.size - best) >= NEAR_DUPLICATE && restOfA.length <= 20;
  const common = same + (worthwhile ? slips(restOfA, restOfB) : 0);
  return common / (a.size + b.size - common);
}

/** How many words of `a` find a partner of their own in `b` that differs by one slip. */
function slips(a: string[], b: string[]): number {
  const free = [...b];
  let count = 0;
  for (const word of a) {
    const partner = free.findIndex((other) => isSlip(word, other));
    if (partner < 0) continue;
    free.splice(partner, 1);
    count++;
  }
  return count;
}

/** Short words, numbers and scripts in which one character is a word differ in meaning when they differ at all. */
function isSlip(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < 5 || Math.abs(a.length - b.length) > 1) return false;
  return LATIN.test(a) && LATIN.test(b) && editDistance(a, b) === 1;
}

const LATIN = /^\p{Script=Latin}+$/u;
