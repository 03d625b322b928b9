// Evaluates a module's runner configuration in a process of its own, and prints what of it is data. Nothing that it
// prints is believed beyond that: whatever code does here, it could as well have written as configuration.
import { readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { SETTINGS_MARK, type FoundSettings } from "../wire-report.ts";

interface Vite {
  loadConfigFromFile(
    environment: { command: "serve"; mode: string },
    file: string,
    root: string,
    logLevel: "silent",
    logger: undefined,
    loader: "runner",
  ): Promise<{ config: object } | null>;
}

const order: { root: string; file: string } = JSON.parse(readFileSync(0, "utf8"));
const require = createRequire(import.meta.url);
const ofVitest = createRequire(require.resolve("vitest/package.json"));
const vite: Vite = await import(pathToFileURL(ofVitest.resolve("vite")).href);
const loaded = await vite.loadConfigFromFile(
  { command: "serve", mode: "test" },
  `${order.root}/${order.file}`,
  order.root,
  "silent",
  undefined,
  "runner",
);
const found = JSON.stringify(await settingsIn(fieldsOf(loaded?.config)));
writeSync(1, `\n${SETTINGS_MARK} ${Buffer.from(found).toString("base64")}\n`);
process.exit(0);

async function settingsIn(config: Record<string, unknown>): Promise<FoundSettings> {
  const test = fieldsOf(config["test"]);
  const resolve = fieldsOf(config["resolve"]);
  const aliases = [...aliasesIn(test["alias"]), ...aliasesIn(resolve["alias"])];
  return {
    test,
    resolve: {
      conditions: resolve["conditions"],
      extensions: resolve["extensions"],
      mainFields: resolve["mainFields"],
    },
    vite: { define: config["define"], esbuild: config["esbuild"], oxc: config["oxc"], json: config["json"] },
    aliases: aliases.map(({ find, flags, replacement }) => ({ find, flags, replacement })),
    inRunner: [
      ...(await pluginsIn(config["plugins"])).map((name) => `the plugin ${name}`),
      ...setAmong(test, ["globalSetup", "resolveSnapshotPath"]),
      ...(aliases.some(({ custom }) => custom) ? ["an alias with a resolver"] : []),
    ],
    unsupported: [
      ...setAmong(test, ["projects", "workspace", "runner"]),
      ...(fieldsOf(test["browser"])["enabled"] === true ? ["test.browser"] : []),
    ],
  };
}

async function pluginsIn(value: unknown): Promise<string[]> {
  const plugin = await value;
  if (Array.isArray(plugin)) return (await Promise.all(plugin.map(pluginsIn))).flat();
  return typeof plugin === "object" && plugin !== null ? [String(Reflect.get(plugin, "name"))] : [];
}

interface FoundAlias {
  find: string;
  flags?: string;
  replacement: string;
  custom: boolean;
}

function aliasesIn(value: unknown): FoundAlias[] {
  const entries = Array.isArray(value)
    ? value.map(fieldsOf)
    : Object.entries(fieldsOf(value)).map(([find, replacement]): Record<string, unknown> => ({
        find,
        replacement,
      }));
  return entries.map((entry) => {
    const { find, replacement, customResolver } = entry;
    return {
      ...(find instanceof RegExp ? { find: find.source, flags: find.flags } : { find: String(find) }),
      replacement: String(replacement),
      custom: customResolver !== undefined && customResolver !== null,
    };
  });
}

function setAmong(test: Record<string, unknown>, keys: readonly string[]): string[] {
  return keys.filter((key) => isSet(test[key])).map((key) => `test.${key}`);
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== "";
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
