// `cupel regress`: old suites on the newest version and on work in a folder, offline, with what fails named.
import { expect, test } from "vitest";
import { type Ended, startCupel } from "./cupel-process.ts";
import { LONG, shipped, world } from "./ship-bench.ts";
import { CLAMP_SAMPLE, next } from "./ship-samples.ts";
import { placeWith } from "./verify-process.ts";

function runCupel(directory: string, args: string[]): Promise<Ended> {
  return startCupel(directory, args, {}, 150_000).ended;
}

test("suites of a major on its newest version and on a folder; an empty set is an error", LONG, async () => {
  const ports = await world();
  const { project } = ports.hub;
  await shipped(ports, CLAMP_SAMPLE);
  const alone = await runCupel(project, ["regress", "MM-clamp"]);
  expect(alone.err).toMatch(
    /MM-clamp@1\.0\.0 is the first version of its major, so there is nothing earlier to run[^]*next: cupel regress MM-clamp --against FOLDER/,
  );
  expect(alone.code).toBe(2);

  const fewer = (CLAMP_SAMPLE.files["test/clamp.test.ts"] ?? "").replace("    [3, 3, 3, 3],\n", "");
  await shipped(ports, next(CLAMP_SAMPLE, "1.0.1", { files: { "test/clamp.test.ts": fewer } }));
  const whole = await runCupel(project, ["regress", "MM-clamp@1.0.0", "--json"]);
  expect(JSON.parse(whole.out)).toMatchObject({
    module: "MM-clamp@1.0.1",
    against: null,
    passed: true,
    versions: [{ of: "MM-clamp@1.0.0", tests: 6, passed: 6, findings: [] }],
    reported: { verdict: { liveness: { planted: "an implementation that throws", refused: true } } },
  });
  expect(whole.code).toBe(0);

  const work = placeWith({
    ...CLAMP_SAMPLE.files,
    // Only what the dropped test asks for: no property may come upon it by chance.
    "src/index.ts": (CLAMP_SAMPLE.files["src/index.ts"] ?? "").replace(
      "low > high)",
      "low > high || [value, low, high].every((each) => each === 3))",
    ),
    "test/clamp.test.ts": fewer,
  });
  const broken = await runCupel(project, ["regress", "MM-clamp", "--against", work]);
  expect(broken.out).toMatch(
    /✕ MM-clamp@1\.0\.0 {2}5 of 6 tests pass\n {6}"clamp > 3 within 3 and 3 is 3" of MM-clamp@1\.0\.0 \(test\/clamp\.test\.ts\) is now failed: .*low is above high/,
  );
  expect(broken.out).toMatch(/✓ MM-clamp@1\.0\.1 {2}5 of 5 tests pass\n/);
  expect(broken.out).toMatch(/Refused: .*\n.*interface change exception.*`cupel ice`/);
  expect(broken.code).toBe(13);

  const unknown = await runCupel(project, ["regress", "MM-clam"]);
  expect(unknown.err).toMatch(/MM-clam has not shipped[^]*did you mean MM-clamp\?/);
  expect(unknown.code).toBe(2);
});
