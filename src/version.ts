// Cupel's own version, read from the one place that holds it.
import { readFileSync } from "node:fs";

export function cupelVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const version: unknown = Reflect.get(Object(manifest), "version");
  if (typeof version !== "string") throw new TypeError("package.json has no version");
  return version;
}
