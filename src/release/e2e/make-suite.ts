// End-to-end tests for a product whose tasks have all shipped: those that it has, or new ones; again after a crash it goes on.
import { whyStopped } from "../../graph/go-on.ts";
import type { GraphOutcome } from "../../graph/port.ts";
import { CupelError } from "../../domain/error.ts";
import { tipOf } from "../../workshop/git/refs.ts";
import { refresh } from "../../workshop/hub/hub.ts";
import { e2eGraph } from "./graph.ts";
import type { E2eOutcome, E2ePorts } from "./port.ts";
import type { E2eState } from "./state.ts";
import { acceptedSuite, suiteFiles, suitesIn } from "./suite-files.ts";
import { wholeProduct } from "./whole-product.ts";

export async function makeSuite(ports: E2ePorts): Promise<E2eOutcome> {
  const { store, graphs, hub, runId } = ports;
  const product = await wholeProduct(store, ports.rigor);
  if (product === undefined) return { kind: "not-due" };
  const thread = `${runId}/e2e/${product.key.slice(0, 12)}`;
  const found = graphs.find(thread);
  await refresh(hub);
  const files = await suiteFiles(hub.gitDir, await tipOf(hub.gitDir, hub.branch));
  const standing = await acceptedSuite(store, product.key, files);
  const isUnderWay = found !== undefined && found.status !== "finished";
  if (standing !== undefined && !isUnderWay) return { kind: "accepted", suite: standing };
  const work = { thread, ports: { ports, product } };
  const outcome =
    found === undefined
      ? await graphs.run(e2eGraph, { ...work, runId })
      : isUnderWay
        ? await graphs.resume(e2eGraph, work)
        : await graphs.enter(e2eGraph, { ...work, at: "start" });
  return told(ports, outcome);
}

async function told({ store }: E2ePorts, outcome: GraphOutcome<E2eState>): Promise<E2eOutcome> {
  if (outcome.kind !== "finished") {
    const cause = outcome.kind === "failed" ? outcome.cause : undefined;
    // What is wrong with the machine is no matter of the tests.
    if (cause instanceof CupelError && cause.code !== "call_interrupted") throw cause;
    const hint = cause instanceof CupelError && cause.hint !== undefined ? ` (${cause.hint})` : "";
    return {
      kind: "stopped",
      why: `${cause instanceof CupelError ? cause.message : whyStopped(outcome)}${hint}`,
    };
  }
  const { end } = outcome.state;
  if (end === null) throw new Error("the making of end-to-end tests ended without an outcome");
  if (end.kind === "halted") return end;
  const suite = (await suitesIn(store)).find(({ suite_id }) => suite_id === end.suite);
  if (suite === undefined) throw new Error(`${end.suite} was accepted and is not kept`);
  return { kind: "accepted", suite };
}
