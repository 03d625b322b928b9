// What a module is built upon, wherever that comes from: what has shipped, or drafts in the commit that one stands on.
import type { ModuleRef } from "../domain/refs.ts";
import type { Built } from "../evidence/neighbours.ts";
import type { StateStore } from "../store/state-store.ts";
import type { Files } from "../toolchains/port.ts";
import { openFiles } from "./dependency-view.ts";
import { type Placed, shelfOf } from "./ship/shelf.ts";
import { BROKEN, packageOf, WHOLE } from "./ship/store-files.ts";

export interface Provisions {
  /** These and whatever they are built upon, by the names under which somebody on that commit imports them. */
  around: (direct: readonly ModuleRef[], commit: string) => Promise<Provision[]>;
}

export interface Provision {
  ref: ModuleRef;
  /** It is imported as `#modules/<name>`. */
  name: string;
  /** Its compiled package, for the harness's own sandbox only. */
  whole: () => Promise<Built>;
  /** The same with functions that throw. */
  broken: () => Promise<Built>;
  /** Everything of it that a workspace may hold. */
  open: () => Promise<Files>;
}

/** What has shipped is the same seen from every commit. */
export function sealedProvisions(store: StateStore): Provisions {
  return {
    async around(direct) {
      const shelf = await shelfOf({ store });
      return shelf.around(direct).map((placed) => sealedProvision(store, placed));
    },
  };
}

/** The very version, under the name that it has where it is placed. */
export function sealedProvision(store: StateStore, placed: Placed): Provision {
  return {
    ref: placed.record.module,
    name: placed.name,
    whole: () => packageOf(store, placed, WHOLE),
    broken: () => packageOf(store, placed, BROKEN),
    open: () => openFiles(store, placed.record.module),
  };
}

/** Only what is imported directly. */
export async function directProvisions(
  provisions: Provisions,
  refs: readonly ModuleRef[],
  commit: string,
): Promise<Provision[]> {
  return (await provisions.around(refs, commit)).filter(({ ref }) => refs.includes(ref));
}
