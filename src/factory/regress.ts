// What `cupel regress` asks: the newest version of a module's major, and what those before it were shipped with.
import { CupelError } from "../domain/error.ts";
import { nearest } from "../domain/nearest.ts";
import { moduleIdOf } from "../domain/refs.ts";
import type { ShipRecord } from "../domain/run/ship-record.ts";
import type { Regressed, RegressRequest } from "../evidence/regress.ts";
import type { Shelf } from "../engineering/ship/shelf.ts";
import type { StateStore } from "../store/state-store.ts";
import { projectAround } from "./project.ts";
import { withStore } from "./stores.ts";
import { openVerifier } from "./verifier.ts";

export interface RegressOrder {
  directory: string;
  /** As `MM-x`, or with a version whose major is meant, as `MM-x@1.0.0`. */
  module: string;
  against?: string;
  signal: AbortSignal;
}

export interface RegressReport extends Regressed {
  /** Which version was asked, or beside which one a folder was. */
  module: string;
  warning: string | undefined;
}

export async function regressModule(order: RegressOrder): Promise<RegressReport> {
  const { directory, against, signal } = order;
  const { module, ...asked } = await withStore(projectAround(directory), (store) => gathered(store, order));
  const verifier = await openVerifier({ directory, all: true });
  try {
    const { warning } = verifier;
    const request: RegressRequest = { ...asked, signal, ...(against === undefined ? {} : { against }) };
    return { module, warning, ...(await verifier.regress(request)) };
  } finally {
    await verifier.close();
  }
}

async function gathered(
  store: StateStore,
  { module: named, against }: RegressOrder,
): Promise<Pick<RegressRequest, "bundle" | "earlier"> & { module: string }> {
  const [{ shelfOf, majorOf }, { earlierSuites, suitesOfMajor }, { proofOf }] = await Promise.all([
    import("../engineering/ship/shelf.ts"),
    import("../engineering/ship/earlier-suites.ts"),
    import("../engineering/ship/proof-of.ts"),
  ]);
  const shelf = await shelfOf({ store });
  const versions = versionsNamed(shelf, named);
  const meant = named.includes("@") ? shelf.get(named) : versions.at(-1);
  const newest = versions.findLast(
    ({ module }) => meant !== undefined && majorOf(module) === majorOf(meant.module),
  );
  if (newest === undefined) throw new Error(`${named} has versions and no newest one`);
  const { module } = newest;
  const [id, version] = [moduleIdOf(module), module.slice(module.indexOf("@") + 1)];
  const earlier =
    against === undefined
      ? await earlierSuites(store, shelf, { module_id: id, module_version: version })
      : await suitesOfMajor(store, shelf, module);
  if (earlier.length === 0) throw nothingEarlier(module);
  return { module, earlier, bundle: await proofOf(store, module) };
}

function versionsNamed(shelf: Shelf, named: string): ShipRecord[] {
  const versions = shelf.versionsOf(named.replace(/@.*$/, ""));
  if (versions.length > 0) return versions;
  const meant = nearest(
    named,
    shelf.newest().map(({ module }) => moduleIdOf(module)),
  );
  throw new CupelError("not_found", `${named} has not shipped`, {
    expected: "the id of a module that has, such as MM-slug or MM-slug@1.0.0",
    hint: meant === undefined ? "cupel store ls modules" : `did you mean ${meant}?`,
  });
}

function nothingEarlier(module: string): CupelError {
  return new CupelError(
    "usage",
    `${module} is the first version of its major, so there is nothing earlier to run`,
    {
      expected: "a module with at least two versions of one major",
      hint: `cupel regress ${moduleIdOf(module)} --against FOLDER (runs the tests of ${module} on work in a folder)`,
    },
  );
}
