// What was looked up for a specification, as the harness saw it; what an agent says about its sources is not asked.
import { z } from "zod";
import type { SpecDraft } from "./product-spec.ts";

/** One search: what was asked, and where the answers came from or why there were none. */
export const ConsultedSource = z.strictObject({
  query: z.string(),
  urls: z.array(z.string()),
  /** Null where the search worked. */
  unavailable: z.string().nullable(),
});
export type ConsultedSource = z.infer<typeof ConsultedSource>;

const ADDRESS = /https?:\/\/[^\s<>"'`)\]}|\\]+/gi;
const MOST_TOLD = 50;

/** Addresses that a specification names although no search gave them and no person wrote them. */
export function unseenAddresses(
  spec: SpecDraft,
  sources: readonly ConsultedSource[],
  writtenByPeople: readonly string[],
): string[] {
  const seen = new Set(
    [...sources.flatMap(({ urls }) => urls), ...writtenByPeople.flatMap(addressesIn)].map(plain),
  );
  const named = addressesIn(JSON.stringify(spec)).filter((address) => !seen.has(plain(address)));
  return [...new Set(named)].slice(0, MOST_TOLD);
}

function addressesIn(text: string): string[] {
  return [...text.matchAll(ADDRESS)].map(([address]) => address.replace(/[.,;:!?]+$/, ""));
}

/** The same page however it is spelled. */
function plain(address: string): string {
  return address
    .replace(/#.*$/, "")
    .replace(/[.,;:!?/]+$/, "")
    .replace(/^https?:\/\/(www\.)?/i, "")
    .toLowerCase();
}
