// What each behaviour makes of honest work: always the same for the same seed.
import { expect, test } from "vitest";
import type { Role } from "../domain/artifact/role.ts";
import { DEFECTS, performed } from "./behaviours.ts";
import { EVERY_CASE } from "./cases/every-case.ts";
import { PARSE_QUANTITY } from "./cases/parse-quantity.ts";
import { readCast } from "./cast.ts";
import { chance } from "../domain/chance.ts";
import { honest } from "./honest.ts";
import type { Performance, SimulatedCall } from "./port.ts";

const SOURCE = "modules/parse-quantity/src/index.ts";
const TESTS = "modules/parse-quantity/test/parse-quantity.test.ts";

async function acted(spelling: string, role: Role = "builder", seed = 1, attempt = 1): Promise<Performance> {
  const module = PARSE_QUANTITY.planned.module_id;
  const call = (words = ""): SimulatedCall => ({
    key: { role, task: PARSE_QUANTITY.task.task_id, module, node: "build", attempt },
    role,
    system: "",
    prompt: "",
    workspace: role === "builder" ? "/somewhere" : undefined,
    tools: ["run_tests"],
    case: PARSE_QUANTITY,
    random: chance(seed, `${attempt} ${words}`),
  });
  const performance = honest(call(), EVERY_CASE);
  if (performance === undefined) throw new Error(`nobody plays the ${role}`);
  return performed(performance, readCast(spelling, []).behavioursOf(role), ({ name }) => call(name));
}

test("an honest agent writes the case", async () => {
  const { files, ending } = await acted("honest");
  expect(files[SOURCE]).toBe(PARSE_QUANTITY.sources["src/index.ts"]);
  expect(Object.keys(files)).toHaveLength(3);
  expect(ending).toBe("ok");
});

test("a lazy one leaves the stubs and tests nothing", async () => {
  const { files } = await acted("lazy");
  expect(Object.keys(files)).not.toContain(SOURCE);
  expect(files[TESTS]).toContain("expect(true).toBe(true)");
});

test("a wrong one hands in one defect, which depends on the seed alone", async () => {
  const seen = new Set<unknown>();
  for (let seed = 1; seed <= 20; seed += 1) {
    const { files } = await acted("wrong", "builder", seed);
    expect(files).toEqual((await acted("wrong", "builder", seed)).files);
    expect(files[SOURCE]).not.toBe(PARSE_QUANTITY.sources["src/index.ts"]);
    expect(files[TESTS]).toBe(PARSE_QUANTITY.tests["test/parse-quantity.test.ts"]);
    seen.add(files[SOURCE]);
  }
  expect(seen.size).toBe(3);
});

test("every defect has a case that it changes", () => {
  const sources = EVERY_CASE.flatMap(({ sources }) => Object.values(sources));
  for (const { from } of DEFECTS) expect(sources.some((text) => from.test(text))).toBe(true);
});

test("a flaky one fails about as often as it is told", async () => {
  const endings = await Promise.all(
    Array.from(
      { length: 200 },
      async (_, attempt) => (await acted("flaky/0.3", "builder", 7, attempt)).ending,
    ),
  );
  const failed = endings.filter((ending) => ending === "crash").length;
  expect(failed).toBeGreaterThan(40);
  expect(failed).toBeLessThan(80);
  expect((await acted("flaky/0", "builder")).ending).toBe("ok");
  expect((await acted("flaky/1", "builder")).ending).toBe("crash");
});

test("a crashing one leaves half a file; a slow, leaking one does both", async () => {
  const { files, ending } = await acted("crashing");
  expect(ending).toBe("crash");
  expect(Object.keys(files)).toHaveLength(2);
  expect(PARSE_QUANTITY.tests["test/parse-quantity.test.ts"]).toContain(files[TESTS]);
  expect(files[TESTS]).not.toBe(PARSE_QUANTITY.tests["test/parse-quantity.test.ts"]);
  const both = await acted("leaking+slow/100");
  expect(both.latencyMs).toBeGreaterThanOrEqual(50);
  expect(both.toolCalls.map(({ tool }) => tool)).toContain("run_tests");
  expect(both.files[SOURCE]).toBe(PARSE_QUANTITY.sources["src/index.ts"]);
});

test("a role without files has nothing to be lazy about", async () => {
  expect(await acted("lazy+wrong+leaking", "arbiter")).toEqual(await acted("honest", "arbiter"));
});
