// Takes a word that a person typed for one of a list, or says which one they probably meant.
import { CupelError } from "./error.ts";
import { nearest } from "./nearest.ts";

export function oneOf<T extends string>(words: readonly T[], word: string, what: string): T {
  const found = words.find((each) => each === word);
  if (found !== undefined) return found;
  const meant = nearest(word, words);
  throw new CupelError("usage", `there is no ${what} ${JSON.stringify(word)}`, {
    expected: words.join(", "),
    ...(meant === undefined ? {} : { hint: `did you mean ${meant}?` }),
  });
}
