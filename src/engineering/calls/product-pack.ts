// What a call about the whole product is shown, written down before it is asked: the access table decides, as for every role.
import { INPUT_MATERIAL } from "../../domain/agent/input-material.ts";
import { ContextPack } from "../../domain/artifact/context-pack.ts";
import { Material, type Situation } from "../../domain/artifact/material.ts";
import { grantFor } from "../../domain/artifact/role-access.ts";
import type { Role } from "../../domain/artifact/role.ts";
import { CupelError } from "../../domain/error.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import type { ModuleRef } from "../../domain/refs.ts";
import type { EngineeringPorts } from "../port.ts";

export interface PackIds {
  pack: string;
  at: string;
  /** Of this call. */
  runId: string;
}

export interface ProductCall {
  role: Role;
  situation: Situation;
  input: object;
  /** What it gets besides its input. */
  besides: readonly Material[];
  /** Shipped modules whose contracts it sees. */
  modules?: readonly ModuleRef[];
}

export async function keepProductPack(
  { store, fence }: Pick<EngineeringPorts, "store" | "fence">,
  ids: PackIds,
  call: ProductCall,
): Promise<void> {
  const pack = packOf(ids, call);
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

function packOf({ pack, at, runId }: PackIds, call: ProductCall): ContextPack {
  const { role, situation, input, besides } = call;
  const given = new Set<Material>(besides);
  for (const [name, value] of Object.entries(input)) {
    const material = INPUT_MATERIAL[name];
    if (material && !isEmpty(value)) given.add(material.of);
  }
  const included = [...given].flatMap((material) => {
    const access = grantFor(role, material, situation);
    if (access.kind !== "granted")
      throw new CupelError("usage", `${material} was to be shown to the ${role}`, {
        expected: "only what the access table grants",
      });
    const { permission } = access.grant;
    return refsOf(material, call).map((ref) => ({ ref, permission, reason: `granted as ${material}` }));
  });
  const excluded = Material.options.flatMap((material) => {
    const access = grantFor(role, material, situation);
    return access.kind === "refused" ? [{ ref: `${material}@1.0.0`, reason: access.reason }] : [];
  });
  const record = {
    context_pack_id: pack,
    created_for: { role, run_id: runId, task_ref: null },
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
function refsOf(material: Material, { modules = [] }: ProductCall): string[] {
  const isModules = material === "dependency_contracts" && modules.length > 0;
  return isModules ? [...modules] : [`${material}@1.0.0`];
}
