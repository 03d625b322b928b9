// Runs the gates on one module: cheap ones first, independent ones at the same time, none after one has blocked.
import { blocks, judge } from "../domain/evidence/gate-verdict.ts";
import type { GateVerdict } from "../domain/evidence/gate-verdict.ts";
import { missingNeeds } from "../domain/evidence/gate.ts";
import type { GateName, GateNeed } from "../domain/evidence/gate.ts";
import { Facts } from "./facts.ts";
import { EVERY_GATE } from "./gates/every-gate.ts";
import { noCache, proveLiveness } from "./liveness.ts";
import type { LivenessCache } from "./liveness.ts";
import type { ModuleUnderTest } from "./module-under-test.ts";
import type { Figures, GateDefinition } from "./port.ts";
import { type Found, NOTHING_KNOWN, type Recall, recallOf, type VerdictMemory } from "./verdict-memory.ts";

export interface VerifyRequest {
  module: Omit<ModuleUnderTest, "signal">;
  place: "ship" | "verify";
  /** Only these; all without it. */
  only?: readonly GateName[];
  /** Go on although a gate blocks. */
  all: boolean;
  cache: LivenessCache;
  /** What may be taken over, but never the verdicts of gates that are to look themselves. */
  known?: { memory: VerdictMemory; never?: readonly GateName[] };
  /** Keeps what a verdict rests on and returns its address. */
  keep: (evidence: unknown) => Promise<string>;
  /** Called for each gate as soon as it is decided. */
  onVerdict?: (reported: Reported) => void;
  signal?: AbortSignal;
}

export interface Reported {
  verdict: GateVerdict;
  /** What it looked at, in words. */
  summary: string;
  /** What it counted, where it counts. */
  figures?: Figures;
  blocks: boolean;
}

export async function verify(request: VerifyRequest): Promise<Reported[]> {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, ...(request.signal === undefined ? [] : [request.signal])]);
  const facts = new Facts({ ...request.module, signal });
  // Without a sandbox the tests could have written there, or have said anything.
  const { cache, known } =
    request.module.site.level === "none" ? { cache: noCache(), known: undefined } : request;
  const recall = known === undefined ? NOTHING_KNOWN : recallOf(facts, known.memory, known.never);
  const wanted = EVERY_GATE.filter(({ name }) => request.only?.includes(name) !== false);
  const reported = new Map<GateName, Reported>();
  let blocker: GateName | undefined;
  const begun: Promise<unknown>[] = [];
  try {
    begun.push(...beginEarly(await unknownOf(wanted, recall), facts));
    for (const stage of stages(wanted)) {
      const verdicts = stage.map(async (gate) => {
        const result =
          blocker === undefined
            ? await decide(gate, facts, { ...request, cache, recall })
            : notRun(gate.name, [`${blocker} blocks`]);
        const isBlocking = blocks(result.verdict, request.module.rigor, request.place);
        if (isBlocking && !request.all && blocker === undefined) {
          blocker = gate.name;
          stop.abort();
        }
        const one = { ...result, blocks: isBlocking };
        reported.set(gate.name, one);
        request.onVerdict?.(one);
      });
      await Promise.all(verdicts);
    }
  } finally {
    stop.abort();
    await Promise.allSettled(begun);
    await facts.remove();
  }
  return wanted.flatMap(({ name }) => reported.get(name) ?? []);
}

/** What reads costs little and fails often; what runs the tests comes next, once or many times; neighbours last. */
const STAGES: readonly (readonly GateName[])[] = [
  ["build", "static", "surface", "tests-untouched", "claims", "tidy", "blindness"],
  ["green", "red-on-skeleton", "coverage", "contract-coverage", "layers", "effects", "examples", "mutation"],
  ["integration", "regression", "e2e"],
  // Measured alone: whatever runs beside it would be measured too.
  ["budget"],
];

/** What will be waited for later runs beside what is read first; it is stopped with everything else. */
function beginEarly(wanted: readonly GateDefinition[], facts: Facts): Promise<unknown>[] {
  return wanted.flatMap(({ name, early }) => {
    if (early === undefined || missingNeeds(name, available(facts.module, name)).length > 0) return [];
    const work = early(facts);
    // Whoever waits for it is told of the failure.
    work.catch(() => undefined);
    return [work];
  });
}

async function unknownOf(wanted: readonly GateDefinition[], recall: Recall): Promise<GateDefinition[]> {
  const known = await Promise.all(wanted.map(({ name }) => recall.known(name)));
  return wanted.filter((_, at) => known[at] === undefined);
}

function stages(wanted: readonly GateDefinition[]): GateDefinition[][] {
  return STAGES.map((names) => wanted.filter(({ name }) => names.includes(name)));
}

type Decided = Omit<Reported, "blocks">;

async function decide(
  gate: GateDefinition,
  facts: Facts,
  request: VerifyRequest & { recall: Recall },
): Promise<Decided> {
  const missing = missingNeeds(gate.name, available(facts.module, gate.name));
  if (missing.length > 0) return notRun(gate.name, missing);
  const known = await request.recall.known(gate.name);
  const found = known ?? (await look(gate, facts, request));
  if (known === undefined) await request.recall.keep(gate.name, found);
  const { evidence, verdict, ...told } = found;
  if (evidence === undefined) return { ...told, verdict };
  return { ...told, verdict: { ...verdict, evidence: [await request.keep(evidence)] } };
}

async function look(gate: GateDefinition, facts: Facts, request: VerifyRequest): Promise<Found> {
  const started = performance.now();
  const report = { gate: gate.name, evidence: [], costUsd: 0 };
  const took = () => ({ durationMs: performance.now() - started });
  const undecided = (message: string): Found => ({
    verdict: { verdict: "ERROR", ...report, ...took(), denominator: 0, findings: [], message },
    summary: message,
  });
  try {
    const seen = await gate.look(facts);
    switch (seen.kind) {
      case "not-applicable": {
        const { derivedFrom } = seen;
        const verdict = {
          verdict: "NOT_APPLICABLE" as const,
          ...report,
          ...took(),
          denominator: 0 as const,
          findings: [],
          derivedFrom,
        };
        return { verdict, summary: derivedFrom };
      }
      case "error":
        return facts.module.signal.aborted ? stopped(gate.name) : undecided(seen.message);
      case "looked": {
        const { looked, findings, summary, figures, evidence } = seen;
        // A gate that has just said no need not show that it can.
        const liveness = findings.length > 0 ? undefined : await proveLiveness(gate, facts, request.cache);
        // A plant whose run was cut off was not let pass.
        if (liveness?.refused === false && facts.module.signal.aborted) return stopped(gate.name);
        const verdict = judge({ ...report, ...took(), looked, findings, liveness });
        return { verdict, summary, ...(figures === undefined ? {} : { figures }), evidence };
      }
    }
  } catch (error) {
    if (facts.module.signal.aborted) return stopped(gate.name);
    const message = error instanceof Error ? error.message : String(error);
    return undecided(message);
  }
}

function stopped(gate: GateName): Decided {
  return notRun(gate, ["stopped, because another gate blocks"]);
}

function notRun(gate: GateName, missing: string[]): Decided {
  const verdict = {
    verdict: "NOT_RUN" as const,
    gate,
    evidence: [],
    durationMs: 0,
    costUsd: 0,
    denominator: 0 as const,
    findings: [],
    missing,
  };
  return { verdict, summary: missing.join(", ") };
}

/**
 * A sandbox is enough of a run to see effects in, and a product to run it; who could see whom is known only of a run of
 * the factory.
 */
function available(
  { contract, claims, base, examples, earlier, certificate, site, product }: ModuleUnderTest,
  gate: GateName,
): GateNeed[] {
  const ran =
    certificate !== undefined ||
    (gate === "effects" && site.level !== "none") ||
    (gate === "e2e" && product !== undefined);
  return [
    ...(contract === undefined ? [] : ["contract" as const]),
    ...(claims === undefined ? [] : ["claims" as const]),
    ...(base === undefined ? [] : ["base" as const]),
    ...(examples === undefined ? [] : ["examples" as const]),
    ...(earlier === undefined ? [] : ["earlier" as const]),
    ...(ran ? ["run" as const] : []),
  ];
}
