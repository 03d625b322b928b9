// Looks for ways to reach a model on this machine; of a key only its presence is ever looked at.
import type { Check } from "../domain/diagnosis.ts";

const KEYS = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"];

export function probeKeys(env: Readonly<Record<string, string | undefined>>): Check {
  const present = KEYS.filter((key) => (env[key] ?? "").trim() !== "");
  if (present.length > 0)
    return { name: "keys", required: false, status: "ok", found: `${present.join(", ")} set` };
  return {
    name: "keys",
    required: false,
    status: "absent",
    found: `none of ${KEYS.join(", ")} is set`,
    cost: "only scripted agents run; no model is asked",
    fix: "export ANTHROPIC_API_KEY=…",
  };
}
