// Tells text that only holds a place ("TBD", "n/a", "???") from text that says something; "none" says something.

/**
 * True for text without a word in it, for placeholders and nothing else (in any case, punctuation, brackets or
 * repetition), and for text that admits in passing that it is unfinished, such as "string, limits TBD" or "N/A (pure)".
 */
export function isPlaceholder(text: string): boolean {
  const words = text.normalize("NFKC").toLowerCase().match(WORD) ?? [];
  return ONLY_PLACEHOLDERS.test(words.join(" ")) || UNFINISHED.some((sign) => sign.test(text));
}

const WORD = /[\p{L}\p{N}]+/gu;

const PHRASES = [
  "t ?b ?[dac]",
  "to ?do",
  "fixme",
  "n ?a",
  "not applicable",
  "to be (?:determined|decided|defined|confirmed|announced|done)",
  "(?:later|soon)",
  "x{3,}",
];
/** Matches the empty text too: punctuation alone says nothing. */
const ONLY_PLACEHOLDERS = new RegExp(`^(?:(?:${PHRASES.join("|")})(?: |$))*$`);

/** Narrow on purpose: a kanban board may well list "TODO | DONE", and quoted values are data. */
const UNFINISHED = [
  /(?<!["'`\p{L}\p{N}_])(?:tbd|t\.b\.d\.)(?!["'`\p{L}\p{N}_])/iu,
  /(?<!["'`\p{L}\p{N}_])(?:TODO|FIXME)\s*[:(]/u,
  /^\s*(?:n\/a|n\.a\.|not applicable)\s*(?:$|[-–—:;,.(]|because\b|since\b|here\b)/i,
];
