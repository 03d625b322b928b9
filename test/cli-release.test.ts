// `cupel release` and `cupel deprecate` as a person types them.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { cupelIn } from "./cupel-process.ts";
import { commitSample, sampleGit } from "./git-samples.ts";
import { makeReleasable } from "./releasable.ts";
import { CLAMP_TASK, QUICK_PRODUCT } from "./release-samples.ts";
import { elementsOf } from "./xml-elements.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "cupel-test-")));
const project = join(place, "project");
const UNSAFE = bubblewrapWorks ? [] : ["--unsafe-no-sandbox"];

// These modules have no end-to-end tests, which only another rigor would ask for.
const CONFIG = { "cupel.config.json": JSON.stringify({ rigor: "lite" }) };
beforeAll(() => makeReleasable(project, { ...QUICK_PRODUCT, ...CONFIG }), 60_000);
afterAll(() => rmSync(place, { recursive: true }));

function cupel(...args: string[]) {
  return cupelIn(project, args);
}

test("refused, mended as it says, released, given up, refused again", { timeout: 120_000 }, () => {
  const files = ["--junit", "junit.xml", "--sarif", "r.sarif", "--pr-body", "pr.md"];
  const first = cupel("release", ...UNSAFE, ...files);
  expect(first.code).toBe(13);
  expect(first.out).toMatch(
    /✕ code_index_check MM-clamp@1.0.0: .*does not know it\n    next: cupel index reindex/,
  );
  expect(
    elementsOf(readFileSync(join(project, "junit.xml"), "utf8")).filter(({ name }) => name === "failure"),
  ).toHaveLength(1);
  expect(readFileSync(join(project, "r.sarif"), "utf8")).toContain("release/code_index_check");
  expect(readFileSync(join(project, "pr.md"), "utf8")).toMatch(
    /## Refused release 1.0.0[^]*### Refused because/,
  );

  expect(cupel("index", "reindex").code).toBe(0);
  const second = cupel("release", ...UNSAFE, ...files, "--json");
  expect(second).toMatchObject({ code: 0 });
  const { outcome, delivery } = JSON.parse(second.out);
  expect(outcome).toMatchObject({ kind: "released", tag: "v1.0.0", delivery: { kind: "delivered" } });
  expect(outcome.manifest.evidence[4]).toMatchObject({
    denominator: 2,
    summary: expect.stringContaining("npm test in a clean clone passes"),
  });
  expect(delivery.kind).toBe("delivered");
  expect(readFileSync(join(project, "pr.md"), "utf8")).toMatch(/## Release 1.0.0[^]*e2e_check \| ✓ PASS/);
  expect(sampleGit(project, "describe", "--tags")).toBe("v1.0.0");

  const given = cupel("deprecate", "MM-clamp@1.0.0", "--reason", "percent is enough");
  expect(given).toMatchObject({ code: 0 });
  expect(given.out).toMatch(/MM-percent@1.0.0  SHIPPED, builds on it\n! a release is refused/);
  expect(cupel("log").out).toContain(
    "MM-clamp@1.0.0 is deprecated: percent is enough; MM-percent@1.0.0 build on it",
  );
  expect(cupel("deprecate", "MM-clamp@1.0.0")).toMatchObject({ code: 2 });

  commitSample(project, { "README.md": "# Numbers\n" });
  const third = cupel("release", ...UNSAFE);
  expect(third.code).toBe(13);
  expect(third.out).toMatch(
    /✕ deprecation_check MM-percent@1.0.0: .* which is DEPRECATED\n    next: ship a version/,
  );
  expect(cupel("release", "--partial", CLAMP_TASK, ...UNSAFE).out).toMatch(/released 1.0.1-partial.1/);
  expect(
    cupelIn(project, ["report", "--out", "report.html"], { ANTHROPIC_API_KEY: "percent is enough" }).code,
  ).toBe(0);
  const page = readFileSync(join(project, "report.html"), "utf8");
  expect(page).toContain("✓ Yes: version 1.0.1-partial.1 is released");
  expect(page).toContain("MM-percent@1.0.0");
  expect(page).not.toContain("percent is enough");
  expect(cupel("report").out).toContain("percent is enough");
});
