// Reads back what the product loop has kept among the payloads.
import { z } from "zod";
import { parseOrThrow } from "../domain/parse.ts";
import { ProductSpec } from "../domain/product/product-spec.ts";
import { ConsultedSource } from "../domain/product/research.ts";
import type { PayloadRef } from "../domain/refs.ts";
import type { StateStore } from "../store/state-store.ts";

interface Kept {
  store: Pick<StateStore, "payloads">;
}

export async function specIn({ store }: Kept, ref: PayloadRef): Promise<ProductSpec> {
  const json: unknown = JSON.parse(String(await store.payloads.get(ref)));
  return parseOrThrow(ProductSpec, json, "the kept specification");
}

export async function consultedIn({ store }: Kept, ref: PayloadRef | null): Promise<ConsultedSource[]> {
  if (ref === null) return [];
  const json: unknown = JSON.parse(String(await store.payloads.get(ref)));
  return parseOrThrow(z.array(ConsultedSource), json, "the kept list of sources");
}
