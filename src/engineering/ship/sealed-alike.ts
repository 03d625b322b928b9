// Tells a ship that is asked for again from another one under the same version.
import type { Files } from "../../toolchains/port.ts";
import { SHIP } from "./module-files.ts";
import type { ShipPorts } from "./port.ts";
import { LOG, storedPaths } from "./store-files.ts";

/** Whether what is sealed under a version is what a candidate holds. */
export async function isSealedAlike(ports: ShipPorts, module: string, files: Files): Promise<boolean> {
  const sealed = await ports.store.modules.contents(module);
  const before = Object.entries(sealed).filter(([path]) => !isGenerated(path));
  const now = storedPaths(files);
  return (
    before.length === Object.keys(now).length &&
    before.every(([path, bytes]) => now[path] === bytes.toString("utf8"))
  );
}

function isGenerated(path: string): boolean {
  return path === SHIP || path === LOG || /^(?:package|proof|types)\//.test(path);
}
