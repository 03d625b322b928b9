// The drafts of a product's specification, for the doors that show and compare them.
import { CupelError } from "../domain/error.ts";
import { parseOrThrow } from "../domain/parse.ts";
import { ProductSpec } from "../domain/product/product-spec.ts";
import { type SpecChange, specDifference } from "../domain/product/spec-difference.ts";
import { compareSemver } from "../domain/semver.ts";
import type { ArtifactRow } from "../store/port.ts";
import type { StateStore } from "../store/state-store.ts";
import { projectAround } from "./project.ts";
import { withStore } from "./stores.ts";

export interface DraftDifference {
  before: string;
  after: string;
  changes: SpecChange[];
}

/** Without names the last two; with one, what it changed of the draft before it. */
export async function diffDrafts(
  directory: string,
  before: string | undefined,
  after: string | undefined,
): Promise<DraftDifference> {
  return withStore(projectAround(directory), async (store) => {
    const drafts = await draftsIn(store);
    const newer = after ?? before;
    const last = newer === undefined ? drafts.at(-1) : named(drafts, newer);
    const first =
      after !== undefined && before !== undefined
        ? named(drafts, before)
        : drafts[last === undefined ? -1 : drafts.indexOf(last) - 1];
    if (last === undefined || first === undefined) {
      throw new CupelError("not_found", "there are no two drafts of a specification to compare", {
        expected: "a draft, and the one before it",
        hint: "cupel store ls artifacts",
      });
    }
    const changes = specDifference(await specOf(store, first), await specOf(store, last));
    return { before: refOf(first), after: refOf(last), changes };
  });
}

async function draftsIn({ artifacts }: StateStore): Promise<ArtifactRow[]> {
  const rows = await artifacts.query({ type: "PRODUCT_SPEC" });
  return rows.toSorted((a, b) => compareSemver(a.envelope.version, b.envelope.version));
}

/** By its id, its version, or both. */
function named(drafts: readonly ArtifactRow[], name: string): ArtifactRow {
  const found = drafts.find((row) =>
    [refOf(row), row.envelope.artifact_id, row.envelope.version].includes(name),
  );
  if (found !== undefined) return found;
  throw new CupelError("not_found", `there is no draft ${JSON.stringify(name)}`, {
    expected: drafts.length === 0 ? "no draft was made so far" : `one of ${drafts.map(refOf).join(", ")}`,
  });
}

async function specOf({ artifacts }: StateStore, { envelope }: ArtifactRow): Promise<ProductSpec> {
  const json: unknown = JSON.parse(String(await artifacts.readBody(envelope.artifact_id, "spec.json")));
  return parseOrThrow(ProductSpec, json, envelope.artifact_id);
}

function refOf({ envelope }: ArtifactRow): string {
  return `${envelope.artifact_id}@${envelope.version}`;
}
