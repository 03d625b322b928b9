// What the researcher is shown, written down before it is asked: the access table decides, as for every role.
import { INPUT_MATERIAL } from "../domain/agent/input-material.ts";
import type { ProductResearcherInput } from "../domain/agent/product-roles.ts";
import { ContextPack } from "../domain/artifact/context-pack.ts";
import { Material } from "../domain/artifact/material.ts";
import { grantFor } from "../domain/artifact/role-access.ts";
import { CupelError } from "../domain/error.ts";
import { parseOrThrow } from "../domain/parse.ts";
import type { ProductPorts } from "./port.ts";

const ROLE = "product_researcher";

export interface PackIds {
  pack: string;
  at: string;
  /** Of this call. */
  runId: string;
}

export async function keepPack(
  { store, fence }: ProductPorts,
  ids: PackIds,
  input: ProductResearcherInput,
): Promise<void> {
  const pack = packOf(ids, input);
  await store.artifacts.create(fence, {
    id: ids.pack,
    type: "CONTEXT_PACK",
    pillar: "product",
    createdBy: { role: "harness", run_id: ids.runId },
    contextPackRef: null,
    body: { "context_pack.json": JSON.stringify(pack) },
  });
  await store.documents.write(fence, "context_packs", `${ids.pack}.json`, pack);
}

function packOf({ pack, at, runId }: PackIds, input: ProductResearcherInput): ContextPack {
  const given = new Set<Material>(["workspace", "code_index_results"]);
  for (const [name, value] of Object.entries(input)) {
    const material = INPUT_MATERIAL[name];
    if (material && !isEmpty(value)) given.add(material.of);
  }
  const included = [...given].map((material) => {
    const access = grantFor(ROLE, material);
    if (access.kind === "granted")
      return { ref: refOf(material), permission: access.grant.permission, reason: `granted as ${material}` };
    throw new CupelError("usage", `${material} was to be shown to the ${ROLE}`, {
      expected: "only what the access table grants",
    });
  });
  const excluded = Material.options.flatMap((material) => {
    const access = grantFor(ROLE, material);
    return access.kind === "refused" ? [{ ref: refOf(material), reason: access.reason }] : [];
  });
  const record = {
    context_pack_id: pack,
    created_for: { role: ROLE, run_id: runId, task_ref: null },
    included_refs: included,
    excluded_refs: excluded,
    default_permission: "CONTRACT_ONLY",
    created_at: at,
  };
  return parseOrThrow(ContextPack, record, "the context pack");
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(Object(value)).length === 0);
}

/** What exists only in the prompt goes by its own name. */
function refOf(material: Material): string {
  return `${material}@1.0.0`;
}
