// A package that Cupel does not bring, loaded when it is first needed; its absence is an answer that says what to type.
import type { RuntimeName } from "../port.ts";
import { explained } from "./registry.ts";

export type Loaded<Package> =
  | { kind: "loaded"; loaded: Package }
  | { kind: "failed"; why: string; hint?: string };

export function optionalPackage<Package>(
  runtime: RuntimeName,
  name: string,
  load: () => Promise<Package> = () => import(name),
): () => Promise<Loaded<Package>> {
  let loaded: Promise<Package> | undefined;
  return async () => {
    try {
      loaded ??= load();
      return { kind: "loaded", loaded: await loaded };
    } catch (cause) {
      // Whoever installs it does not have to start again.
      loaded = undefined;
      const error = explained(runtime, cause);
      const why = error instanceof Error ? error.message : String(error);
      const hint = error instanceof Error && "hint" in error ? error.hint : undefined;
      return { kind: "failed", why, ...(typeof hint === "string" ? { hint } : {}) };
    }
  };
}
