// Finds in the code and the output of an example what stands for a value instead of being one.
import { isPlaceholder } from "../product/placeholder.ts";

/** The first placeholder and how many lines below the text's first line it is. */
export function placeholderIn(text: string): { found: string; below: number } | undefined {
  const lines = text.split("\n");
  for (const [below, line] of lines.entries()) {
    const found = SIGNS.map((sign) => sign.exec(line)?.[0]).find((match) => match !== undefined);
    if (found !== undefined) return { found, below };
  }
  const isEmptyTalk = /[\p{L}\p{N}]|\.{2,}|…/u.test(text) && isPlaceholder(text.replaceAll(/["'`]/g, ""));
  return isEmptyTalk ? { found: text.trim().slice(0, 60), below: 0 } : undefined;
}

/** Words that only ever stand for something: a real name would say what it is. */
const STANDS_FOR = "some|your|my|any|example|sample|dummy|placeholder|insert";
const THINGS =
  "input|inputs|output|outputs|value|values|string|text|data|arg|args|argument|name|key|id|here|thing";

const SIGNS: readonly RegExp[] = [
  /(["'`])(?:\.{2,}|…)\1/,
  new RegExp(`<(?:${STANDS_FOR}|the|an?)[\\s_-][\\w\\s-]*>`, "i"),
  new RegExp(`(["'\`])<(?:${THINGS})>\\1`, "i"),
  new RegExp(`(?<![\\w-])(?:${STANDS_FOR})[_-](?:[\\w]+[_-])?(?:${THINGS})(?![\\w-])`, "i"),
  // Code that was left out.
  /(?:\/\/|\/\*)\s*(?:\.{2,}|…)/,
  /^\s*(?:\.{3}|…)\s*$/,
];
