// The settings of a run: the module's own, as far as they are data, under those that the harness insists on.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { InlineConfig } from "vitest/node";
import type { WireOrder } from "../wire-report.ts";

type Order = Omit<WireOrder, "key">;

/** What the harness insists on comes last. */
export function vitestSettings(order: Order): InlineConfig & { config: string | false } {
  const { root, settings } = order;
  const most = order.secondsPerTest * 1000;
  const own = settings.test;
  const setup = Array.isArray(own["setupFiles"]) ? own["setupFiles"].map(String) : [];
  return {
    ...own,
    root,
    config: order.settings.trustedFile ?? false,
    watch: false,
    include: order.tests.map(escaped),
    exclude: [],
    testNamePattern: /(?:)/,
    runner: order.runner,
    setupFiles: [...order.setupFiles, ...setup],
    pool: "forks",
    testTimeout: Math.min(most, numberOr(own["testTimeout"], most)),
    hookTimeout: Math.min(most, numberOr(own["hookTimeout"], most)),
    teardownTimeout: 1_000,
    passWithNoTests: false,
    // Marked tests are then reported instead of hiding all others.
    allowOnly: false,
    bail: 0,
    cache: false,
    update: false,
    disableConsoleIntercept: true,
    dangerouslyIgnoreUnhandledErrors: false,
    coverage: coverageSettings(order),
  };
}

/** There the less exact way was the usual one. */
const BEFORE_VITEST_4 = { experimentalAstAwareRemapping: true };

function coverageSettings({ cover }: Order): NonNullable<InlineConfig["coverage"]> {
  if (cover === undefined) return { enabled: false };
  return {
    enabled: true,
    provider: "v8",
    include: cover.map(escaped),
    exclude: [],
    reporter: [],
    reportsDirectory: join(tmpdir(), "cupel-coverage"),
    reportOnFailure: true,
    clean: false,
    ...BEFORE_VITEST_4,
  };
}

export async function viteSettings(order: Order): Promise<object> {
  const plugins = await Promise.all(
    order.vitePlugins.map(async (path): Promise<unknown> => {
      const loaded: { plugin: unknown } = await import(pathToFileURL(path).href);
      return loaded.plugin;
    }),
  );
  const aliases = order.settings.aliases.map(({ find, flags, replacement }) => ({
    find: flags === undefined ? find : new RegExp(find, flags),
    replacement,
  }));
  if (order.cover !== undefined) plugins.push(withoutHints(order));
  const modules = { find: /^#modules\/([^/]+)$/, replacement: `${order.root}/modules/$1` };
  const { resolve, ...vite } = order.settings.vite;
  return {
    ...vite,
    envDir: false,
    cacheDir: join(tmpdir(), "cupel-vite"),
    logLevel: "silent",
    // A number, because the sandbox knows no names.
    server: { host: "127.0.0.1" },
    // Otherwise a configuration of postcss would be looked for, and run here.
    css: { postcss: { plugins: [] } },
    resolve: { ...(typeof resolve === "object" ? resolve : {}), alias: [modules, ...aliases] },
    plugins,
  };
}

const HINT = /(?:v8|c8|istanbul|node:coverage)\s+ignore/;
const COMMENT = /\/\*[^]*?\*\/|\/\/[^\n]*/g;

/** Comments that take code out of the coverage are for people to read and not for the count. */
function withoutHints({ root, cover = [] }: Order): object {
  const counted = new Set(cover.map((file) => `${root}/${file}`));
  return {
    name: "cupel-without-hints",
    enforce: "pre",
    transform: (code: string, id: string) => {
      if (!counted.has(id.replace(/\?.*$/, "")) || !HINT.test(code)) return undefined;
      const blank = (comment: string) => (HINT.test(comment) ? comment.replace(/[^\s*/]/g, " ") : comment);
      return { code: code.replace(COMMENT, blank), map: null };
    },
  };
}

/** So that a file's name is never read as a pattern. */
function escaped(path: string): string {
  return path.replace(/[\\*?{}()[\]!+@|]/g, "\\$&");
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" && value > 0 ? value : otherwise;
}
