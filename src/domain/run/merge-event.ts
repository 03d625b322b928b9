// What a merged piece of work changed for its siblings, and how hard it hits them: derived from the changes, never claimed.
import { z } from "zod";
import { refuse } from "../parse.ts";
import { Text } from "../refs.ts";

/** From the least to the most. */
export const ImpactLevel = z.enum(["Trivial", "Additive", "Breaking"]);
export type ImpactLevel = z.infer<typeof ImpactLevel>;

export const ChangeType = z.enum(["SignatureChange", "NewExport", "RemovedExport", "BehaviorChange"]);
export type ChangeType = z.infer<typeof ChangeType>;

export const ChangeEntry = z
  .strictObject({
    symbol: Text,
    changeType: ChangeType,
    /** What it was and what it is, where there was or is something. */
    from: Text.optional(),
    to: Text.optional(),
    reason: Text,
  })
  .superRefine(({ changeType, from, to }, context) => {
    if (changeType === "NewExport" && from !== undefined) {
      refuse(context, ["from"], "nothing, because a NewExport was not there before", `"${from}"`);
    }
    if (changeType === "RemovedExport" && to !== undefined) {
      refuse(context, ["to"], "nothing, because a RemovedExport is gone", `"${to}"`);
    }
    if (changeType === "SignatureChange" && from !== undefined && from === to) {
      refuse(context, ["to"], "another signature than before", `"${to}" again`);
    }
  });
export type ChangeEntry = z.infer<typeof ChangeEntry>;

/** Broadcast to the siblings, who then rebase. No changes means that nothing visible moved. */
export const MergeEvent = z
  .strictObject({
    /** The node whose work was merged. */
    author: Text,
    impactLevel: ImpactLevel,
    changes: z.array(ChangeEntry),
  })
  .superRefine(({ impactLevel, changes }, context) => {
    const derived = impactOf(changes);
    if (impactLevel !== derived) {
      refuse(context, ["impactLevel"], `${derived}, as the changes show`, impactLevel);
    }
    const seen = new Map<string, number>();
    changes.forEach(({ symbol, changeType }, index) => {
      const key = `${changeType} ${symbol}`;
      const first = seen.get(key);
      if (first === undefined) seen.set(key, index);
      else
        refuse(context, ["changes", index], `a change that changes[${first}] does not hold`, `${key} again`);
    });
  });
export type MergeEvent = z.infer<typeof MergeEvent>;

export function impactOf(changes: readonly Pick<ChangeEntry, "changeType">[]): ImpactLevel {
  if (changes.some(({ changeType }) => changeType !== "NewExport")) return "Breaking";
  return changes.length > 0 ? "Additive" : "Trivial";
}
