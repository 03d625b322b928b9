// Carries out what a person decided about a specification: locked for good, begun anew, or amended.
import { parseOrThrow } from "../domain/parse.ts";
import { SpecDecision } from "../domain/people/spec-decision.ts";
import { amendmentPoints } from "../domain/product/amendment-points.ts";
import { versionOf } from "../domain/refs.ts";
import { tellOnce } from "../engineering/trail.ts";
import type { NodeContext } from "../graph/port.ts";
import type { ProductPorts } from "./port.ts";
import { advance } from "./present.ts";
import { freshRound } from "./refine.ts";
import { MOST_ITERATIONS, type ProductState, type ProductUpdate } from "./state.ts";

type Decided = Promise<{ update: ProductUpdate; goto: "begin" | "end" }>;

export async function decide(state: ProductState, ports: ProductPorts, context: NodeContext): Decided {
  const { artifact, shown } = state;
  if (artifact === null || shown === null) throw new Error("nobody was shown a specification");
  const { store, fence } = ports;
  const answer = (await store.inbox.find(artifact))?.answer;
  if (!answer) return { update: { end: { kind: "waiting", artifact } }, goto: "end" };
  const decision = parseOrThrow(SpecDecision, answer.answer, "the decision");
  const told = await carryOut(state, ports, decision, artifact, shown.ref);
  await tellOnce(ports, context, "decided", [told.event]);
  await store.inbox.markApplied(fence, artifact);
  return { update: told.update, goto: decision.action === "APPROVE" ? "end" : "begin" };
}

async function carryOut(
  state: ProductState,
  ports: ProductPorts,
  decision: SpecDecision,
  artifact: string,
  spec: string,
) {
  const { store, fence, redact } = ports;
  switch (decision.action) {
    case "APPROVE": {
      await advance(ports, artifact, "SHIPPED");
      const row = await store.artifacts.get(artifact);
      await store.product.show(fence, row, (ref) => store.payloads.get(ref));
      const update: ProductUpdate = { end: { kind: "approved", artifact } };
      return { event: { kind: "spec_approved", spec } as const, update };
    }
    case "REJECT": {
      await advance(ports, artifact, "ADJUDICATED");
      const reason = redact(decision.reasons);
      const update: ProductUpdate = {
        ...freshRound(state, ports.source.kind === "text" ? ports.source.hash : (state.source ?? "")),
        rejections: [...state.rejections, reason],
        amendments: 0,
        version: nextVersion(spec, "major"),
      };
      return { event: { kind: "spec_rejected", spec, reason } as const, update };
    }
    case "AMEND": {
      await advance(ports, artifact, "ADJUDICATED");
      const reason = redact(decision.feedback);
      const update: ProductUpdate = {
        round: state.round + 1,
        calls: 0,
        left: MOST_ITERATIONS,
        errors: [],
        points: amendmentPoints(reason),
        amendments: state.amendments + 1,
        amends: true,
        // What the person read, not what the agent may have scribbled since.
        draft: state.emitted,
        version: nextVersion(spec, "minor"),
      };
      return { event: { kind: "spec_amended", spec, reason } as const, update };
    }
  }
}

function nextVersion(ref: string, bump: "major" | "minor"): string {
  const [major = 0, minor = 0] = versionOf(ref).split(".").map(Number);
  return bump === "major" ? `${major + 1}.0.0` : `${major}.${minor + 1}.0`;
}
