// The specification that a run works from: the one that the project is made of, a file that a person gives, or the newest
// one that was approved.
import { CupelError } from "../domain/error.ts";
import type { ProductSpec } from "../domain/product/product-spec.ts";
import { moduleIdOf } from "../domain/refs.ts";
import { readSpecFile } from "../product/source.ts";
import { completeSpec } from "../project/plan-project.ts";
import { everyEvent } from "../store/every-event.ts";
import type { StateStore } from "../store/state-store.ts";

export async function approvedSpec(store: StateStore): Promise<ProductSpec | undefined> {
  const head = await store.project.head();
  if (head !== undefined) return read(String(await store.payloads.get(head.specRef)), "the specification");
  const ref = await lastApproved(store);
  if (ref === undefined) return undefined;
  return read(String(await store.artifacts.readBody(moduleIdOf(ref), "spec.json")), ref);
}

/** A finished ProductSpec as JSON. */
export async function specFile(path: string): Promise<ProductSpec> {
  return completeSpec(await readSpecFile(path));
}

function read(text: string, what: string): ProductSpec {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (cause) {
    throw new CupelError("invalid_input", `${what} is not JSON: ${String(cause)}`, {
      expected: "a finished ProductSpec",
      hint: "cupel schema ProductSpec (shows its form)",
    });
  }
  return completeSpec(given);
}

/** Only asked before there are tasks, when the journal is short. */
async function lastApproved({ journal }: StateStore): Promise<string | undefined> {
  let found: string | undefined;
  for await (const event of everyEvent(journal)) if (event.kind === "spec_approved") found = event.spec;
  return found;
}
