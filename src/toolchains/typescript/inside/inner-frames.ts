// Says the inner runner's answers in frames that only it can write, by means that foreign code can neither see nor
// replace: nothing here looks anything up on a prototype or a global once that code is loaded.
import { writeSync } from "node:fs";
import type { InnerAnswer } from "./inner-job.ts";
import { encode } from "./plain-json.ts";

/** Each frame begins with a mark that was never used before, so that one that leaks is worth nothing. */
export const MARK_BYTES = 16;

const write = writeSync;
const { apply } = Reflect;
const slice: (this: string, from: number, to?: number) => string = Reflect.get(String.prototype, "slice");

/** `marks` are taken one after the other, and forgotten. */
export function speaker(marks: Uint8Array): (answer: InnerAnswer) => void {
  let at = 0;
  return (answer) => {
    let mark = "";
    for (const end = at + MARK_BYTES; at < end; at++) {
      const byte = marks[at] ?? 0;
      marks[at] = 0;
      mark += `${HEX[byte >> 4]}${HEX[byte & 15]}`;
    }
    put(`\n${mark} ${encode(answer)}\n`);
  };
}

const HEX = "0123456789abcdef";

/** A pipe takes only so much at once. */
function put(text: string): void {
  for (let at = 0; at < text.length;) {
    try {
      at += write(1, at === 0 ? text : apply(slice, text, [at]));
    } catch (error) {
      if (!(typeof error === "object" && error !== null && "code" in error && error.code === "EAGAIN"))
        throw error;
    }
  }
}
