// Runs one gate that needs more than a folder: a certificate, consumers, a broken dependency, a product.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { MicroModuleContract } from "../src/domain/contract/contract.ts";
import type { BlindnessCertificate } from "../src/domain/evidence/blindness-certificate.ts";
import type { GateName } from "../src/domain/evidence/gate.ts";
import type { GateVerdict } from "../src/domain/evidence/gate-verdict.ts";
import { resolveRigor } from "../src/domain/evidence/rigor.ts";
import { consumerOf } from "../src/evidence/consumers.ts";
import { noCache } from "../src/evidence/liveness.ts";
import type { EarlierSuite } from "../src/evidence/module-under-test.ts";
import { productOf } from "../src/evidence/product-copy.ts";
import { verify } from "../src/evidence/verify.ts";
import type { Site } from "../src/toolchains/port.ts";
import { typescriptToolchain } from "../src/toolchains/typescript/toolchain.ts";
import { bubblewrap } from "../src/workshop/sandbox/bubblewrap.ts";
import { none } from "../src/workshop/sandbox/none.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";

const toolchain = typescriptToolchain({ sandbox: bubblewrapWorks ? bubblewrap() : none() });

type Texts = Readonly<Record<string, string>>;

export interface TriedInRun {
  files: Texts;
  contract?: MicroModuleContract;
  certificate?: BlindnessCertificate;
  /** Modules that import this one as `#modules/it`, by name. */
  consumers?: Readonly<Record<string, Texts>>;
  /** A module that this one imports as `#modules/dependency`. */
  dependency?: Texts;
  /** What earlier versions of it were shipped with. */
  earlier?: readonly EarlierSuite[];
  /** Nobody made a broken one. */
  withoutBroken?: true;
  /** Files around `modules/it`, and the command that tests all of it. */
  product?: { files: Texts; args: readonly string[] } | "unfinished";
}

/** The verdict in one word, with what speaks against a pass. */
export async function decided(gate: GateName, tried: TriedInRun): Promise<{ verdict: string; why: string }> {
  const verdict = await gateInRun(gate, tried);
  return { verdict: verdict.verdict, why: whyOf(verdict) };
}

function whyOf(verdict: GateVerdict): string {
  if (verdict.verdict === "ERROR") return verdict.message;
  if (verdict.verdict === "NOT_APPLICABLE") return verdict.derivedFrom;
  return verdict.findings.map(({ rule, message }) => `${rule}: ${message}`).join("\n");
}

async function gateInRun(gate: GateName, tried: TriedInRun): Promise<GateVerdict> {
  const workplace = mkdtempSync(join(tmpdir(), "cupel-test-"));
  chmodSync(workplace, 0o755);
  try {
    return await decide(gate, tried, workplace);
  } finally {
    rmSync(workplace, { recursive: true, force: true });
  }
}

async function decide(gate: GateName, tried: TriedInRun, workplace: string): Promise<GateVerdict> {
  const { files, contract, certificate, consumers = {}, dependency, product, earlier } = tried;
  const folder = written(join(workplace, "it"), files);
  const own = dependency === undefined ? undefined : written(join(workplace, "dependency"), dependency);
  const site = await siteOf(folder, join(workplace, "sites"), await builtFrom(own, workplace, "whole"));
  const broken =
    own === undefined || tried.withoutBroken === true
      ? undefined
      : await siteOf(folder, join(workplace, "broken"), await builtFrom(own, workplace, "stubs"));
  const importing = await Promise.all(
    Object.entries(consumers).map(([name, texts]) =>
      consumerOf({
        toolchain,
        folder: written(join(workplace, "consumers", name), texts),
        imports: "it",
        workplace: join(workplace, "consumed"),
      }),
    ),
  );
  const [reported] = await verify({
    module: {
      site,
      toolchain,
      rigor: resolveRigor("strict"),
      timeoutMs: 20_000,
      consumers: importing,
      ...(contract === undefined ? {} : { contract }),
      ...(certificate === undefined ? {} : { certificate }),
      ...(earlier === undefined ? {} : { earlier }),
      ...(broken === undefined ? {} : { broken }),
      ...(product === undefined ? {} : { product: productIn(product, files, workplace) }),
    },
    place: "verify",
    only: [gate],
    all: true,
    cache: noCache(),
    keep: () => Promise.resolve(`sha256:${"0".repeat(64)}`),
  });
  await broken?.remove();
  await site.remove();
  if (reported === undefined) throw new Error(`no verdict of ${gate}`);
  return reported.verdict;
}

function productIn(product: NonNullable<TriedInRun["product"]>, module: Texts, workplace: string) {
  if (product === "unfinished") return product;
  const inside = Object.entries(module).map(([path, text]) => [`modules/it/${path}`, text]);
  const manifest = { "package.json": '{ "type": "module" }\n' };
  const all = { ...manifest, ...product.files, ...Object.fromEntries(inside) };
  return productOf({
    toolchain,
    folder: written(join(workplace, "product"), all),
    at: "modules/it",
    manifest: "package.json",
    command: process.execPath,
    args: product.args,
    workplace: join(workplace, "copies"),
  });
}

type Built = { name: string; directory: string }[];

async function siteOf(folder: string, directory: string, dependencies: Built): Promise<Site> {
  const detected = await toolchain.detect(folder);
  if (detected.kind === "no-module") throw new Error(detected.why);
  return toolchain.openSite({ folder, layout: detected.layout, directory, dependencies });
}

/** The package of a dependency, as it is or with functions that throw. */
async function builtFrom(
  folder: string | undefined,
  workplace: string,
  as: "whole" | "stubs",
): Promise<Built> {
  if (folder === undefined) return [];
  const whole = await siteOf(folder, join(workplace, `build-${as}`), []);
  const site = as === "whole" ? whole : await whole.fork(await toolchain.stubs(whole));
  const compiled = await toolchain.compile(site);
  if (compiled.kind === "broken") throw new Error(JSON.stringify(compiled.errors));
  const directory = written(join(workplace, `built-${as}`), compiled.files);
  return [{ name: "dependency", directory }];
}

function written(folder: string, files: Texts): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
