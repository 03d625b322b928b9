// The folder of a trial: registered once, unchanged from the first run on, one process at a time.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary.ts";
import { sampleTrial } from "../../test/trial-run-samples.ts";
import { protocolHash } from "../domain/trial/trial-protocol.ts";
import { holdFolder, lockProtocol, placesOf, protocolIn, registerTrial, trialsIn } from "./trial-folder.ts";

async function registered(): Promise<string> {
  const folder = join(temporaryDirectory(), "trial");
  await registerTrial(folder, sampleTrial());
  return folder;
}

function rewrite(folder: string, change: object): void {
  const { protocol } = placesOf(folder);
  writeFileSync(protocol, JSON.stringify({ ...sampleTrial(), ...change }));
}

test("what is registered is read again, and registered once", async () => {
  const folder = await registered();
  expect(await protocolIn(folder)).toEqual(sampleTrial());
  expect(existsSync(placesOf(folder).lock)).toBe(false);
  await expect(registerTrial(folder, sampleTrial({ seeds: [7] }))).rejects.toThrow("holds a trial already");
  expect(await protocolIn(folder)).toEqual(sampleTrial());
});

test("it may be changed before the lock, and not after it", async () => {
  const folder = await registered();
  rewrite(folder, { seeds: [3] });
  const protocol = await protocolIn(folder);
  expect(protocol.seeds).toEqual([3]);
  await lockProtocol(folder, protocol);
  expect(JSON.parse(readFileSync(placesOf(folder).lock, "utf8"))).toEqual({ sha256: protocolHash(protocol) });
  rewrite(folder, { seeds: [3], primary: "correctness" });
  await expect(protocolIn(folder)).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining("was changed after the trial had begun"),
    expected: expect.stringContaining(protocolHash(protocol)),
    hint: expect.stringContaining("cupel trial init"),
  });
  // Another order of keys and other spaces are no other protocol.
  const same = Object.fromEntries(Object.entries(protocol).toReversed());
  writeFileSync(placesOf(folder).protocol, JSON.stringify(same, null, 7));
  expect(await protocolIn(folder)).toEqual(protocol);
});

test("a second lock does not take the place of the first one", async () => {
  const folder = await registered();
  await lockProtocol(folder, sampleTrial());
  await lockProtocol(folder, sampleTrial({ seeds: [9] }));
  expect(await protocolIn(folder)).toEqual(sampleTrial());
});

test.each([
  ["{", "is not JSON"],
  ['{"name":"x"}', "is not the protocol of a trial"],
])("%s is no protocol", async (text, message) => {
  const folder = await registered();
  writeFileSync(placesOf(folder).protocol, text);
  await expect(protocolIn(folder)).rejects.toThrow(message);
});

test("a damaged lock is no leave to change the protocol", async () => {
  const folder = await registered();
  writeFileSync(placesOf(folder).lock, "");
  await expect(protocolIn(folder)).rejects.toThrow("is not JSON");
});

test("trials below a folder are found in the order of their values, and none is refused", async () => {
  const folder = temporaryDirectory();
  expect(() => trialsIn(folder)).toThrow("there is no trial in");
  expect(() => trialsIn(join(folder, "nowhere"))).toThrow("there is no trial in");
  for (const name of ["defect-0.25", "defect-0.9", "defect-0.1"])
    await registerTrial(join(folder, name), sampleTrial());
  const found = trialsIn(folder).map((each) => each.slice(folder.length + 1));
  expect(found).toEqual(["defect-0.1", "defect-0.25", "defect-0.9"]);
});

test("of two, the second is refused and told who is there; afterwards it is let in", async () => {
  const folder = await registered();
  const letGo = await holdFolder(folder);
  await expect(holdFolder(folder, 0)).rejects.toMatchObject({
    code: "run_held",
    message: `the process ${process.pid} works on the trial in ${folder}`,
  });
  await letGo();
  await (
    await holdFolder(folder, 0)
  )();
});
