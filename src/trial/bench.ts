// Where a trial tries code of its own accord: whatever was found out once in a process is not found out again.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canonicalJson, sha256Hex } from "../domain/canonical.ts";
import { writeFiles } from "../evidence/neighbours.ts";
import type { Edits, Files, Site, TestReport, Toolchain, Variant } from "../toolchains/port.ts";
import { quickRun } from "../toolchains/quick-run.ts";

export interface Bench {
  readonly toolchain: Toolchain;
  /** The tests among the files on the sources among them. */
  test(files: Files): Promise<TestReport>;
  builds(files: Files): Promise<boolean>;
  variants(files: Files): Promise<Variant[]>;
  /** The sources among the files with nothing implemented. */
  stubbed(files: Files): Promise<Files>;
}

const LIMITS = { secondsPerTest: 5, timeoutMs: 60_000 };

export function benchWith(toolchain: Toolchain): Bench {
  const once = <T>(work: (site: Site) => Promise<T>): ((files: Files) => Promise<T>) => {
    const known = new Map<string, Promise<T>>();
    return (files) => {
      const key = sha256Hex(canonicalJson(files));
      const found = known.get(key) ?? inSite(toolchain, files, work);
      known.set(key, found);
      return found;
    };
  };
  const stubs = once((site) => toolchain.stubs(site));
  return {
    toolchain,
    test: once((site) => quickRun(toolchain, site, LIMITS)),
    builds: once(async (site) => (await toolchain.build(site)).kind === "built"),
    variants: once((site) => toolchain.variants(site)),
    stubbed: async (files) => withEdits(files, await stubs(files)),
  };
}

export function withEdits(files: Files, edits: Edits): Files {
  const changed = Object.entries({ ...files, ...edits });
  return Object.fromEntries(changed.flatMap(([path, text]) => (text === null ? [] : [[path, text]])));
}

/** In a site with these files, which is gone afterwards. */
async function inSite<T>(toolchain: Toolchain, files: Files, work: (site: Site) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "cupel-trial-"));
  // Under root the sandbox is another user, who must be able to walk to the copies.
  chmodSync(directory, 0o755);
  try {
    const folder = writeFiles(join(directory, "module"), files);
    const detected = await toolchain.detect(folder);
    if (detected.kind === "no-module") throw new Error(`a task of the trial is no module: ${detected.why}`);
    const site = await toolchain.openSite({
      folder,
      layout: detected.layout,
      directory: join(directory, "site"),
    });
    return await work(site);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
