// One iteration: the researcher is asked once, with its files and its six tools; what it left behind is kept before the
// loop goes on, so that a crash never asks it twice for what it has answered.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { productResearcher } from "../agents/roles/product-researcher.ts";
import { searchCodeIndexTool } from "../agents/tools/code-index-tool.ts";
import { fileTools } from "../agents/tools/file-tools.ts";
import { webSearchTool } from "../agents/tools/web-search.ts";
import type { ProductResearcherInput } from "../domain/agent/product-roles.ts";
import { RoleCallOutcome } from "../domain/agent/role-call-outcome.ts";
import { artifactId, idOfType } from "../domain/artifact/artifact-type.ts";
import type { ConsultedSource } from "../domain/product/research.ts";
import { IsoTime, PayloadRef, Text } from "../domain/refs.ts";
import { jsonSchemaOf, SCHEMAS } from "../domain/schemas.ts";
import { grantedTools } from "../engineering/calls/granted-tools.ts";
import { endedByItself } from "../engineering/calls/interrupted.ts";
import { keepProductPack } from "../engineering/calls/product-pack.ts";
import type { NodeContext } from "../graph/port.ts";
import type { ProductPorts } from "./port.ts";
import { consultedIn } from "./records.ts";
import { specTools } from "./spec-tools.ts";
import type { ProductState } from "./state.ts";
import { draftIn, openWorkspace, type Workspace } from "./workspace.ts";

/** The ids of one iteration, made before anything is done under them. */
const Ids = z.strictObject({
  pack: idOfType("CONTEXT_PACK"),
  spec: idOfType("PRODUCT_SPEC"),
  at: IsoTime,
  /** Of this call; it stays the same when another run goes on with it. */
  runId: Text,
});
type Ids = z.infer<typeof Ids>;

const Iteration = z.strictObject({
  outcome: RoleCallOutcome,
  draft: PayloadRef.nullable(),
  emitted: PayloadRef.nullable(),
  research: PayloadRef,
});

export type Iterated = z.infer<typeof Iteration> & { ids: Ids };

export async function askResearcher(
  ports: ProductPorts,
  context: NodeContext,
  state: ProductState,
  specMd: string,
): Promise<Iterated> {
  const ids = await context.once("ids", Ids, async () => newIds(ports));
  const iteration = await context.once("iteration", Iteration, async () => {
    const place = await openWorkspace(ports, state.round, specMd, state.draft);
    const input = inputOf(state, place, specMd);
    await keepProductPack(ports, ids, {
      role: productResearcher.name,
      situation: {},
      input,
      besides: ["workspace", "code_index_results"],
    });
    return iterate(ports, context, state, ids, place, input);
  });
  return { ...iteration, ids };
}

function newIds({ now, runId }: ProductPorts): Ids {
  const pack = artifactId("CONTEXT_PACK", randomUUID());
  const spec = artifactId("PRODUCT_SPEC", randomUUID());
  return { pack, spec, at: now().toISOString(), runId: `${runId}/${pack}` };
}

async function iterate(
  ports: ProductPorts,
  context: NodeContext,
  { round, calls, version, createdAt, research }: ProductState,
  ids: Ids,
  { directory, files }: Workspace,
  input: ProductResearcherInput,
): Promise<z.infer<typeof Iteration>> {
  const { store, redact } = ports;
  const consulted: ConsultedSource[] = [...(await consultedIn(ports, research))];
  const stamp = { artifact: ids.spec, version, createdAt: createdAt ?? ids.at, updatedAt: ids.at };
  const spec = specTools(ports, files, stamp);
  const tools = [
    ...fileTools(files),
    webSearchTool(ports.search, (source) => consulted.push(source)),
    searchCodeIndexTool(ports.searchCodeIndex),
    ...spec.tools,
  ];
  const asked = await ports.ask(productResearcher, {
    input,
    // Scripts and recordings tell calls apart by it.
    key: { task: null, module: null, node: round === 1 ? "refine" : `refine@${round}`, attempt: calls + 1 },
    tools: grantedTools(productResearcher, {}, tools),
    workspace: directory,
    signal: context.signal,
  });
  context.spent({ usage: asked.usage, costUsd: asked.costUsd });
  const outcome = endedByItself(context, productResearcher.name, asked);
  const draft = await draftIn(files);
  return {
    outcome: redact(outcome),
    draft: draft === undefined ? null : await store.payloads.put(redact(draft)),
    emitted: spec.emitted(),
    research: await store.payloads.put(JSON.stringify(redact(consulted))),
  };
}

function inputOf(
  { errors, points }: ProductState,
  { documents, hasDraft }: Workspace,
  specMd: string,
): ProductResearcherInput {
  return {
    spec_md: specMd,
    spec_errors: errors,
    person_feedback: points,
    has_draft: hasDraft,
    documents,
    harness_schemas: SCHEMA_TOLD,
  };
}

const SCHEMA_TOLD = z
  .record(z.string(), z.json())
  .parse(JSON.parse(JSON.stringify({ ProductSpec: schemaOf("ProductSpec") })));

function schemaOf(name: string): unknown {
  const schema = SCHEMAS.get(name);
  return schema === undefined ? {} : jsonSchemaOf(name, schema);
}
