// Reaches the verdicts of a proof bundle again, from the bundle alone; nothing in it is believed.
import { join } from "node:path";
import { CupelError } from "../domain/error.ts";
import { EXAMPLES_FILE } from "../domain/evidence/examples.ts";
import { blocks } from "../domain/evidence/gate-verdict.ts";
import type { GateVerdict } from "../domain/evidence/gate-verdict.ts";
import { addressOf, compareVerdicts } from "../domain/evidence/proof-bundle.ts";
import type { ProofBundle, ProofDifference } from "../domain/evidence/proof-bundle.ts";
import type { Edits, Toolchain } from "../toolchains/port.ts";
import { filesOf, layOutBundle } from "./bundle-files.ts";
import { noCache } from "./liveness.ts";
import type { EarlierSuite } from "./module-under-test.ts";
import { RUN_MS } from "./proof.ts";
import { checkBundle } from "./proof-checks.ts";
import { verify } from "./verify.ts";
import type { Reported } from "./verify.ts";

export interface Replay {
  reported: Reported[];
  differences: ProofDifference[];
  /** Whether the recorded verdicts let the module pass. */
  passed: boolean;
  /** Tools that have another version today. */
  otherVersions: string[];
}

export interface ReplayRequest {
  toolchain: Toolchain;
  /** New, and gone afterwards by whoever made it. */
  directory: string;
  /** Versions beside those of the toolchain. */
  versions: Readonly<Record<string, string>>;
  anyVersion: boolean;
  signal?: AbortSignal;
}

/** Nothing remembered is used. */
export async function replayProof(bundle: ProofBundle, request: ReplayRequest): Promise<Replay> {
  const { toolchain, directory, anyVersion, signal } = request;
  checkBundle(bundle);
  const otherVersions = differences(bundle.versions, {
    ...request.versions,
    ...(await toolchain.versions()),
  });
  if (otherVersions.length > 0 && !anyVersion) throw otherTools(otherVersions);
  const { folder, around } = await layOutBundle(bundle, { toolchain, directory });
  const open = (name: string, dependencies: typeof around.dependencies) =>
    toolchain.openSite({ folder, layout: bundle.layout, directory: join(directory, name), dependencies });
  const site = await open("site", around.dependencies);
  const broken = around.broken.length === 0 ? undefined : await open("broken", around.broken);
  try {
    const { contract, claims, skeleton, base, rigor, place, only, certificate, product } = bundle;
    const examples = filesOf(bundle, bundle.files)[EXAMPLES_FILE];
    const reported = await verify({
      module: {
        site,
        toolchain,
        rigor,
        timeoutMs: RUN_MS,
        consumers: around.consumers,
        ...(broken === undefined ? {} : { broken }),
        ...earlierOf(bundle),
        ...(certificate === undefined ? {} : { certificate }),
        ...(product === undefined ? {} : { product }),
        ...(contract === undefined ? {} : { contract }),
        ...(claims === undefined ? {} : { claims }),
        ...(examples === undefined ? {} : { examples }),
        ...(skeleton === undefined ? {} : { skeleton: skeletonOf(bundle, skeleton) }),
        ...(base === undefined ? {} : { base: filesOf(bundle, base) }),
      },
      place,
      all: true,
      cache: noCache(),
      keep: (evidence) => Promise.resolve(addressOf(JSON.stringify(evidence))),
      ...(only === undefined ? {} : { only }),
      ...(signal === undefined ? {} : { signal }),
    });
    const passed = !bundle.verdicts.some((verdict) => blocks(verdict, rigor, place));
    return { reported, differences: differing(bundle, reported, passed), passed, otherVersions };
  } finally {
    await broken?.remove();
    await site.remove();
  }
}

/** Sources that the skeleton lacked were left out then, and are again. */
function skeletonOf(bundle: ProofBundle, skeleton: Readonly<Record<string, string>>): Edits {
  const missing = bundle.layout.sources.map((path) => [path, null] as const);
  return { ...Object.fromEntries(missing), ...filesOf(bundle, skeleton) };
}

function earlierOf(bundle: ProofBundle): { earlier?: EarlierSuite[] } {
  const earlier = bundle.earlier?.map((suite) => ({
    ...suite,
    tests: filesOf(bundle, suite.tests),
    sources: filesOf(bundle, suite.sources),
  }));
  return earlier === undefined ? {} : { earlier };
}

/** A gate that is not recorded, or recorded as not run, must not hide what would have blocked. */
function differing(
  { verdicts }: ProofBundle,
  reported: readonly Reported[],
  passed: boolean,
): ProofDifference[] {
  const recorded = new Map<string, GateVerdict>(verdicts.map((verdict) => [verdict.gate, verdict]));
  const hidden = reported.flatMap(({ verdict, blocks: blocksNow }): ProofDifference[] => {
    const { gate } = verdict;
    const now = `${verdict.verdict} of ${verdict.denominator}`;
    const before = recorded.get(gate);
    if (before === undefined) return [{ gate, recorded: "missing", now }];
    return before.verdict === "NOT_RUN" && passed && blocksNow
      ? [{ gate, recorded: "NOT_RUN of 0", now }]
      : [];
  });
  const today = reported.map(({ verdict }) => verdict);
  return [...compareVerdicts(verdicts, today), ...hidden];
}

function differences(
  recorded: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): string[] {
  const names = [...new Set([...Object.keys(now), ...Object.keys(recorded)])].toSorted();
  return names.flatMap((name) =>
    recorded[name] === now[name] ? [] : [`${name} ${recorded[name] ?? "none"}, here ${now[name] ?? "none"}`],
  );
}

function otherTools(differing: readonly string[]): CupelError {
  return new CupelError("invalid_input", `the proof was made with other tools: ${differing.join("; ")}`, {
    expected: "the same versions, since verdicts depend on them",
    hint: "cupel verify --proof FILE --any-version (reaches the verdicts with the tools that are here)",
  });
}
