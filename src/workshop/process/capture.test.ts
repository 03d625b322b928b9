// What is held of an output is its beginning in whole characters, and all of it for whoever keeps it.
import { PassThrough } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { capture } from "./capture.ts";

test("whatever the chunks, the text is the longest whole-character beginning and the whole is whole", () => {
  const pieces = fc.array(fc.string({ unit: "binary", maxLength: 12 }), { maxLength: 8 });
  fc.assert(
    fc.property(pieces, fc.nat(60), fc.nat(7), (texts, limit, step) => {
      const all = Buffer.from(texts.join(""));
      const held = capturing(all, limit, step + 1);
      expect(held.text).toBe(longestBeginning(all.toString(), limit));
      expect(held.cut).toBe(all.length > limit);
      expect(held.bytes).toBe(all.length);
      expect(held.whole).toEqual(all);
    }),
  );
});

test("bytes that are no characters are held as they are", () => {
  const all = Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80, 0xff, 0xfe]);
  expect(capturing(all, 5, 3).text).toBe("\uFFFD".repeat(5));
});

function capturing(all: Buffer, limit: number, step: number) {
  const stream = new PassThrough();
  const held = capture(stream, limit, true);
  for (let at = 0; at < all.length; at += step) stream.emit("data", all.subarray(at, at + step));
  const result = { text: held.text(), bytes: held.bytes(), cut: held.cut(), whole: held.whole() };
  held.close();
  return result;
}

function longestBeginning(text: string, limit: number): string {
  let beginning = "";
  for (const character of text) {
    if (Buffer.byteLength(beginning + character) > limit) break;
    beginning += character;
  }
  return beginning;
}
