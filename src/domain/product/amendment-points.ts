// Cuts what a person wants changed into points, so that each can be answered and none is lost.
import { z } from "zod";
import { Text } from "../refs.ts";

/** One thing that a person wants changed; numbered from 1. */
export const AmendmentPoint = z.strictObject({ point: z.int().min(1), text: Text });
export type AmendmentPoint = z.infer<typeof AmendmentPoint>;

/** Every entry of a list is a point, and every paragraph beside; words that only lead to a list belong to none. */
export function amendmentPoints(feedback: string): AmendmentPoint[] {
  const blocks = blocksOf(feedback);
  const said = blocks.filter(({ kind, text }, index) => {
    const next = blocks[index + 1];
    return kind === "entry" || !(/^#{1,6} /.test(text) || (text.endsWith(":") && next?.kind === "entry"));
  });
  const texts = said.length === 0 ? [feedback.trim()] : said.map(({ text }) => text);
  return texts.filter((text) => text !== "").map((text, index) => ({ point: index + 1, text }));
}

interface Block {
  kind: "entry" | "paragraph";
  text: string;
}

const ENTRY = /^\s{0,3}(?:[-*+•]|\d{1,3}[.)])\s+(\S.*)$/;

function blocksOf(feedback: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const line of feedback.split(/\r\n|[\n\r\u2028\u2029]/)) {
    const entry = ENTRY.exec(line)?.[1];
    const text = (entry ?? line).trim();
    if (text === "") open = undefined;
    else if (entry !== undefined || open === undefined || /^#{1,6} /.test(text)) {
      open = { kind: entry === undefined ? "paragraph" : "entry", text };
      blocks.push(open);
    } else open.text += `\n${text}`;
  }
  return blocks;
}
