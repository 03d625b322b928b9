// Where answers are kept that were found out once and hold for ever: in the person's cache, by the version that gave them.
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { cupelVersion } from "../version.ts";

/** Another version may judge in another way. Anybody may delete it. */
export function memoryDirectory(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const { XDG_CACHE_HOME: cache } = env;
  const base = cache !== undefined && isAbsolute(cache) ? cache : join(homedir(), ".cache");
  return join(base, "cupel", cupelVersion());
}
