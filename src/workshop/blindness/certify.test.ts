// The certificate of a run: what it saw, that it can see, and what it cannot promise.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { BlindnessCertificate } from "../../domain/evidence/blindness-certificate.ts";
import { makeCanary } from "./canary.ts";
import { certify, renderCertificate, type ToCertify } from "./certify.ts";
import { OPEN_WITHOUT_SANDBOX } from "../sandbox/open-doors.ts";
import { scan, type ScanTarget } from "./scan.ts";

/** Says that it looked at everything, and finds nothing. */
const blindScan: typeof scan = async (...args) => ({ ...(await scan(...args)), leaks: [] });

function run(): ToCertify & { trees: string[] } {
  const roles = ["tests", "impl"] as const;
  const workspaces = roles.map((role) => ({ id: `W-${role}`, role, canary: makeCanary().token }));
  const trees = workspaces.map(({ canary }) => {
    const tree = temporaryDirectory();
    writeFileSync(join(tree, ".cupel-canary"), canary);
    mkdirSync(join(tree, "src"));
    writeFileSync(join(tree, "src/a.ts"), "export const a = 1;");
    return tree;
  });
  const targets = workspaces.map(({ id }, index): ScanTarget => {
    return { kind: "workspace", name: id, owner: id, source: { directory: trees[index] ?? "" } };
  });
  const others: ScanTarget[] = [
    { kind: "transcript", name: "impl", source: { text: "honest work" } },
    { kind: "artifact", name: "store", source: { entries: entries(["a/1", "artifact"]) } },
    { kind: "prompt", name: "impl", source: { bytes: Buffer.from("do it") } },
  ];
  const commands = { bubblewrap: 3, none: 0 };
  const now = new Date("2026-01-01T00:00:00Z");
  return { runId: "R-1", commands, workspaces, targets: [...targets, ...others], now, trees };
}

async function* entries(...given: [path: string, text: string][]) {
  for (const [path, text] of given) yield { path, bytes: Buffer.from(text) };
}

test("an honest run: held, with all that was looked at", async () => {
  const honest = run();
  const certificate = await certify(honest);
  expect(certificate).toMatchObject({
    result: "held",
    doubts: [],
    barrier: "sandbox",
    openDoors: [],
    scanned: [
      { files: 2 },
      { files: 2 },
      { kind: "transcript", files: 1, bytes: 11 },
      { kind: "artifact", files: 1, bytes: 8 },
      { kind: "prompt", files: 1, bytes: 5 },
    ],
    madeAt: "2026-01-01T00:00:00.000Z",
  });
  expect(certificate.plants.every(({ found }) => found)).toBe(true);
  expect(certificate.plants.map(({ planted }) => planted.replace("a canary in ", ""))).toEqual([
    ...["a file", "a git object", "a base64 text", "a name", "a link's target"].map(
      (what) => `${what} of a workspace`,
    ),
    ...["the text", "a base64 passage"].map((what) => `${what} of a transcript`),
    ...["an entry", "an entry's name"].map((what) => `${what} of a artifact`),
    "the bytes of a prompt",
  ]);
  expect(BlindnessCertificate.safeParse(JSON.parse(JSON.stringify(certificate))).success).toBe(true);
  for (const { canary } of honest.workspaces)
    expect(JSON.stringify(certificate)).not.toContain(canary.slice(13));
  expect(renderCertificate(certificate)).toMatchInlineSnapshot(`
    "Blindness of R-1: held. No canary left its workspace.
      barrier   sandbox: commands saw their own workspace only (3 commands in bubblewrap, 0 without a sandbox)
      scanned   5 places, 7 files, 152 bytes, for the canaries of 2 workspaces
      planted   10 leaks, 10 found
    "
  `);
});

test("a canary in the other workspace: broken, with the place", async () => {
  const leaking = run();
  writeFileSync(
    join(leaking.trees[1] ?? "", "src/b.ts"),
    Buffer.from(leaking.workspaces[0]?.canary ?? "").toString("base64"),
  );
  const certificate = await certify(leaking);
  expect(certificate).toMatchObject({
    result: "broken",
    leaks: [{ of: "W-tests", name: "W-impl", path: "src/b.ts" }],
  });
  expect(renderCertificate(certificate)).toMatch(
    /BROKEN[\s\S]*leak {6}the canary of W-tests in the workspace W-impl: src\/b\.ts, byte \d+ \(base64\)/,
  );
});

test.each<[string, (tree: string, folded: string) => void]>([
  ["as a name", (tree, folded) => writeFileSync(join(tree, "src", folded), "x")],
  ["as the target of a link", (tree, folded) => symlinkSync(folded, join(tree, "src/link"))],
])("a compressed canary %s: broken, and the certificate does not repeat it", async (_where, leak) => {
  const leaking = run();
  const folded = gzipSync(leaking.workspaces[0]?.canary ?? "").toString("base64url");
  leak(leaking.trees[1] ?? "", folded);
  const certificate = await certify(leaking);
  expect(certificate).toMatchObject({ result: "broken", leaks: [{ of: "W-tests", name: "W-impl" }] });
  expect(JSON.stringify(certificate)).not.toContain(folded.slice(20));
});

describe("unproven", () => {
  test("when the scan is blind, though it says that it looked at everything", async () => {
    const certificate = await certify(run(), blindScan);
    expect(certificate.result).toBe("unproven");
    expect(certificate.doubts).toContain("the scan did not find a canary in a git object of a workspace");
  });

  test.each([
    ["names", "a name of a workspace", /\.ts$/],
    ["links", "a link's target of a workspace", /link/],
  ])("when the scan does not unfold %s", async (_what, planted, path) => {
    const careless: typeof scan = async (...args) => {
      const report = await scan(...args);
      const leaks = report.leaks.filter((leak) => !leak.disguise.includes("gzip") || !path.test(leak.path));
      return { ...report, leaks };
    };
    const certificate = await certify(run(), careless);
    expect(certificate.doubts).toEqual([`the scan did not find a canary in ${planted}`]);
  });

  type Spoiled = [string, (given: ReturnType<typeof run>) => ToCertify, RegExp];
  const EMPTY: [string, () => ScanTarget["source"]][] = [
    ["an empty directory", () => ({ directory: temporaryDirectory() })],
    ["an empty text", () => ({ text: "" })],
    ["no bytes", () => ({ bytes: Buffer.alloc(0) })],
    ["no entries", () => ({ entries: entries() })],
  ];
  test.each<Spoiled>([
    ...(["transcript", "artifact", "prompt"] as const).flatMap((kind): Spoiled[] => [
      [
        `when there was no ${kind} among the places`,
        (given) => ({ ...given, targets: given.targets.filter((each) => each.kind !== kind) }),
        new RegExp(`no ${kind} was looked at`),
      ],
      ...EMPTY.map(([what, source]): Spoiled => [
        `when the ${kind} was ${what}`,
        (given) => ({
          ...given,
          targets: given.targets.map((each) => (each.kind === kind ? { ...each, source: source() } : each)),
        }),
        new RegExp(`nothing to look at in the ${kind}`),
      ]),
    ]),
    ["when nothing was scanned", (given) => ({ ...given, targets: [] }), /not a single file/],
    [
      "when there was nothing at all",
      (given) => ({ ...given, targets: [], workspaces: [] }),
      /nothing to be blind to/,
    ],
    [
      "when a workspace was left out",
      (given) => ({ ...given, targets: given.targets.slice(1) }),
      /W-tests was not looked at/,
    ],
    [
      "when a workspace is gone",
      (given) => {
        rmSync(given.trees[0] ?? "", { recursive: true });
        return given;
      },
      /W-tests was not looked at/,
    ],
    [
      "when a canary is gone",
      (given) => {
        rmSync(join(given.trees[0] ?? "", ".cupel-canary"));
        return given;
      },
      /no longer in its own/,
    ],
  ])("%s", async (_when, spoil, doubt) => {
    const certificate = await certify(spoil(run()));
    expect(certificate.result).toBe("unproven");
    expect(certificate.doubts.join("\n")).toMatch(doubt);
    expect(renderCertificate(certificate)).toMatch(/unproven[\s\S]*doubt/);
  });
});

test("without a sandbox it names the doors that stand open, each once", async () => {
  const certificate = await certify({ ...run(), commands: { bubblewrap: 3, none: 1 } });
  expect(certificate).toMatchObject({
    result: "held",
    barrier: "repository",
    openDoors: OPEN_WITHOUT_SANDBOX,
  });
  const open = renderCertificate(certificate)
    .split("\n")
    .filter((line) => line.startsWith("  open "));
  expect(open.length).toBeGreaterThan(0);
  expect(new Set(open).size).toBe(open.length);
});

test("it is refused where a command ran without a sandbox and nobody knows the open doors", async () => {
  await expect(certify({ ...run(), commands: { bubblewrap: 0, none: 1 } }, scan, [])).rejects.toThrow(
    /openDoors/,
  );
});

test("two workspaces with one canary are refused", async () => {
  const given = run();
  const canary = given.workspaces[0]?.canary ?? "";
  const workspaces = given.workspaces.map((each) => ({ ...each, canary }));
  await expect(certify({ ...given, workspaces })).rejects.toThrow(/a canary of its own/);
});
