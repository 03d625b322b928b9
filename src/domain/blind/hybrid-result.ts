// Everything that one module's way through the blind protocol came to, and the work it leaves for the next time.
import { z } from "zod";
import { CoverageReport } from "../evidence/coverage.ts";
import { CostUsd } from "../evidence/gate-verdict.ts";
import { BlindnessCertificate } from "../evidence/blindness-certificate.ts";
import { ModuleId, ModuleRef, TaskId, Text } from "../refs.ts";
import { MatrixCell } from "./cross-check.ts";
import { FunctionSpec } from "./function-spec.ts";
import { MutationResult } from "./suite-verdict.ts";
import { TypeHole, TypeVerdict } from "./type-hole.ts";
import { Understanding } from "./understanding.ts";
import { WitnessReport } from "./witness.ts";

export const TypeAdversaryResult = z.strictObject({
  verdict: TypeVerdict,
  /** Of the last round; those of earlier rounds were fixed. */
  holes: z.array(TypeHole),
  fixed: z.array(TypeHole),
});
export type TypeAdversaryResult = z.infer<typeof TypeAdversaryResult>;

const { result, barrier } = BlindnessCertificate.shape;
const Blindness = z.strictObject({ result, barrier });

export const HybridResult = z.strictObject({
  task: TaskId,
  module: ModuleId,
  /** What shipped; null where it halted. */
  shipped: ModuleRef.nullable(),
  /** The question that a person was left with. */
  halted: Text.nullable(),
  spec: z.array(FunctionSpec),
  coverage: CoverageReport.nullable(),
  understanding: Understanding,
  typeAdversary: TypeAdversaryResult.nullable(),
  mutationAdversary: MutationResult.nullable(),
  matrix: z.array(MatrixCell),
  witness: WitnessReport,
  blindness: Blindness.nullable(),
  echoesDropped: z.int().min(0),
  totalCost: CostUsd,
});
export type HybridResult = z.infer<typeof HybridResult>;

export const WorkItem = z.strictObject({
  kind: z.enum(["survivor", "hole", "uncovered", "concern"]),
  module: ModuleId,
  about: Text,
  todo: Text,
});
export type WorkItem = z.infer<typeof WorkItem>;

/** What adversaries and coverage left open, as things to do. */
export function workItems(result: HybridResult): WorkItem[] {
  const { module, mutationAdversary, typeAdversary, coverage, witness } = result;
  const gaps = new Map((mutationAdversary?.gaps ?? []).map((gap) => [gap.mutant, gap]));
  return [
    ...(mutationAdversary?.survivors ?? []).map((survivor) => {
      const gap = gaps.get(survivor.id);
      const change = `${survivor.original} became ${survivor.replacement}`;
      const about = `${survivor.where}: ${change}${survivor.critical ? " (critical)" : ""}`;
      const todo = gap?.suggested.invariant ?? "add a test that notices it, or show that nothing could";
      return { kind: "survivor" as const, module, about, todo };
    }),
    ...(typeAdversary?.holes ?? []).map(({ severity, description, suggestedFix }) => ({
      kind: "hole" as const,
      module,
      about: `${severity}: ${description}`,
      todo: suggestedFix,
    })),
    ...(coverage?.functionsUncovered ?? []).map((name) => ({
      kind: "uncovered" as const,
      module,
      about: `the function ${name}`,
      todo: "write a property that calls it",
    })),
    ...(coverage?.sketchesUncovered ?? []).map((name) => ({
      kind: "uncovered" as const,
      module,
      about: `the sketch ${name}`,
      todo: "write the property it describes",
    })),
    ...witness.concerns.map(({ text }) => ({
      kind: "concern" as const,
      module,
      about: text,
      todo: "look into it before the next version",
    })),
  ];
}
