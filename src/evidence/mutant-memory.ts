// Keeps answers about mutants from one command to the next, in files that anybody may delete.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { sha256Hex } from "../domain/canonical.ts";
import { Mutant } from "../domain/evidence/mutant.ts";
import type { KnownMutants } from "../toolchains/port.ts";
import { keepFile } from "./kept-file.ts";

export interface MutantMemory {
  read(folder: string): KnownMutants;
  write(folder: string, known: KnownMutants): void;
}

const Kept = z.array(
  z.tuple([z.string(), z.strictObject({ mutant: Mutant, ran: z.record(z.string(), z.string()) })]),
);

/** What cannot be read is found out again. */
export function fileMemory(directory: string): MutantMemory {
  const place = (folder: string) => join(directory, `${sha256Hex(folder)}.json`);
  return {
    read: (folder) => {
      try {
        return new Map(Kept.parse(JSON.parse(readFileSync(place(folder), "utf8"))));
      } catch {
        return new Map();
      }
    },
    write: (folder, known) => {
      keepFile(place(folder), JSON.stringify([...known]));
    },
  };
}
