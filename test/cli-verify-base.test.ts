// `cupel verify --base`: what tests and runner configuration must still be like.
import { describe, expect, test } from "vitest";
import { commitSample, sampleGit } from "./git-samples.ts";
import { CODE, moduleAt, placeWith, TESTS, verifyIn, writeInto } from "./verify-process.ts";

const TIMEOUT = { timeout: 110_000 };

function repository(files = moduleAt("double")): string {
  const place = placeWith({});
  sampleGit(place, "init", "--quiet", "--initial-branch=main");
  commitSample(place, { "readme.md": "" }, "before there was a module");
  commitSample(place, files);
  return place;
}

describe.concurrent("--base", () => {
  const args = ["double", "--only", "tests-untouched", "--base"];

  test(
    "a ref: tests as they were committed pass, changed ones and new configuration do not",
    TIMEOUT,
    async () => {
      const place = repository();
      writeInto(place, { "double/src/index.ts": CODE.replace("value * 2", "value + value") });
      const kept = await verifyIn(place, [...args, "main"]);
      expect(kept.out).toMatch(/✓ tests-untouched +1 test and configuration files/);
      writeInto(place, {
        "double/test/double.test.ts": `${TESTS}// and more\n`,
        "double/vitest.config.ts": "export default {};\n",
      });
      const touched = await verifyIn(place, [...args, "HEAD", "--json"]);
      expect(JSON.parse(touched.out)).toMatchObject({
        gates: [
          {
            verdict: {
              findings: [
                {
                  file: "double/test/double.test.ts".slice(7),
                  message: expect.stringMatching(/^was changed/),
                },
                { file: "vitest.config.ts", message: expect.stringMatching(/^was added/) },
              ],
            },
          },
        ],
      });
      expect([kept.code, touched.code]).toEqual([0, 13]);
    },
  );

  test("tests may have been committed before there was any code", TIMEOUT, async () => {
    const place = repository({ "double/test/double.test.ts": TESTS });
    writeInto(place, { "double/src/index.ts": CODE });
    expect(await verifyIn(place, [...args, "HEAD"])).toMatchObject({ code: 0 });
  });

  test("the module may be the whole repository", TIMEOUT, async () => {
    const place = repository({ "src/index.ts": CODE, "test/double.test.ts": TESTS });
    expect(await verifyIn(place, ["--only", "tests-untouched", "--base", "HEAD"])).toMatchObject({ code: 0 });
  });

  test("a directory with the old module", TIMEOUT, async () => {
    const place = placeWith({
      ...moduleAt("double"),
      ...moduleAt("old"),
      ...moduleAt("other", { "test/double.test.ts": "" }),
    });
    expect(await verifyIn(place, [...args, "old"])).toMatchObject({ code: 0 });
    expect(await verifyIn(place, [...args, "other"])).toMatchObject({ code: 13 });
  });

  const REFUSED: [string, string[], number, RegExp][] = [
    [
      "an unknown ref",
      [...args, "nowhere"],
      2,
      /nowhere is neither a directory nor a ref[\s\S]*next: git log/,
    ],
    [
      "a ref before the folder",
      [...args, "HEAD~1"],
      2,
      /double is not in HEAD~1[\s\S]*next: git log --oneline -- double/,
    ],
    ["an option for git", [...args, "--all"], 2, /--all is neither/],
    ["the folder itself", [...args, "./double"], 2, /is the folder itself[\s\S]*next: --base HEAD/],
    ["a directory without a module", [...args, "empty"], 2, /empty is not a module to compare with/],
    [
      "what is a ref and a directory",
      [...args, "both"],
      2,
      /both is a directory here and a ref[\s\S]*next: --base .\/both/,
    ],
  ];

  test.each(REFUSED)("%s is refused with what to type next", TIMEOUT, async (_what, words, code, message) => {
    const place = repository();
    sampleGit(place, "branch", "both");
    writeInto(place, { "empty/readme.md": "", "both/readme.md": "" });
    const ended = await verifyIn(place, words);
    expect({ code: ended.code, err: ended.err }).toEqual({ code, err: expect.stringMatching(message) });
  });

  test("outside a repository it says so", TIMEOUT, async () => {
    const ended = await verifyIn(placeWith(moduleAt("double")), [...args, "main"]);
    expect(ended.err).toMatch(/main is no directory, and double is in no repository[\s\S]*next: git init/);
    expect(ended.code).toBe(78);
  });
});
