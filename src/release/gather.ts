// Takes the picture of a release: reads what was sealed, checks every byte of it, and reads what the commit holds.
import { sha256Hex } from "../domain/canonical.ts";
import { breakingReasons } from "../domain/contract/compatibility.ts";
import { MicroModuleContract } from "../domain/contract/contract.ts";
import { contractFingerprint } from "../domain/contract/fingerprint.ts";
import { hasCode } from "../domain/environment-error.ts";
import { parseOrThrow } from "../domain/parse.ts";
import { ShipEvidence } from "../domain/people/ship-evidence.ts";
import type { CodeIndexEntry } from "../domain/plan/reuse.ts";
import { moduleIdOf } from "../domain/refs.ts";
import { CONTRACT, SHIP } from "../engineering/ship/module-files.ts";
import { proofOf } from "../engineering/ship/proof-of.ts";
import type { Placed } from "../engineering/ship/shelf.ts";
import { sourcesOf } from "../engineering/ship/store-files.ts";
import type { StateStore } from "../store/state-store.ts";
import { toText } from "../workshop/git/byte-path.ts";
import { readTree, type TreeEntry } from "../workshop/git/objects.ts";
import { acceptedSuite, suiteFiles } from "./e2e/suite-files.ts";
import { wholeProduct } from "./e2e/whole-product.ts";
import type { Need, PicturedModule, PicturedSuite, ReleasePicture } from "./picture.ts";
import type { ReleasePorts } from "./port.ts";
import { lineOf } from "./scope.ts";

export interface Gathering {
  commit: string;
  placed: readonly Placed[];
  tasks: ReleasePicture["tasks"];
  /** Whether it is the whole product. */
  whole: boolean;
}

export async function pictureOf(ports: ReleasePorts, gathering: Gathering): Promise<ReleasePicture> {
  const { commit, placed, tasks } = gathering;
  const committed = await committedModules(ports.hub.gitDir, commit);
  const modules: PicturedModule[] = [];
  for (const each of placed) modules.push(await pictured(ports, each, placed, committed));
  const named = new Set([
    ...modules.flatMap(({ module, needs }) => [module, ...needs.flatMap(({ given }) => given ?? [])]),
    ...tasks.flatMap((task) => task.modules),
  ]);
  const entries = new Map<string, CodeIndexEntry>();
  for (const module of named) {
    const entry = await ports.index.get(module);
    if (entry !== undefined) entries.set(module, entry);
  }
  const suite = gathering.whole ? await suiteIn(ports, commit) : undefined;
  return { commit, modules, tasks, entries, ...(suite === undefined ? {} : { suite }) };
}

async function suiteIn(
  { store, rigor, hub }: ReleasePorts,
  commit: string,
): Promise<PicturedSuite | undefined> {
  const product = await wholeProduct(store, rigor);
  if (product === undefined) return undefined;
  const committed = await suiteFiles(hub.gitDir, commit);
  return { committed, accepted: await acceptedSuite(store, product.key, committed) };
}

type Committed = ReadonlyMap<string, Readonly<Record<string, string>>>;

async function pictured(
  { store }: ReleasePorts,
  { name, record, renames }: Placed,
  placed: readonly Placed[],
  committed: Committed,
): Promise<PicturedModule> {
  const { module, shipId, entry: sealedEntry } = record;
  const ship = await store.ships.get(module);
  const seen = {
    module,
    name,
    shipId,
    sealedEntry,
    committedFiles: committed.get(name) ?? {},
    restore: restoring(name, renames.size === 0 ? (ship?.commit ?? null) : null),
  };
  try {
    const files = await sourcesOf(store, { name, record, renames });
    const contract = contractIn(files[CONTRACT] ?? "", module);
    const evidence = parseOrThrow(ShipEvidence, JSON.parse(files[SHIP] ?? ""), `the evidence of ${module}`);
    return {
      ...seen,
      damage: undefined,
      fingerprints: {
        evidence: evidence.verification.interface_fingerprint,
        contract: contractFingerprint(contract),
      },
      needs: await needsOf(store, { name, record, renames }, placed),
      sealedFiles: Object.fromEntries(Object.entries(files).map(([path, text]) => [path, sha256Hex(text)])),
    };
  } catch (error) {
    if (!isDamage(error)) throw error;
    const nothing = { evidence: "", contract: "" };
    return { ...seen, damage: error.message, fingerprints: nothing, needs: [], sealedFiles: {} };
  }
}

/** Sealed bytes that somebody changed or took away are a finding; anything else that goes wrong is not. */
function isDamage(error: unknown): error is Error {
  const isOne = ["store_damaged", "not_found", "invalid_input"].some((code) => hasCode(error, code));
  return error instanceof Error && (isOne || error instanceof SyntaxError);
}

async function needsOf(store: StateStore, consumer: Placed, placed: readonly Placed[]): Promise<Need[]> {
  const { record } = consumer;
  const needs: Need[] = [];
  for (const range of record.entry.dependencies) {
    const built = record.dependencies.find((module) => moduleIdOf(module) === moduleIdOf(range));
    const given =
      built === undefined
        ? undefined
        : placed.find((each) => lineOf(each.record.module) === lineOf(built))?.record.module;
    needs.push({ range, built, given, ...(await compared(store, consumer, built, given)) });
  }
  return needs;
}

type Comparison = Pick<Need, "builtFingerprint" | "givenFingerprint" | "reverified">;

async function compared(
  store: StateStore,
  { record }: Placed,
  built: string | undefined,
  given: string | undefined,
): Promise<Comparison> {
  if (built === undefined || given === undefined)
    return { builtFingerprint: undefined, givenFingerprint: undefined, reverified: false };
  const before = await sealedContract(store, built);
  const after = await sealedContract(store, given);
  const fingerprints = {
    builtFingerprint: contractFingerprint(before),
    givenFingerprint: contractFingerprint(after),
  };
  if (built === given) return { ...fingerprints, reverified: true };
  const breaks = breakingReasons(before, after).length > 0;
  return { ...fingerprints, reverified: !breaks && (await ranAtShip(store, given, record.folder)) };
}

/** Only a PASS of the gate that ran the consumer's own tests counts. */
async function ranAtShip(store: StateStore, given: string, consumer: string): Promise<boolean> {
  const { verdicts, neighbours } = await proofOf(store, given);
  const passed = verdicts.some(({ gate, verdict }) => gate === "integration" && verdict === "PASS");
  return passed && (neighbours?.consumers ?? []).some(({ name }) => name === consumer);
}

async function sealedContract(store: StateStore, module: string): Promise<MicroModuleContract> {
  const ref = (await store.modules.get(module)).files[CONTRACT] ?? "";
  return contractIn(String(await store.payloads.get(ref)), module);
}

function contractIn(text: string, module: string): MicroModuleContract {
  return parseOrThrow(MicroModuleContract, JSON.parse(text), `the contract of ${module}`);
}

/** By the folder below `modules/`, hashes by path; a link is not the file that was sealed. */
async function committedModules(gitDir: string, commit: string): Promise<Committed> {
  const found = new Map<string, Record<string, string>>();
  for await (const { path, mode, content } of readTree(gitDir, commit, isModuleFile)) {
    const [, name = "", ...rest] = toText(path).split("/");
    if (rest.length === 0) continue;
    const files = found.get(name) ?? {};
    files[rest.join("/")] = mode === "120000" ? "a link" : sha256Hex(content);
    found.set(name, files);
  }
  return found;
}

function isModuleFile({ path, mode }: TreeEntry): boolean {
  return mode !== "160000" && path.startsWith("modules/");
}

function restoring(name: string, commit: string | null): string {
  if (commit === null) return `git log -- modules/${name} (shows who changed it)`;
  return `git checkout ${commit} -- modules/${name} && git commit -m "modules/${name} as it was sealed"`;
}
