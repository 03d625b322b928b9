// A consumer of a module, from its folder: its own suite, run against a build of the module that it imports.
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { CupelError } from "../domain/error.ts";
import type { Files, SiteRequest, Toolchain } from "../toolchains/port.ts";
import { keyOf } from "./folder-files.ts";
import type { Consumer } from "./module-under-test.ts";

export interface ConsumerRequest {
  toolchain: Toolchain;
  folder: string;
  /** What it imports the module as: `#modules/<imports>`. */
  imports: string;
  /** Built packages of the other modules that it imports. */
  dependencies?: NonNullable<SiteRequest["dependencies"]>;
  /** Where builds and copies are made; whoever gives it removes it. */
  workplace: string;
}

export async function consumerOf(request: ConsumerRequest): Promise<Consumer> {
  const { toolchain, folder, imports, dependencies = [], workplace } = request;
  const detected = await toolchain.detect(folder);
  if (detected.kind === "no-module")
    throw new CupelError("usage", `${folder} cannot be a consumer: ${detected.why}`, {
      expected: "the folder of a module that imports the one under test",
    });
  return {
    name: basename(resolve(folder)),
    key: keyOf(folder, ...dependencies.map(({ directory }) => directory)),
    open: (build) => {
      const place = join(workplace, randomUUID());
      writeBuild(join(place, "build"), build);
      return toolchain.openSite({
        folder,
        layout: detected.layout,
        directory: join(place, "site"),
        dependencies: [...dependencies, { name: imports, directory: join(place, "build") }],
      });
    },
  };
}

/** What the toolchain compiled; its paths are its own. */
function writeBuild(directory: string, build: Files): void {
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  for (const [path, text] of Object.entries(build)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true, mode: 0o755 });
    writeFileSync(join(directory, path), text, { flag: "wx" });
  }
}
