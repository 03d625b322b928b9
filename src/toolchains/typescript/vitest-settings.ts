// The module's own runner configuration as data: it is evaluated in a process that is thrown away, and only what
// cannot change which tests run, or how they are counted, is handed on to the runner.
import { posix } from "node:path";
import type { ModuleLayout, Site, SiteResult, TestOptions } from "../port.ts";
import { insideScript, TOOLS } from "./inside-script.ts";
import { SETTINGS_MARK, type WireSettings } from "./wire-report.ts";

export type Settings =
  | { kind: "settings"; settings: WireSettings }
  | { kind: "refused"; why: string; timedOut: boolean };

const LONGEST_MS = 20_000;

export async function settingsOf(site: Site, options: TestOptions): Promise<Settings> {
  const file = configurationFile(site.layout);
  if (file === undefined) return { kind: "settings", settings: { test: {}, vite: {}, aliases: [] } };
  if (file.includes("workspace"))
    return refused(`${file} divides the tests into projects, which are not supported`);
  const place = await site.fork({
    [`${TOOLS}/package.json`]: '{"private":true,"type":"module"}',
    [`${TOOLS}/config-main.mjs`]: await insideScript("config-main"),
  });
  try {
    const result = await place.run({
      command: process.execPath,
      args: [`${place.inside}/${TOOLS}/config-main.mjs`],
      stdin: JSON.stringify({ root: place.inside, file }),
      env: { NODE_ENV: "test", VITEST: "true", CI: "1", NODE_OPTIONS: "--max-old-space-size=512" },
      timeoutMs: Math.min(LONGEST_MS, options.timeoutMs),
      access: "read",
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    return settingsIn(file, result, site.level === "none");
  } finally {
    await place.remove();
  }
}

const ENDINGS = ["ts", "mts", "cts", "js", "mjs", "cjs"];

/** In the order in which vitest looks for it. */
export function configurationFile({ configuration }: ModuleLayout): string | undefined {
  const workspace = configuration.find((path) =>
    /^vitest\.(?:workspace|projects)\./.test(posix.basename(path)),
  );
  const names = ["vitest", "vite"].flatMap((name) => ENDINGS.map((ending) => `${name}.config.${ending}`));
  return workspace ?? names.find((name) => configuration.includes(name));
}

function settingsIn(file: string, result: SiteResult, trusted: boolean): Settings {
  const found = printed(result.stdout);
  if (found === undefined) {
    const said = result.stderr.trim().split("\n").slice(0, 8).join("\n").slice(0, 1_000);
    const how = result.kind === "timed-out" ? "it did not end in time" : said || `it ${result.kind}`;
    return { ...refused(`${file} could not be evaluated: ${how}`), timedOut: result.kind === "timed-out" };
  }
  const unsupported = textsIn(found["unsupported"]);
  if (unsupported.length > 0)
    return refused(`${file} asks for ${unsupported.join(", ")}, which is not supported`);
  const inRunner = textsIn(found["inRunner"]);
  if (inRunner.length > 0 && !trusted)
    return refused(
      `${file} asks for ${inRunner.join(", ")}, which would run inside the runner and could change its verdict; ` +
        "use aliases, setupFiles and other plain settings instead",
    );
  const resolve = pick(fieldsOf(found["resolve"]), RESOLVE_SETTINGS);
  return {
    kind: "settings",
    settings: {
      test: pick(fieldsOf(found["test"]), TEST_SETTINGS),
      vite: { ...pick(fieldsOf(found["vite"]), VITE_SETTINGS), resolve },
      aliases: aliasesIn(found["aliases"]),
      ...(inRunner.length > 0 ? { trustedFile: file } : {}),
    },
  };
}

/** The last line counts: the configuration may have printed others before. */
function printed(stdout: string): Record<string, unknown> | undefined {
  const lines = [...stdout.matchAll(new RegExp(`^${SETTINGS_MARK} ([A-Za-z0-9+/=]+)$`, "gm"))];
  try {
    const [, body = ""] = lines.at(-1) ?? [];
    return fieldsOf(JSON.parse(Buffer.from(body, "base64").toString("utf8")));
  } catch {
    return undefined;
  }
}

function refused(why: string): Settings & { kind: "refused" } {
  return { kind: "refused", why, timedOut: false };
}

type Check = (value: unknown) => boolean;

const isBoolean: Check = (value) => typeof value === "boolean";
const isCount: Check = (value) => typeof value === "number" && Number.isFinite(value) && value >= 0;
const isText: Check = (value) => typeof value === "string";
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const isData: Check = (value) => typeof value === "object" && value !== null;

/** Everything else is left out: which tests run and how they are counted is not for the module to say. */
const TEST_SETTINGS: Readonly<Record<string, Check>> = {
  globals: isBoolean,
  environment: isText,
  environmentOptions: isData,
  setupFiles: (value) => isText(value) || isTexts(value),
  testTimeout: isCount,
  hookTimeout: isCount,
  retry: isCount,
  isolate: isBoolean,
  fileParallelism: isBoolean,
  maxConcurrency: isCount,
  clearMocks: isBoolean,
  mockReset: isBoolean,
  restoreMocks: isBoolean,
  unstubEnvs: isBoolean,
  unstubGlobals: isBoolean,
  env: isData,
  fakeTimers: isData,
  expect: isData,
  chaiConfig: isData,
  snapshotFormat: isData,
  css: (value) => isBoolean(value) || isData(value),
};

const VITE_SETTINGS: Readonly<Record<string, Check>> = {
  define: isData,
  esbuild: (value) => value === false || isData(value),
  oxc: (value) => value === false || isData(value),
  json: isData,
};

const RESOLVE_SETTINGS: Readonly<Record<string, Check>> = {
  conditions: isTexts,
  extensions: isTexts,
  mainFields: isTexts,
};

function pick(
  found: Record<string, unknown>,
  allowed: Readonly<Record<string, Check>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(found).filter(([key, value]) => allowed[key]?.(value) === true));
}

function aliasesIn(value: unknown): WireSettings["aliases"] {
  return (Array.isArray(value) ? value : []).flatMap((entry) => {
    const { find, flags, replacement } = fieldsOf(entry);
    if (typeof find !== "string" || typeof replacement !== "string") return [];
    return [{ find, replacement, ...(typeof flags === "string" ? { flags } : {}) }];
  });
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
