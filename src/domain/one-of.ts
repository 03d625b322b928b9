// Takes a word that a person typed for one of a list, or says which one they probably meant.
import { CupelError } from "./error.ts";
import { nearest } from "./nearest.ts";

/** `shownBy` is the command that lists the words where nobody would read all of them in an error. */
export function oneOf<T extends string>(
  words: readonly T[],
  word: string,
  what: string,
  shownBy?: string,
): T {
  const found = words.find((each) => each === word);
  if (found !== undefined) return found;
  const meant = nearest(word, words);
  throw new CupelError("usage", `there is no ${what} ${JSON.stringify(word)}`, {
    expected:
      shownBy === undefined
        ? words.join(", ")
        : `${words.slice(0, 8).join(", ")}, … (all of them: ${shownBy})`,
    ...(meant === undefined ? {} : { hint: `did you mean ${meant}?` }),
  });
}
