// Writes a text to stdout to its end before anything else happens.
import { writeSync } from "node:fs";

/** A pipe takes only so much at once. */
export function putWhole(text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
    }
  }
}
