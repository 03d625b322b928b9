// Anything in a project that has a name, found by it: a question, an artifact or a module.
import { CupelError } from "../domain/error.ts";
import { compareSemver } from "../domain/semver.ts";
import type { Answer, ArtifactRow, Question } from "../store/port.ts";
import type { StateStore } from "../store/state-store.ts";
import { projectAround } from "./project.ts";
import { withStore } from "./stores.ts";
import { reportOn } from "./work-left.ts";

export type Thing =
  /** `files` are those of the artifact that it is about, where there is one. */
  | { kind: "question"; question: Question; answer: Answer | null; files: Texts }
  | { kind: "artifact"; envelope: ArtifactRow["envelope"]; pillar: string; files: Texts }
  /** `report` tells how it was made, where the protocol keeps one. */
  | { kind: "module"; ref: string; sealedAt: string | null; report: string | null; files: Texts };

/** Path to text; what is no text, too large or closed is null. */
export type Texts = Record<string, string | null>;

export async function thingNamed(directory: string, ref: string): Promise<Thing> {
  return withStore(projectAround(directory), async (store) => {
    if (ref.startsWith("MM-")) return moduleNamed(store, ref);
    const [id = ref, version] = ref.split("@");
    const asked = await store.inbox.find(id);
    const row = (await store.artifacts.has(id)) ? await store.artifacts.get(id) : undefined;
    if (version !== undefined && row !== undefined && row.envelope.version !== version)
      throw otherVersion(row);
    const files = row === undefined ? {} : await textsOf(store, row.body);
    if (asked !== undefined) return { kind: "question", ...asked, files };
    if (row !== undefined) return { kind: "artifact", envelope: row.envelope, pillar: row.pillar, files };
    throw new CupelError("not_found", `nothing here is called ${JSON.stringify(ref)}`, {
      expected: "the id of a question, an artifact (SPEC-0a1b2c3d) or a module (MM-slugify)",
      hint: "cupel inbox, or cupel store ls",
    });
  });
}

/** People read sealed modules through their contract, too; the code is in the product. */
const OPEN = ["contract.json", "examples.md", "ship.json"];

async function moduleNamed(store: StateStore, ref: string): Promise<Thing> {
  const [moduleId = ref, version] = ref.split("@");
  const versions = (await store.modules.list(moduleId)).toSorted((a, b) =>
    compareSemver(a.version, b.version),
  );
  const found = version === undefined ? versions.at(-1) : versions.find((each) => each.version === version);
  if (found === undefined) {
    throw new CupelError("not_found", `there is no module ${ref}`, {
      ...(versions.length === 0
        ? {}
        : { expected: `one of ${versions.map((each) => `${moduleId}@${each.version}`).join(", ")}` }),
      hint: "cupel store ls modules",
    });
  }
  const open = Object.entries(found.files).filter(([path]) => OPEN.includes(path));
  return {
    kind: "module",
    ref: `${moduleId}@${found.version}`,
    sealedAt: found.sealedAt,
    report: (await reportOn(store, moduleId)) ?? null,
    files: await textsOf(store, Object.fromEntries(open)),
  };
}

const LARGEST = 8 * 1024 ** 2;

async function textsOf({ payloads }: StateStore, body: Readonly<Record<string, string>>): Promise<Texts> {
  const entries = Object.entries(body).map(async ([path, ref]): Promise<[string, string | null]> => {
    const bytes = await payloads.get(ref);
    return [path, bytes.length > LARGEST || bytes.includes(0) ? null : bytes.toString("utf8")];
  });
  return Object.fromEntries(await Promise.all(entries));
}

function otherVersion({ envelope }: ArtifactRow): CupelError {
  const { artifact_id: id, version } = envelope;
  return new CupelError("not_found", `${id} has the version ${version} and no other`, {
    hint: `cupel show ${id}`,
  });
}
