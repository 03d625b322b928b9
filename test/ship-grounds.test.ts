// What a candidate is held against besides its contract: claims, the tests of their author, the skeleton and who could see
// whom decide at the door, and decide the same when the proof is replayed.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { certificateOf } from "../src/domain/evidence/blindness-certificate.ts";
import type { GateName } from "../src/domain/evidence/gate.ts";
import { differ } from "../src/engineering/ship/differ.ts";
import { examine } from "../src/engineering/ship/examine.ts";
import type { ShipOrder, ShipPorts } from "../src/engineering/ship/port.ts";
import { proofOf } from "../src/engineering/ship/proof-of.ts";
import { ship } from "../src/engineering/ship/ship.ts";
import { symbolsOf } from "../src/engineering/ship/symbols.ts";
import { testCandidate } from "../src/engineering/ship/test-candidate.ts";
import { replayProof } from "../src/evidence/replay.ts";
import type { Candidate } from "../src/protocols/outcome.ts";
import { HELD } from "../src/protocols/played-ports.suite.ts";
import type { Tested } from "../src/protocols/seen.ts";
import { toBytePath } from "../src/workshop/git/byte-path.ts";
import { importCommit } from "../src/workshop/git/fast-import.ts";
import { tipOf } from "../src/workshop/git/refs.ts";
import { LONG, world } from "./ship-bench.ts";
import { CLAMP_SAMPLE, committed, orderFor, proposed } from "./ship-samples.ts";
import { temporaryDirectory } from "./temporary.ts";

const HOME = "modules/clamp";
const TEST = "test/clamp.test.ts";
const { contract, files } = CLAMP_SAMPLE;
const GATES: readonly GateName[] = ["red-on-skeleton", "green", "claims", "tests-untouched", "blindness"];

interface Made {
  ports: ShipPorts;
  candidate: Candidate;
  skeleton: string;
  tests: string;
}

/** As a protocol with barriers leaves it: a skeleton, tests on it, and both with the code. */
async function made(change: Readonly<Record<string, string>> = {}): Promise<Made> {
  const ports = await world();
  const stubs = ports.toolchain.scaffold(contract);
  const skeleton = await committed(ports.hub, HOME, stubs);
  const tests = await committed(ports.hub, HOME, {
    ...stubs,
    [TEST]: files[TEST] ?? "",
    "test/data.json": "[1]\n",
  });
  const sample = { ...CLAMP_SAMPLE, files: { ...files, "test/data.json": "[1]\n", ...change } };
  const candidate = await proposed(ports, sample);
  const claims = [
    { kind: "exists" as const, function: "clamp" },
    { kind: "calls" as const, test: "clamp > never leaves the range", targets: ["clamp"] },
  ];
  return { ports, candidate: { ...candidate, grounds: { claims, tests, skeleton } }, skeleton, tests };
}

function order(change: Partial<ShipOrder> = {}): ShipOrder {
  return orderFor(CLAMP_SAMPLE, {
    protocol: { debated: true, gates: GATES },
    certify: () => Promise.resolve(HELD),
    ...change,
  });
}

async function findings({ ports, candidate }: Made, change: Partial<ShipOrder> = {}): Promise<string> {
  const answer = await ship(ports, order(change), candidate);
  return answer.kind === "refused" ? answer.findings.join("\n") : answer.kind;
}

describe("at the door", () => {
  test(
    "every gate of a protocol with barriers looks, and its proof gives the same verdicts",
    LONG,
    async () => {
      const { ports, candidate } = await made();
      expect(await ship(ports, order(), candidate)).toMatchObject({ kind: "shipped" });
      const bundle = await proofOf(ports.store, "MM-clamp@1.0.0");
      const decided = Object.fromEntries(bundle.verdicts.map(({ gate, verdict }) => [gate, verdict]));
      expect(decided).toMatchObject(Object.fromEntries(GATES.map((gate) => [gate, "PASS"])));
      expect(bundle).toMatchObject({ claims: candidate.grounds?.claims, certificate: { result: "held" } });
      expect(Object.keys(bundle.base ?? {})).toEqual([TEST]);
      const replay = await replayProof(bundle, {
        toolchain: ports.toolchain,
        directory: join(temporaryDirectory(), "replay"),
        versions: ports.versions,
        anyVersion: false,
      });
      expect(replay).toMatchObject({ differences: [], passed: true });
      const other = { ...bundle, claims: [{ kind: "exists" as const, function: "nobody" }] };
      const spoiled = await replayProof(other, {
        toolchain: ports.toolchain,
        directory: join(temporaryDirectory(), "replay"),
        versions: ports.versions,
        anyVersion: false,
      });
      expect(spoiled.differences.map(({ gate }) => gate)).toEqual(["claims"]);
    },
  );

  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ["a changed test", { [TEST]: `${files[TEST] ?? ""}// another\n` }, /tests-untouched: .*was changed/],
    ["an added test", { "test/more.test.ts": files[TEST] ?? "" }, /tests-untouched: .*was added/],
    [
      "other data for the tests",
      { "test/data.json": "[2]\n" },
      /tests-untouched: test\/data.json is not what/,
    ],
  ])("%s is refused", LONG, async (_what, change, why) => {
    expect(await findings(await made(change))).toMatch(why);
  });

  test(
    "what nobody has grounds for is refused, and so are a false claim and a broken certificate",
    LONG,
    async () => {
      const at = await made();
      const { ports, candidate } = at;
      const { grounds: _grounds, ...bare } = candidate;
      const without = await ship(ports, order(), bare);
      expect(without.kind === "refused" ? without.findings.join("\n") : "").toMatch(
        /it cannot look without (?:claims|base)/,
      );
      const claims = [
        { kind: "calls" as const, test: "clamp > never leaves the range", targets: ["nobody"] },
      ];
      const lying = { ...at, candidate: { ...candidate, grounds: { ...candidate.grounds, claims } } };
      expect(await findings(lying)).toContain("does not call nobody");
      const leak = { kind: "transcript", name: "t", path: "t", disguise: "verbatim", offset: 0 } as const;
      const { result: _result, doubts: _doubts, ...seen } = HELD;
      const broken = certificateOf({ ...seen, leaks: [{ ...leak, of: "tests-1" }] });
      expect(await findings(at, { certify: () => Promise.resolve(broken) })).toContain(
        "the canary of tests-1",
      );
    },
  );

  test("grounds that are a link or no module are told", LONG, async () => {
    const at = await made();
    const { gitDir, branch } = at.ports.hub;
    const linked = await importCommit({
      gitDir,
      ref: "refs/cupel/samples/linked",
      parent: await tipOf(gitDir, branch),
      message: "work\n",
      at: 0,
      changes: [
        {
          kind: "write",
          path: toBytePath(`${HOME}/${TEST}`),
          mode: "120000",
          content: Buffer.from("/etc/passwd"),
        },
      ],
    });
    for (const part of ["tests", "skeleton"] as const) {
      const grounds = { ...at.candidate.grounds, [part]: linked };
      expect(await findings({ ...at, candidate: { ...at.candidate, grounds } })).toMatch(/is a link/);
    }
    expect(await testCandidate(at.ports, order(), { contract, commit: linked })).toMatchObject({
      kind: "broken",
    });
  });
});

test(
  "before there is any code: tests are red on the skeleton, claims are checked, symbols are stubs",
  LONG,
  async () => {
    const { ports, candidate, tests, skeleton } = await made();
    const { grounds } = candidate;
    const look = { gates: ["red-on-skeleton", "claims"] as const };
    const seen = await examine(
      ports,
      order(),
      { contract, commit: tests, ...(grounds && { grounds }) },
      look,
    );
    expect(seen.verdicts.map(({ gate, verdict }) => `${gate} ${verdict}`)).toEqual([
      "red-on-skeleton PASS",
      "claims PASS",
    ]);
    expect(seen.claims.map(({ outcome }) => outcome)).toEqual(["HOLDS", "HOLDS"]);
    expect(seen.survivors).toEqual([]);
    const symbols = await symbolsOf(ports, order(), { contract, commit: skeleton });
    expect(symbols.find(({ name }) => name === "clamp")).toMatchObject({
      kind: "function",
      signature: "(value: number, low: number, high: number) => number",
      isStub: true,
      file: "src/index.ts",
    });
  },
);

test("survivors are told by an examination that asks for them", LONG, async () => {
  const weak = `import { expect, test } from "vitest";
import { clamp } from "../src/index.ts";
test("five", () => expect(clamp(5, 0, 10)).toBe(5));
`;
  const { ports, candidate } = await made({ [TEST]: weak });
  const seen = await examine(ports, order(), candidate, { gates: ["mutation"] });
  expect(seen.verdicts.map(({ gate }) => gate)).toEqual(["mutation"]);
  expect(seen.survivors.length).toBeGreaterThan(0);
  expect(seen.survivors.every(({ status }) => status === "survived" || status === "noCoverage")).toBe(true);
});

async function tested(change: Readonly<Record<string, string>>, timeoutMs?: number): Promise<Tested> {
  const { ports, candidate } = await made(change);
  return testCandidate(ports, order(), candidate, timeoutMs === undefined ? {} : { timeoutMs });
}

describe("testing", () => {
  test("tells which tests fail, how, and what each of them reaches", LONG, async () => {
    const wrong = (files["src/index.ts"] ?? "").replace("value > high ? high : value", "value");
    const ran = await tested({ "src/index.ts": wrong });
    if (ran.kind !== "ran") throw new Error(JSON.stringify(ran));
    expect(ran.passed).toBe(4);
    expect(ran.failures.map(({ functions }) => functions)).toEqual([["clamp"], ["clamp"]]);
    expect(ran.failures.map(({ failure }) => failure.failureType)).toContain("PropertyFailed");
    expect(ran.failures.find(({ failure }) => failure.counterexample !== undefined)).toBeDefined();
  });

  test("tells what does not build, what cannot be loaded, and what is left out", LONG, async () => {
    const broken = await tested({ "src/index.ts": "export const clamp: string = 1;\n" });
    expect(broken.kind === "broken" ? broken.errors.join() : broken).toMatch(/src\/index.ts:1/);
    const skipped = await tested({
      [TEST]: `import { test } from "vitest";\nimport { clamp } from "../src/index.ts";\ntest.skip("x", () => clamp(1, 2, 3));\n`,
    });
    expect(skipped).toMatchObject({ kind: "ran", passed: 0, failures: [{ failure: { propertyName: "x" } }] });
  });

  test("ends also where a suite never does", LONG, async () => {
    const endless = `import { test } from "vitest";\nimport { clamp } from "../src/index.ts";\ntest("x", () => { for (;;) clamp(1, 0, 2); });\n`;
    const ran = await tested({ [TEST]: endless }, 8_000);
    const isTold =
      ran.kind === "no-report"
        ? ran.timedOut
        : ran.kind === "ran" && ran.failures[0]?.failure.failureType === "Timeout";
    expect(isTold ? "told" : JSON.stringify(ran)).toBe("told");
  });
});

test(
  "two commits that differ are told apart, and one that is no module is not called the same",
  LONG,
  async () => {
    const { ports, candidate, skeleton } = await made();
    const off = (files["src/index.ts"] ?? "").replace("value < low", "value < low - 99");
    const other = await committed(ports.hub, HOME, { ...files, "src/index.ts": off });
    const left = candidate.commit;
    expect(await differ(ports, order(), { contract, left, right: other })).toMatchObject({
      kind: "differ",
      entry: "clamp",
    });
    const empty = await tipOf(ports.hub.gitDir, ports.hub.branch);
    expect(await differ(ports, order(), { contract, left: skeleton, right: empty })).toMatchObject({
      kind: "impossible",
    });
  },
);
