// A contract that its settled version could never ship is sent back while somebody can still draft another one.
import { expect, onTestFinished, test } from "vitest";
import { openGround } from "../../../test/engineering-ground.ts";
import { CLAMP_CONTRACT } from "../../../test/module-samples.ts";
import { shipSample } from "../../../test/shipped-sample.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { inspect } from "./inspect.ts";

test("what breaks callers cannot be drafted as a version that does not say so", async () => {
  const ground = await openGround(temporaryDirectory());
  onTestFinished(() => ground.close());
  await shipSample(ground, CLAMP_CONTRACT);
  const [first, ...others] = CLAMP_CONTRACT.inputs;
  if (first === undefined) throw new Error("no input");
  const breaking = { ...CLAMP_CONTRACT, inputs: [{ ...first, constraints: ["is even"] }, ...others] };
  const problems = await inspect(ground.ports, { ...breaking, module_version: "1.1.0" });
  expect(problems).toContainEqual(expect.stringMatching(/cannot be the next version: .* it breaks callers/));
  const told = await inspect(ground.ports, { ...CLAMP_CONTRACT, module_version: "1.0.1" });
  expect(told.join()).not.toContain("next version");
});
