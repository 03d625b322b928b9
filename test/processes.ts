// Finds processes of the machine, for tests that nothing is left behind.
import { readdirSync, readFileSync } from "node:fs";

/** The ids of those that were started with this word in their command, or with this variable in their environment. */
export function processesWith(where: "cmdline" | "environ", word: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/${where}`, "utf8").split("\0").includes(word);
    } catch {
      return false;
    }
  });
}
