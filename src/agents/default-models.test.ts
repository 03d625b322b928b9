// A key is enough to begin with; whatever a person named counts more.
import { describe, expect, test } from "vitest";
import { type Config, resolveConfig } from "../domain/config.ts";
import { castRole } from "./cast-role.ts";
import { chosenText, withModels } from "./default-models.ts";
import { priceOf } from "./prices.ts";
import { EVERY_ROLE } from "./roles/every-role.ts";

const KEY = { ANTHROPIC_API_KEY: "dummy-key-of-the-test" };

describe("without a named model", () => {
  test("a key opens models for every role, all with a known price, and nothing of the key is told", () => {
    const { config, chosen } = withModels(resolveConfig({}), KEY);
    for (const role of EVERY_ROLE) expect(priceOf(castRole(config, role).model)).toBeDefined();
    expect(chosen && chosenText(chosen)).toMatch(
      /ANTHROPIC_API_KEY is set, so: anthropic:\S+, and anthropic:/,
    );
    expect(JSON.stringify([config, chosen])).not.toContain("dummy");
  });

  test("a single role may still have a runtime that asks models", () => {
    const settings: Config = { runtime: "codex", roles: { arbiter: { runtime: "model" } } };
    expect(withModels(resolveConfig(settings), KEY).chosen).toMatchObject({ because: "ANTHROPIC_API_KEY" });
  });
});

test.each<[string, Config, Record<string, string>]>([
  ["there is no key", {}, {}],
  ["the key is empty", {}, { ANTHROPIC_API_KEY: " " }],
  ["the prices behind the key are unknown", {}, { OPENAI_API_KEY: "dummy-key-of-the-test" }],
  ["a model is named", { models: { standard: "a:b" } }, KEY],
  ["agents of their own play", { runtime: "codex" }, KEY],
])("nothing is chosen where %s", (_, settings, env) => {
  const config = resolveConfig(settings);
  expect(withModels(config, env)).toEqual({ config, chosen: undefined });
});
