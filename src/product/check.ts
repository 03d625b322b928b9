// Whether what was handed over may be shown to a person: complete, and every point of theirs dealt with.
import { answerProblems } from "../domain/agent/product-roles.ts";
import { renderProblem } from "../domain/parse.ts";
import { validateSpec } from "../domain/product/spec-criteria.ts";
import { type SpecChange, specDifference } from "../domain/product/spec-difference.ts";
import type { Deficiency } from "../domain/product/validation-report.ts";
import type { ProductPorts } from "./port.ts";
import { specIn } from "./records.ts";
import { MOST_ITERATIONS, type ProductState, type ProductUpdate } from "./state.ts";

export async function check(
  state: ProductState,
  ports: ProductPorts,
): Promise<{ update: ProductUpdate; goto: "refine" | "present" | "end" }> {
  const errors = [...state.errors, ...(await faultsOf(state, ports))];
  if (errors.length === 0) return { update: { errors }, goto: "present" };
  if (state.left > 0) return { update: { errors }, goto: "refine" };
  const why = [`after ${MOST_ITERATIONS} iterations the specification is not complete:`, ...errors].join(
    "\n  ",
  );
  const next =
    "say more in SPEC.md and run the same command again to begin anew, or only run it again to go on from the last draft";
  return { update: { errors, end: { kind: "stopped", why, next } }, goto: "end" };
}

async function faultsOf(state: ProductState, ports: ProductPorts): Promise<string[]> {
  const { emitted, said, points, author } = state;
  // A person who hands over a specification says nothing else, and answers no points.
  if (author === null && emitted !== null) return [];
  if (emitted === null) return notHandedOver(state, ports);
  const { errors } = validateSpec(JSON.parse(String(await ports.store.payloads.get(emitted))));
  if (errors.length > 0) return errorLines(errors);
  if (said === null) return [];
  return [
    ...answerProblems(points, said.answers).map(renderProblem),
    ...(points.length === 0 ? [] : unfoundedAnswers(state, await amendedBy(state, ports))),
  ];
}

async function notHandedOver({ draft }: ProductState, { store }: ProductPorts): Promise<string[]> {
  const missing = "The specification was not handed over: call emit_structured_spec with the whole of it.";
  if (draft === null) return [missing, "There is no /draft.json either."];
  try {
    const { errors } = validateSpec(JSON.parse(String(await store.payloads.get(draft))));
    return [missing, ...errorLines(errors)];
  } catch {
    return [missing, "/draft.json is not JSON."];
  }
}

/** What differs from the draft that was shown last. */
export async function amendedBy(
  { emitted, shown, amends }: ProductState,
  ports: Pick<ProductPorts, "store">,
): Promise<SpecChange[]> {
  if (emitted === null || shown === null || !amends) return [];
  return specDifference(await specIn(ports, shown.spec), await specIn(ports, emitted));
}

/** What an agent says it changed must differ, and somebody who asked for changes must get at least one. */
function unfoundedAnswers({ said }: ProductState, difference: readonly SpecChange[]): string[] {
  if (difference.length === 0)
    return ["Nothing differs from the draft that the person wants changed: deal with their points."];
  const changed = new Set(difference.map(({ id }) => id));
  return (said?.answers ?? []).flatMap((answer) =>
    answer.changed
      .filter((id) => !changed.has(id))
      .map(
        (id) =>
          `Your answer to point ${answer.point} says that ${JSON.stringify(id)} was changed; it was not.`,
      ),
  );
}

const MOST_LINES = 100;

export function errorLines(errors: readonly Deficiency[]): string[] {
  const lines = errors
    .slice(0, MOST_LINES)
    .map(({ severity, path, message }) => `${severity} ${path}: ${message}`);
  return errors.length > MOST_LINES ? [...lines, `and ${errors.length - MOST_LINES} more`] : lines;
}
