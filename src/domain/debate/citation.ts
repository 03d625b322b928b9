// Whether a text cites something that exists, by its whole and exact name.
import { CupelError } from "../error.ts";

/** Everything evidence may point at: exact names and, for contract fields, also paths such as `inputs.0.constraints.1`. */
export interface Citable {
  readonly tests: readonly string[];
  readonly contractFields: readonly string[];
  /** Their wording. */
  readonly acceptanceCriteria: readonly string[];
}

/** Every name as `cites` wants it. */
export function citableNames(citable: Citable): string[] {
  const names = [...citable.tests, ...citable.contractFields, ...citable.acceptanceCriteria]
    .map((name) => (isPlainWord(name.trim()) ? `\`${normalized(name)}\`` : normalized(name)))
    .filter((name) => wordsOf(name).length > 0);
  if (names.length > 0) return names;
  throw new CupelError("usage", "nothing can be cited, so no challenge could ever comply", {
    expected: "the names of the tests, the contract's fields and the acceptance criteria",
  });
}

/** In prose such a word means nothing: "the text" does not cite the input `text`. */
function isPlainWord(name: string): boolean {
  return /^(?:\p{L}+|\p{N}+)$/u.test(name) && !/\p{Ll}\p{Lu}/u.test(name);
}

/** Whether `name` stands in `text` as a whole, not as a part of a longer name. Both normalized. */
export function cites(text: string, name: string): boolean {
  for (let start = text.indexOf(name); start >= 0; start = text.indexOf(name, start + 1)) {
    const around = [text[start - 1] ?? " ", text[start + name.length] ?? " "];
    if (!around.some((character) => /[\p{L}\p{N}_]/u.test(character))) return true;
  }
  return false;
}

export function normalized(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/["'“”‘’«»]/g, "`")
    .replaceAll(/\s+/g, " ")
    .trim();
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}
