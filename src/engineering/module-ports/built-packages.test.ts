// What an agent's tests run with is what the door would judge with: the recorded versions, by the same names.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openGround } from "../../../test/engineering-ground.ts";
import { PERCENT_CONTRACT, PERCENT_FILES, shipClamp } from "../../../test/module-ground.ts";
import { CLAMP, CLAMP_CONTRACT } from "../../../test/module-samples.ts";
import { shipSample } from "../../../test/shipped-sample.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { folderFor } from "../module-folder.ts";
import { directProvisions, sealedProvisions } from "../provisions.ts";
import { shelfOf } from "../ship/shelf.ts";
import { packageOf, WHOLE } from "../ship/store-files.ts";
import { builtPackages } from "./built-packages.ts";

/** What has shipped does not depend on where one stands. */
const NO_COMMIT = "";

const OTHER = {
  ...CLAMP,
  "src/index.ts": (CLAMP["src/index.ts"] ?? "").replace("low is above high", "another version speaks"),
};

test("a dependency comes with what it was built with, whatever has shipped since", async () => {
  const ground = await openGround(temporaryDirectory());
  onTestFinished(() => ground.close());
  const { ports } = ground;
  const clamp = await shipClamp(ground);
  const percent = await shipSample(ground, PERCENT_CONTRACT, PERCENT_FILES, [clamp]);
  for (const module_version of ["1.1.0", "2.0.0"])
    await shipSample(ground, { ...CLAMP_CONTRACT, module_version }, OTHER);

  const around = await sealedProvisions(ports.store).around([percent], NO_COMMIT);
  const built = await builtPackages(around, join(temporaryDirectory(), "built"));
  expect(built.map(({ ref, name }) => [ref, name])).toEqual([
    [percent, "percent"],
    [clamp, "clamp"],
  ]);
  const shelf = await shelfOf(ports);
  for (const [index, placed] of shelf.around([percent]).entries()) {
    const door = await packageOf(ports.store, placed, WHOLE);
    const { directory = "", canary = "", texts = [] } = built[index] ?? {};
    const code = door.files["index.js"] ?? "";
    expect(texts).toEqual([code]);
    expect(readFileSync(join(directory, "index.js"), "utf8")).toBe(`${code}\n/* ${canary} */\n`);
    expect(readFileSync(join(directory, "types/index.d.ts"), "utf8")).toBe(door.files["types/index.d.ts"]);
  }
  expect(built[1]?.texts.join()).toContain("low is above high");
});

test("whoever builds on an older major version imports it by its plain name, as at the door", async () => {
  const ground = await openGround(temporaryDirectory());
  onTestFinished(() => ground.close());
  const clamp = await shipClamp(ground);
  const newer = await shipSample(ground, { ...CLAMP_CONTRACT, module_version: "2.0.0" }, OTHER);
  const shelf = await shelfOf(ground.ports);
  const namesOf = async (refs: string[]) => {
    const direct = await directProvisions(sealedProvisions(ground.ports.store), refs, NO_COMMIT);
    return direct.map(({ ref, name }) => [ref, name]);
  };
  expect(await namesOf([clamp])).toEqual([[clamp, "clamp"]]);
  expect(await namesOf([newer, clamp])).toEqual([
    [newer, "clamp"],
    [clamp, "clamp@1"],
  ]);
  expect(folderFor(shelf, "MM-clamp", "Clamp, under another name")).toBe("clamp");
  expect(folderFor(shelf, "MM-other", "Clamp")).toBe("clamp-mm-other");
});
