// Opens a module of a test in a site of its own; gone after the test.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Site, SiteRequest } from "../src/toolchains/port.ts";
import { detectLayout } from "../src/toolchains/typescript/layout.ts";
import { openSite } from "../src/toolchains/typescript/site.ts";
import { none } from "../src/workshop/sandbox/none.ts";
import type { Sandbox } from "../src/workshop/sandbox/port.ts";
import { moduleFolder } from "./module-samples.ts";
import { temporaryDirectory } from "./temporary.ts";

export const PACKAGES = fileURLToPath(new URL("../node_modules", import.meta.url));

export function siteOf(
  files: Readonly<Record<string, string>>,
  sandbox: Sandbox = none(),
  request: Pick<SiteRequest, "dependencies"> = {},
): Promise<Site> {
  return siteOfFolder(moduleFolder(files), sandbox, request);
}

export async function siteOfFolder(
  folder: string,
  sandbox: Sandbox = none(),
  request: Pick<SiteRequest, "dependencies"> = {},
): Promise<Site> {
  const detected = detectLayout(folder);
  if (detected.kind === "no-module") throw new Error(detected.why);
  const directory = join(temporaryDirectory(), "site");
  const site = await openSite(
    { sandbox, packages: PACKAGES },
    { folder, layout: detected.layout, directory, ...request },
  );
  onTestFinished(() => site.remove());
  return site;
}
