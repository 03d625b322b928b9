// What a trial of the key finds, and what it says to type next; the provider is played on loopback in its own form.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KEY, provider, REACHED, refusal, type Reply, STAND_IN } from "../../../test/loopback-provider.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import type { Check } from "../../domain/diagnosis.ts";
import type { Trying } from "../../factory/try-model.ts";
import { checkModel } from "./doctor-model.ts";

/** Whatever is told, nothing of the key is. */
async function tried(
  env: Record<string, string>,
  more: Partial<Trying> = {},
): Promise<Check & { told: string }> {
  const told: string[] = [];
  const check = await checkModel(
    {
      directory: temporaryDirectory(),
      env,
      signal: new AbortController().signal,
      load: () => import(STAND_IN),
      ...more,
    },
    (line) => told.push(line),
  );
  expect(JSON.stringify([check, told])).not.toMatch(/dummy|of-the-test/);
  return { ...check, told: told.join("\n") };
}

test("one call, bounded; it is said what was asked, of whom, and what it cost", async () => {
  const { env, heard } = await provider(REACHED);
  const check = await tried(env);
  expect(check.status).toBe("ok");
  expect(check.found).toMatch(
    /^anthropic:claude-sonnet-5 answered after \d+\.\d s · 400 tokens read, 20 written · \$0\.0010$/,
  );
  expect(check.told).toContain(
    'asking anthropic:claude-sonnet-5 (runtime model): "Say that you can be reached."',
  );
  expect(check.told).toContain("at most 1500 tokens read and 256 written, 30 s; at most $0.0086");
  expect(heard.map(({ key }) => key)).toEqual([KEY]);
  expect(JSON.parse(heard[0]?.body ?? "")).toMatchObject({ model: "claude-sonnet-5", max_tokens: 256 });
});

test("the model that the settings name is asked, or the one that is told; a price that is unknown is said", async () => {
  const { env, heard } = await provider(REACHED);
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "cupel.config.json"), '{ "models": { "strong": "anthropic:claude-x" } }');
  const named = await tried(env, { directory });
  expect(named).toMatchObject({
    status: "ok",
    found: expect.stringMatching(/cost unknown\n.*unknownPrices/),
  });
  await tried(env, { directory, model: "anthropic:claude-y" });
  expect(heard.map(({ body }) => /"model":"([^"]*)"/.exec(body)?.[1])).toEqual(["claude-x", "claude-y"]);
});

const SAID = `x-api-key: ${KEY}`;

test.each<[string, Reply, RegExp, RegExp]>([
  [
    "a refused key",
    refusal(401, "authentication_error", SAID),
    /anthropic refused the key \(status 401\)$/,
    /^export ANTHROPIC_API_KEY=… with a key that is valid/,
  ],
  [
    "no credit",
    refusal(400, "invalid_request_error", "Your credit balance is too low."),
    /cannot be asked: Your credit balance is too low/,
    /^look at the plan and the credit of anthropic/,
  ],
  [
    "a rate limit",
    refusal(429, "rate_limit_error", `Too many requests for ${SAID}`),
    /asks to come back in 7 s: Too many requests/,
    /^wait, then cupel doctor --try-key; .*credit of your account with anthropic/,
  ],
  [
    "an unknown model",
    refusal(404, "not_found_error", "model: claude-sonnet-5"),
    /cannot be asked: model: claude-sonnet-5$/,
    /^look at the name of the model under models/,
  ],
  [
    "a provider that fails",
    {
      status: 500,
      body: { type: "error", error: { type: "api_error", message: "Internal\u001B[2J error" } },
    },
    /cannot be reached: Internal\\u001b\[2J error/,
    /^look at the network and HTTPS_PROXY, and ANTHROPIC_BASE_URL/,
  ],
])("%s is told with what to do next", async (_, reply, found, fix) => {
  const { env, heard } = await provider(reply);
  const check = await tried(env);
  expect(check).toMatchObject({ status: "unfit", required: true });
  expect(check.found).toMatch(found);
  expect(check.fix).toMatch(fix);
  expect(heard).toHaveLength(1);
});

test("nobody at the address", async () => {
  const { env, close } = await provider(REACHED);
  close();
  const { found, fix } = await tried(env);
  expect(found).toMatch(/cannot be reached/);
  expect(fix).toMatch(/ANTHROPIC_BASE_URL/);
});

test.each<[string, Record<string, string>, Partial<Trying>, RegExp, RegExp]>([
  ["no key and no model", {}, {}, /no model is named/, /export ANTHROPIC_API_KEY=…/],
  [
    "a model and no key",
    {},
    { model: "anthropic:claude-sonnet-5" },
    /there is no key for anthropic/,
    /^export ANTHROPIC_API_KEY=…/,
  ],
  ["a model that is none", {}, { model: "claude" }, /provider and a model/, /./],
  [
    "no package",
    { ANTHROPIC_API_KEY: KEY },
    { load: (name) => import(name) },
    /needs the package @langchain\/anthropic/,
    /^npm install @langchain\/anthropic@/,
  ],
])("%s is told before anything is sent", async (_, env, more, found, fix) => {
  const check = await tried(env, more);
  expect(check.status).toBe("unfit");
  expect(check.found).toMatch(found);
  if (check.fix !== undefined) expect(check.fix).toMatch(fix);
});
