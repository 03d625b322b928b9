// The tests notice when the code is changed: enough mutants are killed, and no critical one survives.
import { criticalSurvivors, isCritical, isKilled, mutationScore } from "../../domain/evidence/mutant.ts";
import type { Mutant } from "../../domain/evidence/mutant.ts";
import type { Finding } from "../../domain/evidence/gate-verdict.ts";
import type { Rigor } from "../../domain/evidence/rigor.ts";
import { isGreen } from "../../domain/evidence/test-result.ts";
import { type Facts, MUTANTS } from "../facts.ts";
import { lineCount, withGuard } from "../plants-beside.ts";
import type { GateDefinition, Look } from "../port.ts";

export const mutation: GateDefinition = {
  name: "mutation",
  look: async (facts) => {
    const report = await facts.mutants();
    if (report.kind === "impossible")
      return (await redSuite(facts)) ?? { kind: "error", message: report.why };
    const { mutants } = report;
    const score = mutationScore(mutants);
    if (score === undefined && mutants.length === 0)
      return { kind: "not-applicable", derivedFrom: "the code has nothing that a mutant could change" };
    const counted = mutants.filter(({ status }) => status !== "equivalent" && status !== "invalid");
    const killed = counted.filter((mutant) => isKilled(mutant)).length;
    const equivalent = mutants.filter(({ status }) => status === "equivalent").length;
    const extra = equivalent === 0 ? "" : `, ${equivalent} equivalent`;
    return {
      kind: "looked",
      looked: counted.length,
      summary: `${killed} of ${counted.length} mutants killed${extra}`,
      findings: findingsOf(mutants, score, facts.module.rigor),
      evidence: mutants,
    };
  },
  plant: async (facts) => {
    const { site } = facts.module;
    const { entry } = site.layout;
    const spoiled = await facts.spoiled({ edits: withGuard(site) });
    await spoiled.once(MUTANTS, () => facts.mutantsWithPlant());
    const length = lineCount(site, entry);
    return {
      kind: "planted",
      what: "a guard that no test needs",
      facts: spoiled,
      refusedBy: [
        ({ rule, file, line = 0 }) => rule === "critical-survivor" && file === entry && line > length,
      ],
    };
  },
  early: (facts) => facts.mutantsWithPlant(),
};

const RED = "the tests do not pass on the code as it is, so they tell no mutant from it";

/** What fails anyhow kills nothing, and leaves alive whatever is critical. */
async function redSuite(facts: Facts): Promise<Look | undefined> {
  const report = await facts.run();
  if (report.kind === "no-report" || isGreen(report.run).kind === "green") return undefined;
  const { results } = report.run;
  if (results.length === 0) return undefined;
  return {
    kind: "looked",
    looked: results.length,
    summary: "no mutant can be told from the code as it is",
    findings: [
      { rule: "too-few-killed", message: RED },
      { rule: "critical-survivor", message: RED, settledBy: "mutation.criticalSurvivorsBlock" },
    ],
    // Of mutants, whoever reads it; none was judged.
    evidence: [],
  };
}

function findingsOf(mutants: Mutant[], score: number | undefined, { mutation: policy }: Rigor): Finding[] {
  const critical = criticalSurvivors(mutants).map((mutant) => ({
    ...survivor(mutant),
    rule: "critical-survivor",
    settledBy: "mutation.criticalSurvivorsBlock" as const,
  }));
  const claimed = mutants.filter(({ status }) => status === "equivalent");
  // Whatever is done to one piece of code is one claim: that a cache makes no difference, say.
  const claims = new Set(claimed.map(({ file, line, original }) => JSON.stringify([file, line, original])));
  const tooMany =
    claims.size > policy.maxEquivalentClaims
      ? [{ rule: "equivalent-claims", message: claimsText(claims.size, policy) }, ...claimed.map(survivor)]
      : [];
  if (score === undefined || score >= policy.minKilled) return [...critical, ...tooMany];
  const asked = `${Math.round(score * 1000) / 10} % of the mutants are killed, ${policy.minKilled * 100} % are asked`;
  const others = mutants.filter((mutant) => !isKilled(mutant) && !isCritical(mutant) && counts(mutant));
  return [...critical, ...tooMany, { rule: "too-few-killed", message: asked }, ...others.map(survivor)];
}

function claimsText(count: number, { maxEquivalentClaims }: Rigor["mutation"]): string {
  const simpler = "write what could as well be written otherwise in a simpler way";
  return `mutants at ${count} places are called equivalent, at most ${maxEquivalentClaims} may be; ${simpler}`;
}

function counts({ status }: Mutant): boolean {
  return status !== "equivalent" && status !== "invalid";
}

function survivor({ file, line, original, replacement, status }: Mutant): Finding {
  const how = HOW_IT_LIVES[status] ?? "no test notices";
  const message = `${how}: ${squeezed(original)} → ${squeezed(replacement)}`;
  return { rule: "survivor", file, line, message };
}

const HOW_IT_LIVES: Partial<Record<Mutant["status"], string>> = {
  noCoverage: "no test runs it",
  equivalent: "no input tells",
};

function squeezed(code: string): string {
  const line = code.replaceAll(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
