// One question to the person at the terminal, answered yes or no.
import { once } from "node:events";
import { createInterface } from "node:readline/promises";

/** Undefined where nobody sits at a terminal; `otherwise` is what a mere Enter says. */
export async function askPerson(words: string, otherwise: boolean): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // Ctrl-C and Ctrl-D close it, and then no answer comes any more, or an error in its place.
    const closed = once(terminal, "close").then(() => "no");
    const said = await Promise.race([terminal.question(words).catch(() => "no"), closed]);
    return said.trim() === "" ? otherwise : /^y(es)?$/i.test(said.trim());
  } finally {
    terminal.close();
  }
}
