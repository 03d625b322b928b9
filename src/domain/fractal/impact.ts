// What a merge changes for others, seen from the surfaces before and after and from what the suites before still say.
import { squeeze } from "../contract/fingerprint.ts";
import { type ChangeEntry, impactOf, type MergeEvent } from "../run/merge-event.ts";

/** Exports of one node by name, each with its signature. */
export type Surface = Readonly<Record<string, string>>;

export interface Merging {
  author: string;
  before: Surface;
  after: Surface;
  /** Tests that held before and do not hold after, with what they are about; a surface alone shows no behaviour. */
  broken: readonly { test: string; symbol: string }[];
}

/** The impact follows from the changes, so nobody can call a break trivial. */
export function mergeEventOf({ author, before, after, broken }: Merging): MergeEvent {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  const changes = names.flatMap((symbol): ChangeEntry[] => {
    const from = before[symbol];
    const to = after[symbol];
    if (from === undefined && to !== undefined)
      return [{ symbol, changeType: "NewExport", to, reason: `${author} offers it now` }];
    if (to === undefined && from !== undefined)
      return [{ symbol, changeType: "RemovedExport", from, reason: `${author} offers it no more` }];
    if (from !== undefined && to !== undefined && squeeze(from) !== squeeze(to))
      return [{ symbol, changeType: "SignatureChange", from, to, reason: `${author} changed its signature` }];
    return behaviourChange(symbol, broken);
  });
  return { author, impactLevel: impactOf(changes), changes };
}

function behaviourChange(symbol: string, broken: Merging["broken"]): ChangeEntry[] {
  const tests = broken.filter((each) => each.symbol === symbol).map(({ test }) => test);
  if (tests.length === 0) return [];
  return [{ symbol, changeType: "BehaviorChange", reason: `no longer holds: ${tests.join("; ")}` }];
}

/** What a node calls of others: `node.export`, each with the signature it was built against. */
export type Consumed = Readonly<Record<string, string>>;

export type RebaseKind =
  /** Nothing that it uses has moved: the harness rebases it and runs its suite. */
  | { kind: "quiet" }
  /** These moved under it, so somebody must look. */
  | { kind: "wakes"; symbols: string[] };

/** Whether a merge reaches into a node: only what it consumes can, and new exports cannot. */
export function rebaseKind({ author, changes }: MergeEvent, consumed: Consumed): RebaseKind {
  const symbols = changes
    .filter(
      ({ changeType, symbol }) =>
        changeType !== "NewExport" && Object.hasOwn(consumed, `${author}.${symbol}`),
    )
    .map(({ symbol }) => `${author}.${symbol}`);
  return symbols.length === 0 ? { kind: "quiet" } : { kind: "wakes", symbols };
}
