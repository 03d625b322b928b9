// Measures a module's entry points in its site: how long calls take, what they hold, and how time grows with the input.
import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import type { BudgetReport, Files, Site } from "../port.ts";
import { inputShapes } from "./input-shapes.ts";
import { insideScript } from "./inside-script.ts";
import type { MeasuredEntry, MeasureOrder, MeasureReport } from "./measure-order.ts";

type Impossible = { kind: "impossible"; why: string };

const BUDGET_MS = 8_000;
const TIMEOUT_MS = 30_000;

export async function measure(
  site: Pick<Site, "layout" | "files" | "run">,
  contract: Pick<MicroModuleContract, "entry_points" | "inputs" | "predicates">,
): Promise<BudgetReport | Impossible> {
  const files = site.files();
  const sources = Object.fromEntries(site.layout.sources.map((path) => [path, files[path] ?? ""]));
  const { entries, unknown } = entriesOf(contract, sources);
  if (entries.length === 0) return impossible(unknown.join("; "));
  const code = await scriptOf(site.layout.entry, sources);
  if (typeof code !== "string") return code;
  const nonce = randomBytes(16).toString("hex");
  const order: MeasureOrder = { nonce, code, entries, budgetMs: BUDGET_MS };
  const result = await site.run({
    command: process.execPath,
    args: ["--expose-gc", "--input-type=module", "-e", await insideScript("measure")],
    stdin: JSON.stringify(order),
    timeoutMs: TIMEOUT_MS,
  });
  const line = result.stdout.split("\n").find((each) => each.startsWith(`${nonce} `));
  if (line === undefined) {
    const said = result.stderr.trim().split("\n").slice(0, 6).join("\n").slice(0, 1_000);
    return impossible(
      `the measurement ended without a report (${result.kind})${said === "" ? "" : `: ${said}`}`,
    );
  }
  return reportOf(JSON.parse(line.slice(nonce.length + 1)));
}

function entriesOf(
  contract: Pick<MicroModuleContract, "entry_points" | "inputs" | "predicates">,
  sources: Files,
): { entries: MeasuredEntry[]; unknown: string[] } {
  const entries: MeasuredEntry[] = [];
  const unknown: string[] = [];
  for (const entry of contract.entry_points) {
    const found = inputShapes(entry, contract, sources);
    if (found.kind === "unknown") unknown.push(found.why);
    else
      entries.push({
        name: entry.name,
        inputs: found.shapes,
        requires: contract.predicates
          .filter((predicate) => predicate.entry === entry.name && predicate.kind === "requires")
          .map((predicate) => predicate.expr),
        scales: found.scales,
      });
  }
  return { entries, unknown };
}

/** One script of all sources; only what is given here can be read while it is made. */
async function scriptOf(entry: string, sources: Files): Promise<string | Impossible> {
  // Loaded late: most commands of Cupel bundle nothing.
  const { build } = await import("esbuild");
  try {
    const result = await build({
      entryPoints: [`module:${entry}`],
      bundle: true,
      write: false,
      format: "cjs",
      platform: "node",
      target: "node20",
      logLevel: "silent",
      tsconfigRaw: "{}",
      plugins: [
        {
          name: "module-in-memory",
          setup: (bundler) => {
            bundler.onResolve({ filter: /.*/ }, ({ path, importer }) => resolved(path, importer, sources));
            bundler.onLoad({ filter: /.*/, namespace: "module" }, ({ path }) => ({
              contents: sources[path] ?? "",
              loader: loaderOf(path),
            }));
          },
        },
      ],
    });
    return result.outputFiles[0]?.text ?? impossible("the module cannot be made into one script");
  } catch (error) {
    return impossible(`the module cannot be made into one script: ${String(error).slice(0, 600)}`);
  }
}

type Resolved =
  | { path: string; namespace: string }
  | { path: string; external: true }
  | { errors: { text: string }[] };

function resolved(path: string, importer: string, sources: Files): Resolved {
  if (path.startsWith("module:")) return { path: path.slice("module:".length), namespace: "module" };
  if (path.startsWith("#modules/"))
    return { path: `./modules/${path.slice("#modules/".length)}`, external: true };
  if (!path.startsWith(".")) return { path, external: true };
  const target = posix.normalize(posix.join(posix.dirname(importer), path));
  const bare = target.replace(/\.[cm]?js(x?)$/, "");
  const endings = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];
  const tries = [
    target,
    ...endings.flatMap((ending) => [bare + ending, target + ending, `${target}/index${ending}`]),
  ];
  const found = tries.find((each) => Object.hasOwn(sources, each));
  if (found === undefined) return { errors: [{ text: `${path} is not a source of the module` }] };
  return { path: found, namespace: "module" };
}

function loaderOf(path: string): "ts" | "tsx" | "js" | "jsx" {
  if (/\.[cm]?ts$/.test(path)) return "ts";
  if (path.endsWith(".tsx")) return "tsx";
  return path.endsWith(".jsx") ? "jsx" : "js";
}

function reportOf(report: MeasureReport): BudgetReport | Impossible {
  const { calls, latencies, memoryBytes, growth, skipped } = report;
  if (latencies.length === 0) return impossible(skipped.join("; ") || "no call was made");
  const sorted = latencies.toSorted((one, other) => one - other);
  const steepest = growth.toSorted((one, other) => other.exponent - one.exponent)[0];
  return {
    calls,
    latencyMsP95: sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? 0,
    memoryMbMax: memoryBytes / 1024 ** 2,
    ...(steepest === undefined ? {} : { growth: { exponent: steepest.exponent, sizes: steepest.sizes } }),
  };
}

function impossible(why: string): Impossible {
  return { kind: "impossible", why };
}
