// What modules of a tree offer and use in a commit, and what a merge therefore changes for others: all of it read from the
// code by the compiler and from suites that ran, none of it claimed.
import { CupelError } from "../../domain/error.ts";
import { type Consumed, mergeEventOf, type Surface } from "../../domain/fractal/impact.ts";
import type { MergeEvent } from "../../domain/run/merge-event.ts";
import type { Toolchain } from "../../toolchains/port.ts";
import { comesFrom } from "../../domain/evidence/test-title.ts";
import type { Draft } from "./draft-content.ts";
import type { AtSite } from "./draft-site.ts";
import type { Drafts } from "./drafts.ts";
import type { Suites } from "./suites.ts";

export interface SurfacePorts {
  drafts: Drafts;
  toolchain: Pick<Toolchain, "surface" | "moduleUses" | "groundTruth">;
}

/** Exports by name, each with its signature; none where the commit holds no such module. */
export async function surfaceAt(
  { drafts, toolchain }: SurfacePorts,
  draft: Draft,
  commit: string,
): Promise<Surface> {
  if ((await drafts.keyOf(draft, commit)) === undefined) return {};
  const { entries } = await inSite(drafts, { draft, commit }, (site) => toolchain.surface(site));
  return Object.fromEntries(entries.map(({ name, signature }) => [name, signature]));
}

/**
 * What a module uses of other drafts: `folder.export`, each with the signature that it has in this commit. A type that is
 * named in a signature is used by whoever uses that.
 */
export async function consumedAt(
  { drafts, toolchain }: SurfacePorts,
  draft: Draft,
  commit: string,
): Promise<Consumed> {
  const uses = await inSite(drafts, { draft, commit }, (site) => toolchain.moduleUses(site));
  const direct = (await drafts.below(draft, commit)).filter(({ ref }) => draft.dependencies.includes(ref));
  const consumed: Record<string, string> = {};
  for (const other of direct) {
    const names = uses.filter(({ module }) => module === other.folder).map(({ name }) => name);
    if (names.length === 0) continue;
    const surface = await surfaceAt({ drafts, toolchain }, other, commit);
    for (const name of withNamed(surface, names)) consumed[`${other.folder}.${name}`] = surface[name] ?? "";
  }
  return consumed;
}

function withNamed(surface: Surface, names: readonly string[]): Set<string> {
  const all = new Set(names.includes("*") ? [...names, ...Object.keys(surface)] : names);
  all.delete("*");
  for (const name of all)
    for (const [word] of (surface[name] ?? "").matchAll(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu))
      if (Object.hasOwn(surface, word)) all.add(word);
  return all;
}

export interface Merged {
  author: Draft;
  /** Its parent's branch without and with it. */
  before: string;
  after: string;
}

/** Tests that held before and do not hold after, of the module's own earlier suite, tell what no surface shows. */
export async function mergeEventAt(
  ports: SurfacePorts & { suites: Suites },
  { author, before, after }: Merged,
): Promise<MergeEvent> {
  const surfaces = await Promise.all([surfaceAt(ports, author, before), surfaceAt(ports, author, after)]);
  const [was, is] = surfaces;
  const broken = await brokenTests(ports, { author, before, after }, Object.keys(was));
  return mergeEventOf({ author: author.folder, before: was, after: is, broken });
}

async function brokenTests(
  { drafts, toolchain, suites }: SurfacePorts & { suites: Suites },
  { author, before, after }: Merged,
  exports: readonly string[],
): Promise<{ test: string; symbol: string }[]> {
  const [was, is] = await Promise.all([drafts.keyOf(author, before), drafts.keyOf(author, after)]);
  if (was === undefined || is === undefined || was === is) return [];
  const held = (await suites.run(author, before)).passed;
  if (held.length === 0) return [];
  const still = new Set((await suites.run(author, after, before)).passed);
  const lost = held.filter((test) => !still.has(test));
  if (lost.length === 0) return [];
  const truth = await inSite(drafts, { draft: author, commit: before }, (site) =>
    toolchain.groundTruth(site),
  );
  return lost.flatMap((test) => {
    const calls = truth.tests.filter(({ name }) => comesFrom(test, name)).flatMap((each) => each.calls);
    const reached = exports.filter((name) =>
      calls.some((call) => call === name || call.startsWith(`${name}.`)),
    );
    // Whatever a test is about that calls nothing by name, anybody may rely on it.
    return (reached.length === 0 ? exports : reached).map((symbol) => ({ test, symbol }));
  });
}

async function inSite<T>(
  drafts: Drafts,
  at: AtSite,
  work: Parameters<typeof drafts.inSite<T>>[1],
): Promise<T> {
  const seen = await drafts.inSite(at, work);
  if (seen.kind === "done") return seen.value;
  throw new CupelError("invalid_input", `${at.draft.folder} in ${at.commit}: ${seen.problems.join("; ")}`, {
    expected: "a commit that was judged before",
  });
}
