// The configuration of vitest under StrykerJS: the module's own, with its dependencies where the runner of record finds
// them, and with a reporter that keeps why a test file could not even be loaded, which StrykerJS does not say.
import { join } from "node:path";
import type { ModuleLayout, Site } from "../../port.ts";
import { TOOLS } from "../inside-script.ts";
import { readRegular } from "../module-files.ts";
import { configurationFile } from "../vitest-settings.ts";

/** Relative, so that StrykerJS reads it, and the module's own with it, in its own copy with the changed sources. */
export const STRYKER_VITEST = `${TOOLS}/stryker-vitest.config.mjs`;
const WHY = `${TOOLS}/not-loaded.txt`;
const MOST_CHARACTERS = 600;

/** In the environment: the place that StrykerJS made its copy of. */
export const SITE = "CUPEL_SITE";

export function strykerVitest(layout: ModuleLayout): Record<string, string> {
  const own = configurationFile(layout);
  return {
    [WHY]: "",
    // Vite writes what it made of a configuration into the nearest one, and the module's own cannot be written.
    [`${TOOLS}/node_modules/.keep`]: "",
    [STRYKER_VITEST]: `
import { writeFileSync } from "node:fs";
import { mergeConfig } from "vitest/config";
${own === undefined ? "const given = {};" : `import given from ${JSON.stringify(`../${own}`)};`}
const own = typeof given === "function" ? await given({ command: "serve", mode: "test" }) : await given;
const site = process.env[${JSON.stringify(SITE)}];
const alias = [{ find: /^#modules\\/([^/]+)$/, replacement: site + "/modules/$1" }];
const settings = mergeConfig(own, { resolve: { alias } });
const reporter = {
  onTestModuleEnd(file) {
    const [error] = file.errors();
    if (error !== undefined) writeFileSync(site + ${JSON.stringify(`/${WHY}`)}, file.relativeModuleId + ": " + error.message);
  },
};
export default { ...settings, test: { ...settings.test, reporters: [reporter] } };
`,
  };
}

/** In the words of whoever could not load it, which is foreign code: for people to read, nothing else. */
export function whyNotLoaded(copy: Site): string | undefined {
  const text = readRegular(join(copy.directory, WHY))?.toString("utf8").slice(0, MOST_CHARACTERS);
  const words = text?.replaceAll(/\s+/g, " ").trim();
  return words === "" ? undefined : words;
}
