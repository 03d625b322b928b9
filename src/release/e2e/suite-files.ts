// The files below e2e/ of a commit, and the suite among those that were accepted that is made of exactly these.
import { E2eSuite } from "../../domain/evidence/e2e-suite.ts";
import { parse } from "../../domain/parse.ts";
import { isPlainBelow } from "../../engineering/calls/call-workspace.ts";
import type { StateStore } from "../../store/state-store.ts";
import type { Files } from "../../toolchains/port.ts";
import { toText } from "../../workshop/git/byte-path.ts";
import { readTree } from "../../workshop/git/objects.ts";

export const HOME = "e2e/";
export const RECORD_FILE = "e2e.json";

/** By their paths from there. */
export async function suiteFiles(gitDir: string, commit: string): Promise<Files> {
  const files: Record<string, string> = {};
  for await (const { path, content } of readTree(gitDir, commit, isPlainBelow(HOME)))
    files[toText(path).slice(HOME.length)] = content.toString("utf8");
  return files;
}

/** The oldest first. */
export async function suitesIn(store: Pick<StateStore, "artifacts">): Promise<E2eSuite[]> {
  const suites: E2eSuite[] = [];
  for (const { envelope, body } of await store.artifacts.query({ type: "TEST_SUITE" })) {
    if (body[RECORD_FILE] === undefined) continue;
    const text = String(await store.artifacts.readBody(envelope.artifact_id, RECORD_FILE));
    const parsed = parse(E2eSuite, JSON.parse(text));
    if (parsed.kind === "ok") suites.push(parsed.value);
  }
  return suites.toSorted((one, other) => (one.accepted_at < other.accepted_at ? -1 : 1));
}

/** The one that was accepted for this product with these files. */
export async function acceptedSuite(
  store: Pick<StateStore, "artifacts" | "payloads">,
  key: string,
  files: Files,
): Promise<E2eSuite | undefined> {
  const suites = (await suitesIn(store)).filter(({ product }) => product === key);
  for (const suite of suites.toReversed()) if (await isMadeOf(store, suite, files)) return suite;
  return undefined;
}

async function isMadeOf(
  { payloads }: Pick<StateStore, "payloads">,
  suite: E2eSuite,
  files: Files,
): Promise<boolean> {
  const [kept, found] = [Object.keys(suite.files).toSorted(), Object.keys(files).toSorted()];
  if (kept.join("\n") !== found.join("\n")) return false;
  for (const [path, ref] of Object.entries(suite.files))
    if (String(await payloads.get(ref)) !== files[path]) return false;
  return true;
}
