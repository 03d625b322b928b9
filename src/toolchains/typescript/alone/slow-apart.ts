// Calls that may take long through no fault of the code: whoever counts up to a large number cannot be told from whoever
// never ends. They come last, where only promises are weighed, if there are others to judge an end by.
import type { Sent } from "../differ/episode.ts";

const LARGE = 100_000;
const ENOUGH = 30;

export function slowApart(calls: readonly Sent[][]): { near: readonly Sent[][]; slow: readonly Sent[][] } {
  const near = calls.filter((args) => !args.some(isLarge));
  return near.length < ENOUGH
    ? { near: calls, slow: [] }
    : { near, slow: calls.filter((each) => !near.includes(each)) };
}

function isLarge(sent: Sent): boolean {
  if (typeof sent === "number") return Math.abs(sent) > LARGE;
  if (typeof sent !== "object" || sent === null) return false;
  if (sent.kind === "bigint") return sent.text.length > String(LARGE).length;
  if (sent.kind === "list" || sent.kind === "set") return sent.of.some(isLarge);
  if (sent.kind === "object" || sent.kind === "map") return sent.of.flat().some(isLarge);
  return false;
}
