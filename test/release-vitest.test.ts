// A product as the ships leave it, with vitest as its runner: released, and it passes for anyone, without Cupel.
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { release } from "../src/release/release.ts";
import { sampleGit } from "./git-samples.ts";
import { makeReleasable } from "./releasable.ts";
import { openReleaseWorld } from "./release-samples.ts";

test(
  "the packages of its manifest, and no others, are there for its tests",
  { timeout: 60_000 },
  async () => {
    const place = realpathSync(mkdtempSync(join(tmpdir(), "cupel-test-")));
    onTestFinished(() => rmSync(place, { recursive: true }));
    const project = join(place, "project");
    await makeReleasable(project, { "SPEC.md": "# Numbers\n" });
    const ports = await openReleaseWorld(project);
    onTestFinished(() => ports.store.close());
    const outcome = await release(ports, { scope: "full", signal: new AbortController().signal });
    expect(outcome).toMatchObject({ kind: "released", tag: "v1.0.0" });
    const summaries = "manifest" in outcome ? outcome.manifest.evidence.map(({ summary }) => summary) : [];
    expect(summaries.at(-1)).toBe(
      "npm test in a clean clone passes (the packages of package.json as they came with Cupel) and notices a break in 2 of 2 modules",
    );
    const clone = join(place, "clone");
    sampleGit(place, "clone", "--quiet", "--branch", "v1.0.0", project, clone);
    // In place of npm ci, which needs a registry.
    symlinkSync(join(process.cwd(), "node_modules"), join(clone, "node_modules"));
    const env = { PATH: process.env["PATH"] ?? "" };
    expect(execFileSync("npm", ["test"], { cwd: clone, encoding: "utf8", env })).toMatch(/10 passed/);
  },
);
