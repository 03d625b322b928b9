// The researcher's files: the person's words and documents laid out anew each time, and the draft, which stays.
import { join } from "node:path";
import { documentsIn } from "../agents/tools/local-documents.ts";
import type { PayloadRef } from "../domain/refs.ts";
import { FilesystemBackend } from "../store/backends/filesystem.ts";
import type { Backend } from "../store/backends/port.ts";
import type { ProductPorts } from "./port.ts";

export const DRAFT = "/draft.json";

export interface Workspace {
  directory: string;
  files: Backend;
  /** How many were laid out. */
  documents: number;
  hasDraft: boolean;
}

/** A draft that is there is newer than the one that was kept: the agent wrote it and was interrupted. */
export async function openWorkspace(
  { store, workplace, documents }: ProductPorts,
  round: number,
  specMd: string,
  kept: PayloadRef | null,
): Promise<Workspace> {
  const directory = join(workplace, `round-${round}`);
  const files = new FilesystemBackend(directory);
  await written(files, "/SPEC.md", specMd);
  let laidOut = 0;
  for await (const { path, text } of documentsIn(documents)) {
    const { error } = await files.write(`/documents/${path}`, text);
    if (error === undefined) laidOut += 1;
  }
  let hasDraft = (await draftIn(files)) !== undefined;
  if (!hasDraft && kept !== null) {
    await written(files, DRAFT, String(await store.payloads.get(kept)));
    hasDraft = true;
  }
  return { directory, files, documents: laidOut, hasDraft };
}

/** Undefined where there is none, or none that anybody could read. */
export async function draftIn(files: Backend): Promise<string | undefined> {
  const { data } = await files.readRaw(DRAFT);
  return typeof data?.content === "string" && data.content.trim() !== "" ? data.content : undefined;
}

async function written(files: Backend, path: string, text: string): Promise<void> {
  const { error } = await files.write(path, text);
  if (error === undefined) return;
  // Whatever stands in its place was put there by an agent.
  await files.delete(path);
  const again = await files.write(path, text);
  if (again.error !== undefined)
    throw new Error(`the researcher's ${path} cannot be written: ${again.error}`);
}
