// The words of a text for keyword search: in lower case, without endings, names such as parseCsvLine also in their parts.

/** Longer ones are no words that anybody would type. */
const LONGEST = 40;

const STOP_WORDS = new Set(
  `a an and any are as at be been but by can do does for from had has have how i if in into is it its me my no not of on
  or our so some such that the their them then there these they this those to was we were what when where which while who
  why will with without you your one each every get need want make way thing something out up`.split(/\s+/),
);

export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const token of tokensOf(text)) words.push(...knownWords(token));
  return words;
}

/** Plain text is by far the most frequent, and by far the fastest to take apart. */
function tokensOf(text: string): readonly string[] {
  if (PLAIN.test(text)) return text.match(/[a-z0-9]+/gi) ?? [];
  return text.normalize("NFKC").match(/[\p{L}\p{N}]+/gu) ?? [];
}

const PLAIN = /^[\t\n\r -~]*$/;

/** Texts repeat their words; what was found out about the last so many tokens is kept. */
const MOST_KNOWN = 50_000;
const known = new Map<string, readonly string[]>();

function knownWords(token: string): readonly string[] {
  const before = known.get(token);
  if (before !== undefined) return before;
  const words = wordsIn(token);
  if (token.length <= LONGEST) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(token, words);
  }
  return words;
}

function wordsIn(token: string): string[] {
  const parts = token.split(HUMPS);
  const words: string[] = [];
  if (parts.length > 1) for (const part of parts) add(words, part);
  add(words, token);
  return words;
}

/** Where one part of a name ends and the next begins: `csvLine`, `HTTPServer`, `sha256`. */
const HUMPS =
  /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

function add(words: string[], token: string): void {
  const word = token.toLowerCase();
  if (!STOP_WORDS.has(word)) words.push(stem(word.slice(0, LONGEST)));
}

/** Plain English endings only; both sides are treated alike, so a wrong stem does no more harm than a rare word. */
function stem(word: string): string {
  const singular = word.replace(/ies$/, "y").replace(/(?<=[^s])s$|(?<=(?:ss|sh|ch|x|z))es$/, "");
  const bare = singular.replace(/(?<=\w{3})(?:ing|ed|er|ion|or)$/, "");
  return bare.replace(/(?<=\w{3})e$/, "").replace(/([bdfgmnprt])\1$/, "$1");
}
