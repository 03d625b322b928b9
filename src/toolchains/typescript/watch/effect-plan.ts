// What the watch on effects is told, and under which name it reports.

export interface EffectPlan {
  sources: readonly string[];
}

export const EFFECTS_KEY = "effects";
