// Products that must not go out: each refusal names the gate and the module, and says what to type next.
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { ReleaseFailureReport } from "../src/domain/people/release.ts";
import type { ReleaseOrder, ReleasePorts } from "../src/release/port.ts";
import { release } from "../src/release/release.ts";
import { commitSample, sampleGit } from "./git-samples.ts";
import type { SampleFiles } from "./git-samples.ts";
import { makeReleasable } from "./releasable.ts";
import { openReleaseWorld, QUICK_PRODUCT } from "./release-samples.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "cupel-test-")));
const template = join(place, "template");
const FULL: ReleaseOrder = { scope: "full", signal: new AbortController().signal };
const MANIFEST = JSON.parse(QUICK_PRODUCT["package.json"]);
let worlds = 0;

beforeAll(() => makeReleasable(template), 60_000);
afterAll(() => rmSync(place, { recursive: true }));

/** The product after a commit of a person. */
async function world(files: SampleFiles = {}): Promise<ReleasePorts> {
  const project = join(place, String(worlds++));
  cpSync(template, project, { recursive: true });
  sampleGit(project, "fetch", "--quiet", ".cupel/hub.git", "main");
  sampleGit(project, "reset", "--quiet", "--hard", "FETCH_HEAD");
  if (Object.keys(files).length > 0) commitSample(project, files);
  const ports = await openReleaseWorld(project);
  onTestFinished(() => ports.store.close());
  return ports;
}

async function refused(ports: ReleasePorts): Promise<ReleaseFailureReport> {
  const outcome = await release(ports, FULL);
  if (outcome.kind !== "failed") throw new Error(`${outcome.kind} in place of a refusal`);
  const { manifest, report } = outcome;
  expect(manifest.overall_result).toBe("FAIL");
  const folder = join(ports.store.root, "releases");
  expect(JSON.parse(readFileSync(join(folder, `${manifest.release_id}.failure.json`), "utf8"))).toEqual(
    report,
  );
  expect(sampleGit(ports.hub.gitDir, "tag", "--list")).toBe("");
  const told = (await ports.store.journal.read(0, 1000)).filter(({ kind }) => kind === "release_refused");
  expect(told).toMatchObject([{ gates: report.failures.map(({ gate }) => gate) }]);
  return report;
}

function manifest(change: object): string {
  return JSON.stringify({ ...MANIFEST, ...change });
}

describe("what was sealed and what is there", () => {
  test("a sealed file that was changed by hand, and how to bring it back", async () => {
    const ports = await world({ "modules/clamp/test/clamp.test.ts": "" });
    const report = await refused(ports);
    expect(report.failures).toMatchObject([
      {
        gate: "fingerprint_check",
        violations: [
          {
            module_ref: "MM-clamp@1.0.0",
            references: ["modules/clamp/test/clamp.test.ts"],
            explanation: expect.stringContaining("is sealed, and not what modules/clamp holds"),
            next: expect.stringMatching(/^git checkout [0-9a-f]{40} -- modules\/clamp && git commit/),
          },
        ],
      },
    ]);
    const { project } = ports.hub;
    const [command = ""] = report.failures[0]?.violations.map(({ next }) => next) ?? [];
    sampleGit(project, ...(command.split(" && ")[0] ?? "").split(" ").slice(1));
    sampleGit(project, "commit", "--quiet", "-m", "back");
    expect(await release(ports, FULL)).toMatchObject({ kind: "released", tag: "v1.0.0" });
  }, 20_000);

  test("bytes in the store that are not what was sealed", async () => {
    const ports = await world();
    const { files } = await ports.store.modules.get("MM-percent@1.0.0");
    writeFileSync(ports.store.payloads.pathOf(files["implementation/index.ts"] ?? ""), "export {};\n");
    const { failures } = await refused(ports);
    expect(failures.map(({ gate }) => gate)).toEqual(["fingerprint_check", "e2e_check"]);
    expect(failures[0]?.violations).toMatchObject([
      { module_ref: "MM-percent@1.0.0", next: "cupel store fsck" },
    ]);
  });

  test("a module that has shipped and is not on the branch", async () => {
    const gone = ["contract.json", "examples.md", "ship.json", "src/index.ts"];
    const files = [...gone, "test/percent.integration.test.ts"].map((path) => [
      `modules/percent/${path}`,
      null,
    ]);
    const { failures } = await refused(await world(Object.fromEntries(files)));
    expect(failures).toMatchObject([
      {
        gate: "fingerprint_check",
        violations: [{ explanation: "MM-percent@1.0.0 has shipped, and modules/percent is not there" }],
      },
      { gate: "e2e_check", violations: [{ module_ref: "MM-percent@1.0.0" }] },
    ]);
  });

  test("a history that has parted from the product", async () => {
    const ports = await world();
    const { project } = ports.hub;
    sampleGit(project, "reset", "--quiet", "--hard", "HEAD~1");
    commitSample(project, { "README.md": "# Mine\n" });
    await expect(release(ports, FULL)).rejects.toMatchObject({
      code: "git_failed",
      hint: expect.stringContaining("git merge FETCH_HEAD"),
    });
  });
});

const OWN_LOCK = {
  name: "numbers",
  lockfileVersion: 3,
  packages: {
    "": { dependencies: { "left-pad": "1.3.0" } },
    "node_modules/left-pad": {
      version: "1.3.0",
      resolved: "https://registry.invalid/left-pad/-/left-pad-1.3.0.tgz",
      integrity: `sha512-${"A".repeat(86)}==`,
    },
  },
};

describe("the product's own install and tests", () => {
  const whole = { module_ref: null };
  test.each<[string, SampleFiles, object[]]>([
    [
      "tests that are gone",
      { "package.json": manifest({ scripts: { test: "exit 0" } }) },
      [
        { module_ref: "MM-clamp@1.0.0" },
        { module_ref: "MM-percent@1.0.0" },
        { ...whole, explanation: expect.stringContaining("could not show that it can say no") },
      ],
    ],
    [
      "tests that end with 0 before they look",
      { "check.mjs": "process.exit(0);\n" },
      [{ module_ref: "MM-clamp@1.0.0" }, { module_ref: "MM-percent@1.0.0" }, whole],
    ],
    [
      "tests of one module only",
      {
        "check.mjs": QUICK_PRODUCT["check.mjs"].replace("if (codes.percent", "if (false && codes.percent"),
      },
      [
        {
          module_ref: "MM-percent@1.0.0",
          explanation: expect.stringContaining("although the functions of MM-percent@1.0.0 throw"),
        },
      ],
    ],
    ["no test command at all", { "package.json": manifest({ scripts: { test: "" } }) }, [{}, {}, whole]],
    [
      "tests that fail",
      { "check.mjs": 'console.error("three is not four"); process.exit(3);\n' },
      [{ ...whole, explanation: expect.stringMatching(/npm test ended with 3: .*three is not four/) }],
    ],
    [
      "tests that need the network",
      { "check.mjs": 'await fetch("http://127.0.0.1:9/");\n' },
      [{ ...whole, explanation: expect.stringContaining("fetch failed") }],
    ],
    [
      "an install that needs the network",
      {
        "package.json": manifest({ dependencies: { "left-pad": "1.3.0" } }),
        "package-lock.json": JSON.stringify(OWN_LOCK),
      },
      [
        {
          ...whole,
          explanation: expect.stringContaining("the packages cannot be installed: a package could not"),
        },
      ],
    ],
    [
      "packages without a lock file",
      { "package.json": manifest({ dependencies: { "left-pad": "1.3.0" } }) },
      [{ ...whole, next: "npm install --package-lock-only, then commit package-lock.json" }],
    ],
    [
      "a package that only Cupel has",
      { "check.mjs": 'await import("zod");\n' },
      [{ ...whole, explanation: expect.stringContaining("Cannot find package 'zod'") }],
    ],
    ["a manifest that is a link", { "package.json": { link: "SPEC.md" } }, [whole]],
  ])(
    "%s",
    async (_, files, violations) => {
      const { failures } = await refused(await world(files));
      expect(failures).toMatchObject([{ gate: "e2e_check", violations }]);
      for (const { next } of failures.flatMap((failure) => failure.violations)) expect(next).not.toBe("");
    },
    20_000,
  );
});
