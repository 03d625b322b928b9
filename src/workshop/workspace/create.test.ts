// A workspace holds what was granted and nothing else, in its files and in its history.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { sampleWorkshop, sampleWorkspace } from "../../../test/workshop-samples.ts";
import { CANARY_FILE } from "../blindness/canary.ts";
import { createWorkspace } from "./create.ts";
import { workspacesDirectory } from "./places.ts";

function gitIn(directory: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: directory, encoding: "utf8", env: { PATH: process.env["PATH"] } });
}

describe("a new workspace", () => {
  test("has one commit with the granted files and a canary, and a clean tree", async () => {
    const workshop = await sampleWorkshop(temporaryDirectory());
    const { places, record } = await sampleWorkspace(workshop);
    expect(gitIn(places.tree, "ls-files").trim().split("\n")).toEqual([
      "README.md",
      "src/pop.ts",
      "src/push.ts",
    ]);
    expect(gitIn(places.tree, "log", "--format=%H %P").trim()).toBe(record.root?.commit);
    expect(gitIn(places.tree, "status", "--porcelain")).toBe("");
    expect(readFileSync(join(places.tree, CANARY_FILE), "utf8")).toContain(record.canary);
    expect(readFileSync(join(places.tree, "src/push.ts"), "utf8")).toBe("export const push = 1;\n");
  });

  test("has no object of what was not granted, under any name", async () => {
    const workshop = await sampleWorkshop(temporaryDirectory());
    const { places } = await sampleWorkspace(workshop);
    const ids = gitIn(places.tree, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)");
    const all = ids
      .trim()
      .split("\n")
      .map((id) => gitIn(places.tree, "cat-file", "-p", id));
    expect(all.join("")).toContain("export const pop");
    expect(all.join("")).not.toContain("secret");
    expect(all.join("")).not.toContain("push.test.ts");
    expect(existsSync(join(places.tree, ".git/objects/info/alternates"))).toBe(false);
  });

  test("shows of a dependency what its contract opens", async () => {
    const workshop = await sampleWorkshop(temporaryDirectory());
    const files = { "contract.json": "{}", "types/index.d.ts": "export declare const x: 1;\n" };
    const { places } = await sampleWorkspace(workshop, { dependencies: { slugify: files } });
    expect(gitIn(places.tree, "show", "HEAD:modules/slugify/types/index.d.ts")).toContain("declare");
  });

  test("and never its code, compiled or not", async () => {
    const workshop = await sampleWorkshop(temporaryDirectory());
    const dependencies = { slugify: { "dist/index.js": "module.exports = 1" } };
    await expect(sampleWorkspace(workshop, { dependencies })).rejects.toMatchObject({
      code: "usage",
      message: "dist/index.js of the module slugify must not lie in a workspace",
    });
  });

  test("holds what the dependency granted where the base has a folder of the same name", async () => {
    const files = { "modules/slugify/contract.json": "old", "modules/slugify/src/index.ts": "source" };
    const workshop = await sampleWorkshop(temporaryDirectory(), files);
    const { places } = await sampleWorkspace(workshop, {
      grants: [],
      dependencies: { slugify: { "contract.json": "new" } },
    });
    expect(gitIn(places.tree, "ls-files").trim()).toBe("modules/slugify/contract.json");
  });

  test("can be empty but for the canary", async () => {
    const workshop = await sampleWorkshop(temporaryDirectory());
    const { places } = await sampleWorkspace(workshop, { grants: [] });
    expect(gitIn(places.tree, "ls-files")).toBe("");
    expect(existsSync(join(places.tree, CANARY_FILE))).toBe(true);
  });

  const names = [
    "with space.ts",
    "ünïcode-日本語.ts",
    'quote".ts',
    "new\nline.ts",
    "-dash.ts",
    "tab\t.ts",
    "back\\slash.ts",
  ];
  test.each(names)("keeps the name %j", async (name) => {
    const workshop = await sampleWorkshop(join(temporaryDirectory(), "pro ject ü"), {
      [`src/${name}`]: name,
    });
    const { places } = await sampleWorkspace(workshop);
    expect(readFileSync(join(places.tree, "src", name), "utf8")).toBe(name);
    expect(gitIn(places.tree, "status", "--porcelain")).toBe("");
  });

  test("keeps bytes as they are, whatever attributes the project sets", async () => {
    const files = {
      ".gitattributes": "* text eol=crlf ident working-tree-encoding=UTF-16\n",
      "a.txt": "one\n$Id$\n",
    };
    const workshop = await sampleWorkshop(temporaryDirectory(), files);
    const { places } = await sampleWorkspace(workshop, { grants: [{ path: "", access: "write" }] });
    expect(readFileSync(join(places.tree, "a.txt"), "utf8")).toBe("one\n$Id$\n");
  });

  test("twenty at once all come into being", async () => {
    const workshop = await sampleWorkshop(temporaryDirectory());
    const ids = Array.from({ length: 20 }, (_, index) => `impl-${index}`);
    const made = await Promise.all(ids.map((id) => sampleWorkspace(workshop, { id })));
    expect(new Set(made.map(({ record }) => record.canary)).size).toBe(20);
    for (const { places } of made) expect(gitIn(places.tree, "status", "--porcelain")).toBe("");
  });
});

describe("a request that makes no sense is refused and leaves nothing", () => {
  const cases: [string, Parameters<typeof sampleWorkspace>[1], string][] = [
    ["an id that is a path", { id: "../x" }, "invalid_input"],
    ["an id that is an option", { id: "-x" }, "invalid_input"],
    ["a path that leads out", { grants: [{ path: "../", access: "read" }] }, "usage"],
    ["an absolute path", { grants: [{ path: "/etc/", access: "read" }] }, "usage"],
    ["a dependency that leads out", { dependencies: { "..": { "contract.json": "" } } }, "usage"],
    ["a file that leads out", { dependencies: { a: { "types/../../x": "" } } }, "usage"],
    ["a base that is not there", { base: "0123456789012345678901234567890123456789" }, "git_failed"],
    ["a base that is an option", { base: "--all" }, "invalid_input"],
  ];
  test.each(cases)("%s", async (_name, request, code) => {
    const workshop = await sampleWorkshop(temporaryDirectory());
    await expect(sampleWorkspace(workshop, request)).rejects.toMatchObject({ code });
    const parent = workspacesDirectory(workshop.project);
    expect(existsSync(parent) ? readdirSync(parent) : []).toEqual([]);
  });

  test("a workspace that exists already stays as it is", async () => {
    const workshop = await sampleWorkshop(temporaryDirectory());
    const first = await sampleWorkspace(workshop);
    await expect(sampleWorkspace(workshop)).rejects.toMatchObject({ code: "already_exists" });
    expect(readFileSync(join(first.places.tree, CANARY_FILE), "utf8")).toContain(first.record.canary);
  });

  test("files that cannot be handed over are taken away again", async () => {
    const workshop = await sampleWorkshop(temporaryDirectory());
    const request = { id: "x", runId: "r", role: "impl", base: workshop.base, grants: [] } as const;
    await expect(createWorkspace(workshop, { handOver: refuse }, request)).rejects.toThrow("no");
    expect(readdirSync(workspacesDirectory(workshop.project))).toEqual([]);
  });
});

function refuse(): Promise<never> {
  return Promise.reject(new Error("no"));
}
