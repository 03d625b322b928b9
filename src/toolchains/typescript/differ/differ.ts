// Looks for one input on which two implementations of a contract differ, and makes it small. Each runs alone in the sandbox
// of its own site; what came of it is compared out here, so neither can know or change what the other does.
import ts from "typescript6";
import type { MicroModuleContract } from "../../../domain/contract/contract.ts";
import type { Difference, Edits, Site } from "../../port.ts";
import { sourcesOf } from "../module-files.ts";
import type { Builds } from "../one-script.ts";
import { literalsOf } from "../mutation/parameter-shapes.ts";
import type { Taste } from "./arbitraries.ts";
import { firstDifference, type Pair } from "./compare.ts";
import type { Episode } from "./episode.ts";
import { playerOn } from "./run-episodes.ts";
import { breaks } from "./breaks.ts";
import { type Input, smallest } from "./shrink.ts";
import { type Use, usesOf } from "./uses.ts";

const MOST_HINTS = 200;

export interface DifferGround {
  /** Edits that turn it into stubs: whoever cannot tell it from those has not looked. */
  stubs: (site: Site) => Promise<Edits>;
  buildsFor: (site: Site) => Builds | undefined;
}

export async function differ(
  left: Site,
  right: Site,
  contract: MicroModuleContract,
  ground: DifferGround,
  signal: AbortSignal,
): Promise<Difference> {
  const sources = { ...sourcesOf(right), ...sourcesOf(left) };
  const { uses, unusable } = usesOf(contract, sources);
  if (uses.length === 0) return impossible(unusable.join("; ") || "the contract has no entry point");
  const [one, other] = [
    await playerOn(left, ground.buildsFor(left)),
    await playerOn(right, ground.buildsFor(right)),
  ];
  if (one.kind === "impossible") return one;
  if (other.kind === "impossible") return other;
  const pair: Pair = { left: one, right: other, signal };
  const tried: Tried = new Map(uses.map((use) => [use, new Map<string, Episode>()]));
  const looked = await search(pair, tried, hintsOf([left, right]));
  if (looked.kind === "differ") {
    const { input } = looked;
    const [ofLeft, ofRight] = await Promise.all([
      breaks(left, contract, input, signal),
      breaks(right, contract, input, signal),
    ]);
    return { kind: "differ", ...input, breaks: { left: ofLeft, right: ofRight } };
  }
  const doubts = [
    ...unusable,
    ...looked.unsteady.map(({ entries }) => `${entries.join(", ")} does not always do the same`),
    ...(await untold(pair, left, tried, ground)),
  ];
  if (doubts.length > 0) return impossible(doubts.join("; "));
  return { kind: "same", tried: [...tried.values()].reduce((sum, { size }) => sum + size, 0) };
}

/** What was compared, for each use by its key. */
type Tried = Map<Use, Map<string, Episode>>;

/** Ordinary inputs first: a difference that nobody meets is worth less. */
async function search(
  pair: Pair,
  tried: Tried,
  hints: Pick<Taste, "numbers" | "strings">,
): Promise<{ kind: "differ"; input: Input } | { kind: "none"; unsteady: Use[] }> {
  const unsteady = new Set<Use>();
  for (const kind of ["ordinary", "odd"] as const) {
    for (const [use, before] of tried) {
      if (unsteady.has(use)) continue;
      const found = await firstDifference(pair, use, { ...hints, kind }, before);
      if (found === undefined) continue;
      if (found !== "unsteady") return { kind: "differ", input: await smallest(pair, use, found, kind) };
      unsteady.add(use);
    }
  }
  return { kind: "none", unsteady: [...unsteady] };
}

function impossible(why: string): Difference {
  return { kind: "impossible", why };
}

/** What only one of them asks for comes first: there they part. */
function hintsOf(sites: readonly Site[]): Pick<Taste, "numbers" | "strings"> {
  const [one, other] = sites.map((site) =>
    literalsOf(
      Object.entries(sourcesOf(site)).map(([path, text]) =>
        ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
      ),
    ),
  );
  return { numbers: apart(one?.numbers, other?.numbers), strings: apart(one?.strings, other?.strings) };
}

function apart<T>(some: readonly T[] = [], others: readonly T[] = []): T[] {
  const only = [
    ...some.filter((each) => !others.includes(each)),
    ...others.filter((each) => !some.includes(each)),
  ];
  return [...new Set([...only, ...some])].slice(0, MOST_HINTS);
}

/** Uses whose inputs do not even tell the left one from stubs: silence about them proves nothing. */
async function untold(
  { left, signal }: Pair,
  site: Site,
  tried: Tried,
  ground: DifferGround,
): Promise<string[]> {
  const spoiled = await site.fork(await ground.stubs(site));
  try {
    const player = await playerOn(spoiled, ground.buildsFor(site));
    if (player.kind === "impossible") return [`its stubs cannot be run: ${player.why}`];
    const doubts: string[] = [];
    for (const [{ entries }, played] of tried) {
      const episodes = [...played.values()].slice(0, MOST_TOLD);
      const [real, stubbed] = await Promise.all([left.play(episodes, signal), player.play(episodes, signal)]);
      if (!real.some((each, at) => each !== undefined && each !== stubbed[at]))
        doubts.push(`no input told ${entries.join(", ")} from a stub`);
    }
    return doubts;
  } finally {
    await spoiled.remove();
  }
}

const MOST_TOLD = 300;
