// The first phase of a run: the specification that the project is made of, or the one that a person approves.
import { castRole } from "../agents/cast-role.ts";
import { productResearcher } from "../agents/roles/product-researcher.ts";
import type { ProductSpec } from "../domain/product/product-spec.ts";
import { approvedSpec } from "./approved-spec.ts";
import { refineProduct, sourceOf } from "./product.ts";
import type { Phases, RunContext, RunStop } from "./run-phases.ts";

export interface ProductPhase {
  /** In place of SPEC.md: a text, or a finished specification as JSON. */
  specFile?: string;
  /** That specification, where it is finished: whoever hands it over and agrees to the run has approved it. */
  finished?: ProductSpec;
  /** The person who types, and whether they said beforehand that whatever is complete is approved. */
  person: string;
  approvesAll: boolean;
  /** Whether this may begin; asked once, with the specification as far as there is one. */
  consent: (context: RunContext, spec: ProductSpec | undefined) => Promise<RunStop | undefined>;
}

export function productPhase({
  specFile,
  finished,
  person,
  approvesAll,
  consent,
}: ProductPhase): Phases["product"] {
  return async (context) => {
    const { works } = context;
    const approved = await approvedSpec(works.store);
    const begun = (await works.store.project.head()) !== undefined;
    if (begun && approved !== undefined) return { kind: "approved", spec: approved };
    // What is wrong with the file is said before anybody agrees to anything.
    if (approved === undefined) await sourceOf(works, specFile);
    if (finished === undefined && approved === undefined) await assertResearcher(context);
    const stop = await consent(context, finished ?? approved);
    if (stop !== undefined) return stop;
    const outcome = await refineProduct(works, {
      ...(specFile === undefined ? {} : { specFile }),
      ...(approvesAll || finished !== undefined ? { approveAs: person } : {}),
    });
    switch (outcome.kind) {
      case "approved":
        return { kind: "approved", spec: outcome.spec };
      case "waiting":
        return { kind: "waiting", why: outcome.question.title, command: `cupel show ${outcome.question.id}` };
      case "stopped":
        return context.signal.aborted
          ? { kind: "stopped", why: outcome.why }
          : { kind: "waiting", why: outcome.why, command: outcome.next };
    }
  };
}

/** Nobody is asked whether to begin what cannot; where a draft waits for a person, no agent is needed yet. */
async function assertResearcher({ works }: RunContext): Promise<void> {
  if ((await works.store.inbox.open()).length === 0) castRole(works.config, productResearcher);
}
