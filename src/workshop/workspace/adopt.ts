// Goes on with a workspace that another process made, once that process is gone.
import { CupelError } from "../../domain/error.ts";
import { claim } from "./claim.ts";
import type { Workspace } from "./create.ts";
import { placesOf } from "./places.ts";
import type { Workshop } from "./places.ts";

/** Undefined when there is none, or when its maker died before an agent could be in it. */
export async function adoptWorkspace({ project }: Workshop, id: string): Promise<Workspace | undefined> {
  const places = placesOf(project, id);
  const claimed = await claim(project, places);
  switch (claimed.kind) {
    case "gone":
      return undefined;
    case "held":
      throw new CupelError("store_busy", `the workspace ${id} is held by process ${claimed.by.pid}`, {
        hint: "wait until the other cupel command has ended",
      });
    case "claimed":
      return claimed.record.state === "creating" ? undefined : { record: claimed.record, places };
  }
}
