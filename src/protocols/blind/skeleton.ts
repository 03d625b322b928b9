// Lays out the stubs and looks at them on disk: every function that was specified is there, none is undeclared, all are
// stubs. The word of whoever designed them counts for nothing.
import type { Claim } from "../../domain/evidence/claim.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts } from "../port.ts";
import { openFindings } from "../open-findings.ts";
import { present } from "../present.ts";
import type { BlindState, BlindUpdate } from "./state.ts";

export async function scaffold(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: BlindUpdate }> {
  const contract = present(state.contract, "contract");
  return { update: { skeleton: await ports.scaffold(context, contract), skeletonFindings: [] } };
}

export async function checkSkeleton(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: BlindUpdate }> {
  const contract = present(state.contract, "contract");
  const commit = present(state.skeleton, "skeleton");
  const seen = await ports.examine(
    context,
    { contract, commit, grounds: { claims: skeletonClaims(state), skeleton: commit } },
    { gates: ["claims"] },
  );
  return { update: { skeletonFindings: openFindings(seen, ["claims"]) } };
}

function skeletonClaims({ functions }: Pick<BlindState, "functions">): Claim[] {
  const names = functions.map(({ name }) => name);
  return [
    { kind: "complete", functions: names },
    ...names.map((name) => ({ kind: "stub" as const, function: name })),
  ];
}
