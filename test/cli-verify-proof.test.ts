// Proofs: written in one place, reached again in another, and refused when anything in them was changed.
import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { addressOf, ProofBundle } from "../src/domain/evidence/proof-bundle.ts";
import { CLAMP, CLAMP_CONTRACT, CLAMP_EXAMPLES } from "./module-samples.ts";
import { CODE, moduleAt, placeWith, TESTS, verifyIn } from "./verify-process.ts";

const TIMEOUT = { timeout: 120_000 };

/** The proof of a module that is gone afterwards. */
async function proofOf(files: Record<string, string>, args: readonly string[]): Promise<ProofBundle> {
  const place = placeWith(files);
  const { err } = await verifyIn(place, ["double", "--write-proof", "proof.json", ...args]);
  if (!err.includes("The proof is in proof.json")) throw new Error(err);
  const proof = ProofBundle.parse(JSON.parse(readFileSync(join(place, "proof.json"), "utf8")));
  rmSync(place, { recursive: true });
  return proof;
}

function replayed(proof: unknown, ...args: string[]) {
  return verifyIn(placeWith({ "p.json": JSON.stringify(proof) }), ["--proof", "p.json", ...args]);
}

describe.concurrent("a proof is reached again elsewhere, without the module", () => {
  test("of all gates", TIMEOUT, async () => {
    const { code, out } = await replayed(await proofOf(moduleAt("double"), []));
    expect(out).toMatch(/✓ green .*\n[\s\S]*\nRecorded .*: 8 verdicts, rigor standard\.\nReached again\.\n$/);
    expect(code).toBe(0);
  });

  test("with what tests read beside the code, as JSON", TIMEOUT, async () => {
    const reading = TESTS.replace(
      'import { double } from "../src/index.ts";',
      'import { readFileSync } from "node:fs";\nimport { double } from "../src/index.ts";\n\ntest("knows its table", () => {\n  expect(readFileSync("test/table.txt", "utf8")).toBe("2 4\\n");\n  expect(double(2)).toBe(4);\n});',
    );
    const files = moduleAt("double", { "test/double.test.ts": reading, "test/table.txt": "2 4\n" });
    const { code, out } = await replayed(await proofOf(files, ["--only", "green"]), "--json");
    expect(JSON.parse(out)).toMatchObject({
      reported: [{ verdict: { verdict: "PASS", gate: "green", denominator: 3 } }],
      differences: [],
      passed: true,
      otherVersions: [],
    });
    expect(code).toBe(0);
  });

  test("of a module that does not pass: reached, and still 13", TIMEOUT, async () => {
    const wrong = moduleAt("double", { "src/index.ts": CODE.replace("value * 2", '"two"') });
    const { code, out } = await replayed(await proofOf(wrong, ["--only", "build"]));
    expect(out).toMatch(/\nReached again, and it does not pass\.\n$/);
    expect(code).toBe(13);
  });

  test("with the examples, which one word makes others", TIMEOUT, async () => {
    const module = { ...CLAMP, "examples.md": CLAMP_EXAMPLES };
    const files = Object.fromEntries(
      Object.entries(module).map(([path, text]) => [`double/${path}`, text] as const),
    );
    files["contract.json"] = JSON.stringify(CLAMP_CONTRACT);
    const proof = await proofOf(files, ["--contract", "contract.json", "--only", "examples"]);
    expect(proof.verdicts).toMatchObject([{ gate: "examples", verdict: "PASS", denominator: 2 }]);
    expect((await replayed(proof)).out).toMatch(/\nReached again\.\n$/);
    const other = CLAMP_EXAMPLES.replace("\n10\n", "\n11\n");
    const contents = { ...proof.contents, [addressOf(other)]: other };
    const forged = { ...proof, contents, files: { ...proof.files, "examples.md": addressOf(other) } };
    delete contents[addressOf(CLAMP_EXAMPLES)];
    expect((await replayed(forged)).out).toContain("recorded PASS of 2, now FAIL of 2");
  });

  test("with base and claims", TIMEOUT, async () => {
    const files = {
      ...moduleAt("double"),
      ...moduleAt("old"),
      "claims.json": JSON.stringify([{ kind: "exists", function: "double" }]),
    };
    const args = ["--base", "old", "--claims", "claims.json", "--only", "tests-untouched,claims"];
    const proof = await proofOf(files, args);
    expect(Object.keys(proof.base ?? {})).toEqual(["test/double.test.ts"]);
    expect(await replayed(proof)).toMatchObject({ code: 0 });
    const touched = {
      ...proof,
      base: { "test/double.test.ts": addressOf("") },
      contents: { ...proof.contents, [addressOf("")]: "" },
    };
    const forged = await replayed(touched);
    expect(forged.out).toMatch(/✕ tests-untouched: recorded PASS of 1, now FAIL of 1/);
    expect(forged.code).toBe(13);
  });

  test("binary files cannot be proven, and that is said", TIMEOUT, async () => {
    const place = placeWith(moduleAt("double"));
    writeFileSync(join(place, "double/test/picture.bin"), Buffer.from([0xff, 0xfe, 0x00]));
    const { code, err } = await verifyIn(place, ["double", "--only", "build", "--write-proof", "p.json"]);
    expect(err).toMatch(/no proof can be made: "test\/picture.bin" is not text/);
    expect(code).toBe(2);
  });
});

type Forgery = (proof: ProofBundle) => unknown;
function verdictsOf(change: (verdict: ProofBundle["verdicts"][number]) => unknown[]): Forgery {
  return (proof) => ({ ...proof, verdicts: proof.verdicts.flatMap(change) });
}

/** The same code in other words, under its own address. */
function codeOf(text: string, keepsAddress: boolean): Forgery {
  return (proof) => {
    const before = proof.files["src/index.ts"] ?? "";
    if (keepsAddress) return { ...proof, contents: { ...proof.contents, [before]: text } };
    const ref = addressOf(text);
    return {
      ...proof,
      files: { ...proof.files, "src/index.ts": ref },
      contents: { ...proof.contents, [ref]: text },
    };
  };
}

function escaping(proof: ProofBundle): unknown {
  return {
    ...proof,
    files: { ...proof.files, "../../evil.ts": proof.files["src/index.ts"] },
  };
}

describe.concurrent("a forged proof is refused with the reason", () => {
  const honest = proofOf(moduleAt("double"), ["--only", "build,tidy,static"]);
  const failing = proofOf(moduleAt("double", { "src/index.ts": CODE.replace("value * 2", '"two"') }), [
    "--only",
    "build,static",
    "--all",
  ]);
  const PASSED = { how: "this-run", planted: "a type error", refused: true };
  const REFUSED: [string, "honest" | "failing", Forgery, number, RegExp][] = [
    [
      "a verdict turned into a pass",
      "failing",
      verdictsOf((verdict) => [
        verdict.verdict === "FAIL"
          ? { ...verdict, verdict: "PASS", findings: [], liveness: PASSED }
          : verdict,
      ]),
      13,
      /✕ build: recorded PASS of 2, now FAIL of 2[\s\S]*Not reached again/,
    ],
    [
      "a verdict turned into a pass by a word",
      "failing",
      verdictsOf((verdict) => [verdict.verdict === "FAIL" ? { ...verdict, verdict: "PASS" } : verdict]),
      2,
      /is not a proof bundle:[\s\S]*\$\.verdicts\[0\]\.(findings|liveness)/,
    ],
    [
      "a failure that was never run",
      "failing",
      verdictsOf((verdict) => {
        if (verdict.verdict !== "FAIL") return [verdict];
        const { liveness: _liveness, ...rest } = verdict;
        return [{ ...rest, verdict: "NOT_RUN", denominator: 0, findings: [], missing: ["run"] }];
      }),
      13,
      /✕ build: recorded NOT_RUN of 0, now FAIL of 2/,
    ],
    [
      "a gate that was removed",
      "failing",
      verdictsOf((verdict) => (verdict.verdict === "FAIL" ? [] : [verdict])),
      13,
      /✕ build: recorded missing, now FAIL of 2/,
    ],
    [
      "a denominator",
      "honest",
      verdictsOf((verdict) => [verdict.gate === "build" ? { ...verdict, denominator: 20 } : verdict]),
      13,
      /✕ build: recorded PASS of 20, now PASS of 2/,
    ],
    [
      "liveness that was removed",
      "honest",
      verdictsOf((verdict) => {
        const { liveness: _liveness, ...rest } = { liveness: undefined, ...verdict };
        return [rest];
      }),
      2,
      /\$\.verdicts\[0\]\.liveness: expected/,
    ],
    [
      "code under the address of other code",
      "honest",
      codeOf(`${CODE}// x\n`, true),
      2,
      /expected text with this hash/,
    ],
    [
      "code with its own address that deserves another verdict",
      "honest",
      codeOf(CODE.replace("value * 2", '"two"'), false),
      13,
      /✕ build: recorded PASS of 2, now FAIL of 2/,
    ],
    [
      "the version of a tool",
      "honest",
      (proof) => ({ ...proof, versions: { ...proof.versions, vitest: "1.0.0" } }),
      2,
      /made with other tools: vitest 1.0.0, here [\s\S]*next: .*--any-version/,
    ],
    ["a path that leads out", "honest", escaping, 2, /"..\/..\/evil.ts" leads out of the bundle/],
    [
      "a path of the base that leads out",
      "honest",
      (proof) => ({ ...proof, base: { "/etc/passwd": proof.files["src/index.ts"] } }),
      2,
      /"\/etc\/passwd" leads out/,
    ],
    [
      "a test that is not listed",
      "honest",
      (proof) => ({ ...proof, layout: { ...proof.layout, tests: [] } }),
      2,
      /its tests are listed as \[\], but are \["test\/double.test.ts"\]/,
    ],
    [
      "a listed test that is not there",
      "honest",
      (proof) => ({ ...proof, layout: { ...proof.layout, tests: ["test/x.test.ts"] } }),
      2,
      /test\/x.test.ts is listed and is not in the bundle/,
    ],
    [
      "a file in the way of a folder",
      "honest",
      (proof) => ({ ...proof, files: { ...proof.files, src: proof.files["src/index.ts"] } }),
      2,
      /cannot be a file beside the others/,
    ],
    [
      "a rigor in name only",
      "honest",
      (proof) => ({ ...proof, rigor: { ...proof.rigor, maxComplexity: 1000 } }),
      2,
      /its rigor differs from standard at maxComplexity, and does not say so/,
    ],
  ];

  test.each(REFUSED)("%s", TIMEOUT, async (_what, of, forge, code, why) => {
    const ended = await replayed(forge(await (of === "honest" ? honest : failing)));
    expect({ code: ended.code, said: ended.out + ended.err }).toEqual({
      code,
      said: expect.stringMatching(why),
    });
  });

  test("another version is reached again where a person says so", TIMEOUT, async () => {
    const proof = await honest;
    const old = { ...proof, versions: { ...proof.versions, vitest: "1.0.0" } };
    const { code, out } = await replayed(old, "--any-version");
    expect(out).toMatch(/! other version: vitest 1.0.0, here \d[\s\S]*Reached again/);
    expect(code).toBe(0);
  });

  test("half a file", TIMEOUT, async () => {
    const text = JSON.stringify(await honest);
    const place = placeWith({ "p.json": text.slice(0, text.length / 2) });
    const { code, err } = await verifyIn(place, ["--proof", "p.json"]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/p.json is not JSON: /) });
  });

  test("a file that is too large", TIMEOUT, async () => {
    const place = placeWith({ "p.json": "" });
    truncateSync(join(place, "p.json"), 200 * 1024 ** 2);
    const { code, err } = await verifyIn(place, ["--proof", "p.json"]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/p.json is larger than 128 MB/) });
  });

  test("no file at all", TIMEOUT, async () => {
    const { code, err } = await verifyIn(placeWith({}), ["--proof", "p.json"]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/there is no file p.json/) });
  });
});
