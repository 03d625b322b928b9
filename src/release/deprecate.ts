// Gives up a version of a module: said in the Code Index for ever, told in the journal, with all that stands on it.
import { CupelError } from "../domain/error.ts";
import { parseOrThrow } from "../domain/parse.ts";
import type { CodeIndexEntry } from "../domain/plan/reuse.ts";
import { ModuleRef, Text } from "../domain/refs.ts";
import type { CodeIndex } from "../code-index/port.ts";
import { everyEvent } from "../store/every-event.ts";
import type { Fence } from "../store/port.ts";
import type { StateStore } from "../store/state-store.ts";

export interface DeprecationPorts {
  index: Pick<CodeIndex, "get" | "setStatus" | "dependents">;
  store: Pick<StateStore, "journal">;
  fence: Fence;
  runId: string;
  now: () => Date;
}

export interface DeprecationOrder {
  module: string;
  reason: string;
  /** The version to use instead. */
  replacement?: string;
}

export interface Deprecation {
  module: string;
  status: CodeIndexEntry["status"];
  replacement: string | null;
  /** Whatever builds on it, the nearest first; a release with any of them is refused until they have moved on. */
  downstream: { module: string; status: CodeIndexEntry["status"]; directly: boolean }[];
  /** It was deprecated before, and nothing has changed. */
  again: boolean;
}

export async function deprecate(ports: DeprecationPorts, order: DeprecationOrder): Promise<Deprecation> {
  const { index, fence } = ports;
  const module = parseOrThrow(ModuleRef, order.module, "the module");
  const reason = parseOrThrow(Text, order.reason, "the reason");
  const replacement = order.replacement;
  if (replacement === module)
    throw new CupelError("usage", `${module} cannot take its own place`, { expected: "another version" });
  const changed = await index.setStatus(fence, module, {
    to: "DEPRECATED",
    note: reason,
    ...(replacement === undefined ? {} : { successor: replacement }),
  });
  const downstream = await downstreamOf(index, module);
  await tell(ports, { module, reason, replacement: replacement ?? null, downstream });
  const status = (await index.get(module))?.status ?? "DEPRECATED";
  return { module, status, replacement: replacement ?? null, downstream, again: !changed };
}

/** Over any number of steps; whoever was seen is not looked at again. */
async function downstreamOf(
  index: DeprecationPorts["index"],
  module: string,
): Promise<Deprecation["downstream"]> {
  const found: Deprecation["downstream"] = [];
  const seen = new Set([module]);
  const queue = [module];
  for (const ref of queue) {
    for (const { module_id, version, status } of await index.dependents(ref)) {
      const dependent = `${module_id}@${version}`;
      if (seen.has(dependent)) continue;
      seen.add(dependent);
      queue.push(dependent);
      found.push({ module: dependent, status, directly: ref === module });
    }
  }
  return found;
}

/** Once, also when a crash came between the index and the journal. */
async function tell(
  { store, fence, runId, now }: DeprecationPorts,
  { module, reason, replacement, downstream }: Omit<Deprecation, "status" | "again"> & { reason: string },
): Promise<void> {
  for await (const event of everyEvent(store.journal))
    if (event.kind === "module_deprecated" && event.module === module) return;
  const refs = downstream.map((each) => each.module);
  const at = now().toISOString();
  await store.journal.append(fence, [
    { kind: "module_deprecated", at, runId, module, reason, replacement, downstream: refs },
  ]);
}
