// What is to follow from a module that shipped: kept from the moment it is sealed, so that a crash loses none of it.
import { z } from "zod";
import { ArtifactId, idOfType } from "../artifact/artifact-type.ts";
import { refuse } from "../parse.ts";
import { CodeIndexEntry } from "../plan/reuse.ts";
import { form, IsoTime, ModuleRef, TaskId, Text } from "../refs.ts";

/** A slug: below `modules/` of the product, and the module's name in imports. */
export const ModuleFolder = form(/^[a-z0-9]+(-[a-z0-9]+)*$/, "a slug such as word-count").max(64);
export type ModuleFolder = z.infer<typeof ModuleFolder>;

export const ShipRecord = z
  .strictObject({
    module: ModuleRef,
    folder: ModuleFolder,
    task: TaskId,
    runId: Text,
    shipId: idOfType("SHIP_EVIDENCE"),
    shippedAt: IsoTime,
    /** The versions that it was built and tested with. */
    dependencies: z.array(ModuleRef),
    /** What was debated; null where nothing was. */
    implementation: ArtifactId.nullable(),
    /** Artifacts that are new with the ship, or whose status it changed. */
    artifacts: z.array(ArtifactId),
    entry: CodeIndexEntry,
  })
  .superRefine(({ module, entry }, context) => {
    const indexed = `${entry.module_id}@${entry.version}`;
    if (indexed !== module) refuse(context, ["entry"], `the entry of ${module}`, indexed);
  });
export type ShipRecord = z.infer<typeof ShipRecord>;
