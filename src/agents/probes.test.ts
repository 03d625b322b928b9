// Of keys only their presence is ever told.
import { expect, test } from "vitest";
import { probeKeys } from "./probes.ts";

test("names the keys that are set and nothing of their values", () => {
  const check = probeKeys({ OPENAI_API_KEY: "sk-very-secret", ANTHROPIC_API_KEY: "  " });
  expect(check).toMatchObject({ status: "ok", found: "OPENAI_API_KEY set" });
  expect(JSON.stringify(check)).not.toContain("sk-");
});

test("without any key it says what that costs", () => {
  expect(probeKeys({})).toMatchObject({
    status: "absent",
    required: false,
    cost: "only scripted agents run; no model is asked",
  });
});
