// Modules of a tree that are not sealed yet, built from the commit that one stands on, for those that import them.
import { isVisible } from "../../domain/artifact/context-pack.ts";
import { CupelError } from "../../domain/error.ts";
import type { ModuleRef } from "../../domain/refs.ts";
import type { Files, Site } from "../../toolchains/port.ts";
import type { EngineeringPorts } from "../port.ts";
import { type Provision, type Provisions, sealedProvisions } from "../provisions.ts";
import { buildPackages, type Packages } from "../ship/build-packages.ts";
import { moduleFilesAt } from "../ship/module-files.ts";
import { type Shelf, shelfOf } from "../ship/shelf.ts";
import { BROKEN, packageIn, WHOLE } from "../ship/store-files.ts";
import { type ContentKey, contentKeys, type Draft } from "./draft-content.ts";
import { type AtSite, type InSite, inDraftSite } from "./draft-site.ts";

export interface DraftPorts extends Pick<EngineeringPorts, "store" | "hub" | "toolchain" | "workplace"> {
  /** What was built in this process, by content; shared by all who work on one tree. */
  builds: Map<string, Promise<Packages>>;
}

export interface Drafts extends Provisions {
  /** By its folder; throws where the tree has no such module. */
  get: (folder: string) => Draft;
  /** Every draft of the commit that it is built upon there, directly or through others. */
  below: (draft: Draft, commit: string) => Promise<Draft[]>;
  /** The same for the same content of the module and of all that it is built upon. */
  keyOf: ContentKey;
  /** Its package in the places of the store, or why there is none. */
  build: (draft: Draft, commit: string) => Promise<Packages>;
  /** A copy of it beside the packages of what it imports, which is gone afterwards. */
  inSite: <T>(at: AtSite, work: (site: Site) => Promise<T>) => Promise<InSite<T>>;
}

/** Whatever is no draft has shipped. */
export function draftsOf(ports: DraftPorts, drafts: readonly Draft[]): Drafts {
  const { store, hub, toolchain, builds } = ports;
  const keyOf = contentKeys(ports, drafts);
  const sealed = sealedProvisions(store);
  const byRef = new Map(drafts.map((draft) => [draft.ref, draft]));

  const build = async (draft: Draft, commit: string): Promise<Packages> => {
    const key = await keyOf(draft, commit);
    if (key === undefined) return { kind: "broken", problems: [`there is no modules/${draft.folder}`] };
    const known = builds.get(key);
    if (known !== undefined) return known;
    const building = inSite({ draft, commit }, (site) => buildPackages(toolchain, site)).then(
      (done): Packages =>
        done.kind === "refused" ? { kind: "broken", problems: done.problems } : done.value,
    );
    builds.set(key, building);
    // What failed for another reason than the code is tried again by whoever asks next.
    building.catch(() => builds.delete(key));
    return building;
  };

  /**
   * Drafts, and below them whatever has shipped; each once, what is imported directly first. What the commit does not hold
   * is imported by nobody there: whoever will build upon it is still a stub.
   */
  const reached = async (direct: readonly ModuleRef[], commit: string): Promise<[Draft[], ModuleRef[]]> => {
    const refs = new Set(direct);
    const own: Draft[] = [];
    for (const ref of refs) {
      const draft = byRef.get(ref);
      if (draft === undefined || (await keyOf(draft, commit)) === undefined) continue;
      own.push(draft);
      for (const each of draft.dependencies) refs.add(each);
    }
    return [own, [...refs].filter((ref) => !byRef.has(ref))];
  };

  const around = async (direct: readonly ModuleRef[], commit: string): Promise<Provision[]> => {
    const [own, others] = await reached(direct, commit);
    const shipped = await sealed.around(others, commit);
    assertNamesApart(own, shipped);
    const shelf = await shelfOf({ store });
    const placed = own.map((draft) => draftProvision(draft, renamesOf(draft, shelf, shipped, byRef)));
    return [...placed.map((of) => of(commit)), ...shipped];
  };

  const draftProvision = (draft: Draft, renames: ReadonlyMap<string, string>) => (commit: string) => {
    const built = () => builtOrThrow(draft, commit, build);
    const packed = async (variant: typeof WHOLE | typeof BROKEN) =>
      packageIn(await built(), { name: draft.folder, renames }, variant);
    return {
      ref: draft.ref,
      name: draft.folder,
      whole: () => packed(WHOLE),
      broken: () => packed(BROKEN),
      open: async (): Promise<Files> => {
        const found = await moduleFilesAt(hub, commit, draft.folder, undefined, "on-its-way");
        const files = { ...(found.kind === "module" ? found.files : {}), ...(await built()) };
        return Object.fromEntries(Object.entries(files).filter(([path]) => isVisible("CONTRACT_ONLY", path)));
      },
    };
  };

  const inSite: Drafts["inSite"] = (at, work) => inDraftSite(ports, around, at, work);
  const below: Drafts["below"] = async ({ dependencies }, commit) => (await reached(dependencies, commit))[0];
  return { around, keyOf, build, inSite, below, get: (folder) => draftAt(drafts, folder) };
}

function draftAt(drafts: readonly Draft[], folder: string): Draft {
  const draft = drafts.find((each) => each.folder === folder);
  if (draft !== undefined) return draft;
  throw new CupelError("not_found", `the tree has no module ${folder}`, {
    expected: drafts.map((each) => each.folder).join(", "),
  });
}

/** A draft was built where everything had its plain name; here something shipped may have another. */
function renamesOf(
  { dependencies }: Draft,
  shelf: Shelf,
  shipped: readonly Provision[],
  byRef: ReadonlyMap<ModuleRef, Draft>,
): ReadonlyMap<string, string> {
  const renames = dependencies.flatMap((ref) => {
    if (byRef.has(ref)) return [];
    const { folder } = shelf.get(ref);
    const name = shipped.find((each) => each.ref === ref)?.name ?? folder;
    return name === folder ? [] : [[`#modules/${folder}`, `#modules/${name}`] as const];
  });
  return new Map(renames);
}

function assertNamesApart(own: readonly Draft[], shipped: readonly Provision[]): void {
  const twice = shipped.find(({ name }) => own.some(({ folder }) => folder === name));
  if (twice === undefined) return;
  throw new CupelError("invalid_input", `${twice.ref} has shipped as modules/${twice.name}`, {
    expected: "another folder for the module that is made now",
  });
}

/** Nobody stands on a commit in which something else than his own module does not build. */
async function builtOrThrow(draft: Draft, commit: string, build: Drafts["build"]): Promise<Files> {
  const built = await build(draft, commit);
  if (built.kind === "built") return built.files;
  const why = built.problems.join("\n");
  throw new CupelError("invalid_input", `${draft.ref} cannot be built upon in ${commit}: ${why}`, {
    expected: "a commit in which everything builds that somebody imports",
  });
}
