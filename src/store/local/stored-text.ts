// Which texts the database takes as they are: what it would cut short or change silently is refused at the door.
import { z } from "zod";
import { staysInside } from "../../domain/artifact/context-pack.ts";
import { CupelError } from "../../domain/error.ts";
import { parseOrThrow, refuse } from "../../domain/parse.ts";
import { form, PayloadRef } from "../../domain/refs.ts";

/** The driver reads text only up to a NUL and replaces half a surrogate pair; in JSON columns both are escaped. */
export const StoredText = form(
  /^(?=.*\S)[^\0\p{Cs}]+$/su,
  "text that is not blank, without NUL and without broken characters",
);

/** A name that rows are found by. Bounded, because shared databases bound what their indexes hold. */
export const Key = form(
  /^(?=.*\S)[^\0\p{Cs}]{1,500}$/su,
  "1 to 500 characters that are not blank, without NUL and without broken characters",
);

/** Relative path → payload. */
export const FileMap = z.record(z.string(), PayloadRef).superRefine((files, context) => {
  for (const path of Object.keys(files)) {
    if (!staysInside(path)) refuse(context, [path], "a relative path without . and ..", JSON.stringify(path));
  }
});
export type FileMap = z.infer<typeof FileMap>;

/** A record drops the key `__proto__` without a word; a file that vanishes must not go unnoticed. */
export function parseFiles(files: unknown, what: string): FileMap {
  const parsed = parseOrThrow(FileMap, files, what);
  if (Object.keys(Object(files)).length === Object.keys(parsed).length) return parsed;
  throw new CupelError("invalid_input", `${what} hold a file named __proto__`, {
    expected: "any other name",
  });
}
