// A key in the environment, as a user has it: doctor tries it when asked, and it is enough for the first run. The key is a
// dummy and must never be seen again.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Diagnosis } from "../src/domain/diagnosis.ts";
import { arbiterInput } from "./agent-samples.ts";
import { type Ended, startCupel } from "./cupel-process.ts";
import { sampleProject } from "./git-samples.ts";
import { KEY, provider, REACHED, refusal } from "./loopback-provider.ts";
import { temporaryDirectory } from "./temporary.ts";

const WITH_STAND_IN = {
  NODE_OPTIONS: `--import ${fileURLToPath(new URL("stand-in-hook.mjs", import.meta.url))}`,
};
const LONG = 60_000;

/** Whatever is printed, nothing of the key is. */
async function cupel(directory: string, args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const ended = await startCupel(directory, args, { ...WITH_STAND_IN, ...env }).ended;
  expect(ended.out + ended.err).not.toMatch(/dummy|of-the-test/);
  return ended;
}

test("doctor makes no call unless it is asked to, and then one", { timeout: LONG }, async () => {
  const { env, heard } = await provider(REACHED);
  const directory = temporaryDirectory();
  expect((await cupel(directory, ["doctor"], env)).code).toBe(0);
  expect(heard).toEqual([]);
  const { code, out, err } = await cupel(directory, ["doctor", "--try-key", "--json"], env);
  expect(code).toBe(0);
  expect(Diagnosis.parse(JSON.parse(out)).checks.at(-1)).toMatchObject({ name: "model", status: "ok" });
  expect(err).toContain("ANTHROPIC_API_KEY is set, so: anthropic:claude-sonnet-5");
  expect(heard.map(({ key }) => key)).toEqual([KEY]);
});

test("a key that is refused is no readiness", { timeout: LONG }, async () => {
  const { env } = await provider(refusal(401, "authentication_error", `x-api-key: ${KEY}`));
  const { code, out } = await cupel(temporaryDirectory(), ["doctor", "--try-key"], env);
  expect(code).toBe(78);
  expect(out).toMatch(
    /✕ model .*refused the key \(status 401\)\n.*\n +to get it: +export ANTHROPIC_API_KEY=…/,
  );
});

test("Ctrl-C ends the wait for a provider that says nothing", { timeout: LONG }, async () => {
  const { env, heard } = await provider(undefined);
  const trying = startCupel(temporaryDirectory(), ["doctor", "--try-key"], { ...WITH_STAND_IN, ...env });
  await expect.poll(() => heard.length, { timeout: 30_000 }).toBe(1);
  trying.child.kill("SIGINT");
  expect(await trying.ended).toMatchObject({
    code: 130,
    out: expect.stringContaining("had not answered yet"),
  });
});

test("a key is enough for cupel ask, which says what it chose", { timeout: LONG }, async () => {
  const { env, heard } = await provider(refusal(401, "authentication_error", "no"));
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "input.json"), JSON.stringify(arbiterInput()));
  const { code, err } = await cupel(directory, ["ask", "arbiter", "--input", "input.json"], env);
  expect(code).toBe(27);
  expect(err).toContain("no model is named in cupel.config.json; ANTHROPIC_API_KEY is set, so: anthropic:");
  expect(err).toContain("asking the arbiter: anthropic:claude-opus-5-5");
  expect(heard.map(({ key }) => key)).toEqual([KEY]);
});

test("a key is enough for cupel run; without one nobody is asked to begin", { timeout: LONG }, async () => {
  const directory = sampleProject({ "SPEC.md": "# A clock\n\nIt tells the time.\n" });
  const without = await cupel(directory, ["run", "--no-input"]);
  expect(without).toMatchObject({
    code: 78,
    err: expect.stringMatching(/ANTHROPIC_API_KEY[\s\S]*cupel demo/),
  });
  const { env, heard } = await provider(refusal(401, "authentication_error", "no"));
  const begun = await cupel(directory, ["run", "--yes"], env);
  expect(begun.err).toContain("ANTHROPIC_API_KEY is set, so: anthropic:claude-sonnet-5");
  expect(begun.err).toMatch(/refused the key[\s\S]*export ANTHROPIC_API_KEY/);
  expect(heard).toHaveLength(1);
});
