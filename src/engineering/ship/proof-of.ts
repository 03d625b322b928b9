// The proof of a module that has shipped, out of the store.
import { CupelError } from "../../domain/error.ts";
import { ProofBundle } from "../../domain/evidence/proof-bundle.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import type { StateStore } from "../../store/state-store.ts";
import { PROOF } from "./store-files.ts";

/** Every byte of it is what was sealed, or it is refused. */
export async function proofOf({ modules, payloads }: StateStore, module: string): Promise<ProofBundle> {
  const { files, sealedAt } = await modules.get(module);
  const ref = files[PROOF];
  if (sealedAt === null || ref === undefined)
    throw new CupelError("not_found", `${module} has no proof, since it has not shipped`, {
      hint: "cupel store ls modules",
    });
  const text = (await payloads.get(ref)).toString("utf8");
  return parseOrThrow(ProofBundle, JSON.parse(text), `the proof of ${module}`);
}
