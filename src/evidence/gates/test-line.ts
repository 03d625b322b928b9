// Where a test stands in its file, found by its title; runners report names only.
import type { Files } from "../../toolchains/port.ts";

/** Nothing where the title is made at run time, or stands there twice. */
export function placeOfTest(files: Files, file: string, name: string): { file: string; line?: number } {
  const title = name.split(" > ").at(-1) ?? name;
  const quoted = ['"', "'", "`"].map((quote) => `${quote}${title.replaceAll(quote, `\\${quote}`)}${quote}`);
  const lines = (files[file] ?? "").split("\n");
  const found = lines.flatMap((text, index) =>
    quoted.some((each) => text.includes(each)) ? [index + 1] : [],
  );
  const [line] = found;
  return line === undefined || found.length > 1 ? { file } : { file, line };
}
