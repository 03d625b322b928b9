// An agent sees what its pack grants, no more, and every access is on record.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ContextPack } from "../../domain/artifact/context-pack.ts";
import { attempt, backendSuite } from "./backend.suite.ts";
import { stateStoreRoutes } from "./composite.ts";
import { ContextPackBackend } from "./context-pack.ts";
import type { PackAccessEntry } from "./context-pack.ts";
import { FilesystemBackend } from "./filesystem.ts";
import { moduleFiles, packOf, put, specimen, temporaryFolder } from "./store-on-disk.suite.ts";

backendSuite("a context pack's own module", () =>
  specimen(
    (root) => new ContextPackBackend(new FilesystemBackend(root), packOf(), () => undefined),
    "/modules/MM-own/1.0.0",
  ),
);

const PACK = packOf({
  included_refs: [
    { ref: "MM-own@1.0.0", permission: "FULL", reason: "the module at hand" },
    { ref: "MM-summary@1.0.0", permission: "SUMMARY_ONLY", reason: "only its purpose matters" },
    { ref: "MM-meta@1.0.0", permission: "METADATA_ONLY", reason: "only its standing matters" },
    { ref: "PROP-0a1b2c3d@1.0.0", permission: "FULL", reason: "the proposal" },
    { ref: "CTR-0a1b2c3d@1.0.0", permission: "CONTRACT_ONLY", reason: "the contract" },
    { ref: "ADJ-0a1b2c3d@1.0.0", permission: "METADATA_ONLY", reason: "that it exists" },
  ],
  excluded_refs: [{ ref: "MM-secret@1.0.0", reason: "not part of this task" }],
});

const MODULES = ["MM-own", "MM-other", "MM-summary", "MM-meta", "MM-secret"];
const ARTIFACTS = ["PROP-0a1b2c3d", "CTR-0a1b2c3d", "ADJ-0a1b2c3d", "CHAL-0a1b2c3d"];

let root: string;
let remove: () => Promise<void>;
let entries: PackAccessEntry[];
beforeEach(async () => {
  const folder = await temporaryFolder();
  root = folder.path;
  remove = () => folder.remove();
  entries = [];
  for (const id of MODULES) await put(root, moduleFiles(id, "1.0.0"));
  for (const id of ARTIFACTS) {
    const home = `artifacts/core/${id}/1.0.0`;
    await put(root, {
      [`${home}/envelope.json`]: "{}",
      [`${home}/body/contract.json`]: "{}",
      [`${home}/body/x.ts`]: "secret",
    });
  }
  await put(root, {
    "artifacts/other/CHAL-0a1b2c3d/1.0.0/envelope.json": "{}",
    "project/state_machine.json": "secret",
  });
});
afterEach(() => remove());

function packed(pack: ContextPack = PACK, sealed: string[] = []): ContextPackBackend {
  const store = stateStoreRoutes({ root, isSealed: (id) => sealed.includes(id), isFrozen: () => false });
  return new ContextPackBackend(store, pack, (entry) => void entries.push(entry));
}

const paths = (infos: { path: string }[] = []): string[] => infos.map((info) => info.path);
const instead = "if that is not enough, raise an Interface Change Exception (§13)";

describe("what can be seen", () => {
  const closedFiles = [
    "implementation/",
    "implementation/deep/",
    "implementation/deep/er.ts",
    "implementation/index.ts",
  ];
  const tests = ["tests/", "tests/index.test.ts"];
  const contract = [
    "contract.json",
    "examples.md",
    "metadata.json",
    "ship.json",
    "summary.md",
    "types/",
    "types/index.d.ts",
  ];
  test.each([
    ["MM-own", [...contract, ...closedFiles, ...tests].toSorted()],
    ["MM-other", contract],
    ["MM-summary", ["metadata.json", "summary.md"]],
    ["MM-meta", ["metadata.json"]],
  ])("of %s", async (id, expected) => {
    const backend = packed();
    const home = `/modules/${id}/1.0.0`;
    const { files } = await backend.glob("**", home);
    expect(paths(files)).toEqual(expected.map((name) => `${home}/${name}`));
    for (const name of [...contract, ...closedFiles, ...tests].filter((path) => !path.endsWith("/"))) {
      const open = expected.includes(name);
      expect((await backend.read(`${home}/${name}`)).error === undefined).toBe(open);
      expect((await backend.readRaw(`${home}/${name}`)).error === undefined).toBe(open);
    }
  });

  test("of the whole store", async () => {
    const backend = packed();
    expect(paths((await backend.ls("/")).files)).toEqual(["/artifacts/", "/modules/"]);
    expect(paths((await backend.ls("/modules")).files)).toEqual(
      ["MM-meta", "MM-other", "MM-own", "MM-summary"].map((id) => `/modules/${id}/`),
    );
    expect(paths((await backend.glob("**", "/artifacts")).files)).toEqual([
      "/artifacts/core/",
      "/artifacts/core/ADJ-0a1b2c3d/",
      "/artifacts/core/ADJ-0a1b2c3d/1.0.0/",
      "/artifacts/core/ADJ-0a1b2c3d/1.0.0/envelope.json",
      "/artifacts/core/CTR-0a1b2c3d/",
      "/artifacts/core/CTR-0a1b2c3d/1.0.0/",
      "/artifacts/core/CTR-0a1b2c3d/1.0.0/body/",
      "/artifacts/core/CTR-0a1b2c3d/1.0.0/body/contract.json",
      "/artifacts/core/CTR-0a1b2c3d/1.0.0/envelope.json",
      "/artifacts/core/PROP-0a1b2c3d/",
      "/artifacts/core/PROP-0a1b2c3d/1.0.0/",
      "/artifacts/core/PROP-0a1b2c3d/1.0.0/body/",
      "/artifacts/core/PROP-0a1b2c3d/1.0.0/body/contract.json",
      "/artifacts/core/PROP-0a1b2c3d/1.0.0/body/x.ts",
      "/artifacts/core/PROP-0a1b2c3d/1.0.0/envelope.json",
    ]);
    expect(paths((await backend.grep("secret")).matches)).toEqual([
      "/artifacts/core/PROP-0a1b2c3d/1.0.0/body/x.ts",
      "/modules/MM-own/1.0.0/implementation/deep/er.ts",
      "/modules/MM-own/1.0.0/implementation/index.ts",
      "/modules/MM-own/1.0.0/tests/index.test.ts",
    ]);
  });

  test("a pack that includes no artifact does not even see that there are any", async () => {
    expect(paths((await packed(packOf()).ls("/")).files)).toEqual(["/modules/"]);
  });

  test("the summary is made from the contract, the metadata from the standing", async () => {
    const backend = packed();
    const { content } = await backend.read("/modules/MM-summary/1.0.0/summary.md");
    expect(content).toMatch(
      /^# .*\(MM-summary@1\.0\.0\)\n\n.+\n\n- Inputs: title: string\n- Outputs: .*\n- Errors: .*\n- Effects: none\n- Modes: sync\n$/,
    );
    const metadata = await backend.read("/modules/MM-meta/1.0.0/metadata.json");
    expect(JSON.parse(String(metadata.content))).toEqual({
      id: "MM-meta",
      version: "1.0.0",
      status: "SHIPPED",
    });
    await put(root, { "modules/MM-new/1.0.0/contract.json": "not a contract" });
    const draft = await backend.read("/modules/MM-new/1.0.0/metadata.json");
    expect(JSON.parse(String(draft.content))).toMatchObject({ status: "DRAFT" });
    expect((await backend.read("/modules/MM-new/1.0.0/summary.md")).error).toContain("does not exist");
    expect((await backend.read("/modules/MM-no/1.0.0/metadata.json")).error).toContain("does not exist");
    expect(paths((await backend.ls("/modules/MM-new/1.0.0")).files)).toHaveLength(2);
  });

  test("a stored file under a generated name is never shown", async () => {
    await put(root, {
      "modules/MM-meta/1.0.0/metadata.json": "secret",
      "modules/MM-own/1.0.0/summary.md": "secret",
    });
    expect((await packed().read("/modules/MM-meta/1.0.0/metadata.json")).content).not.toContain("secret");
    expect((await packed().read("/modules/MM-own/1.0.0/summary.md")).content).not.toContain("secret");
  });
});

describe("refusals", () => {
  test.each([
    [
      "/modules/MM-other/1.0.0/implementation/index.ts",
      `is closed: MM-other@1.0.0 is granted CONTRACT_ONLY here; use contract.json, examples.md, ship.json, types/ in '/modules/MM-other/1.0.0' instead; ${instead}`,
    ],
    [
      "/modules/MM-summary/1.0.0/contract.json",
      `is closed: MM-summary@1.0.0 is granted SUMMARY_ONLY here; use summary.md in '/modules/MM-summary/1.0.0' instead; ${instead}`,
    ],
    [
      "/modules/MM-meta/1.0.0/summary.md",
      `is closed: MM-meta@1.0.0 is granted METADATA_ONLY here; use metadata.json in '/modules/MM-meta/1.0.0' instead; ${instead}`,
    ],
    [
      "/modules/MM-secret/1.0.0/contract.json",
      "is closed in this context pack (not part of this task); work with the contracts that are open, or raise an Interface Change Exception (§13)",
    ],
    [
      "/project/state_machine.json",
      "is not in this context pack; work with the contracts below '/modules' and with what the task names",
    ],
    [
      "/artifacts/core/CHAL-0a1b2c3d/1.0.0/envelope.json",
      "is closed in this context pack (the pack does not include CHAL-0a1b2c3d@1.0.0); work with the contracts that are open, or raise an Interface Change Exception (§13)",
    ],
    [
      "/artifacts/core/ADJ-0a1b2c3d/1.0.0/body/x.ts",
      "is closed: ADJ-0a1b2c3d@1.0.0 is granted METADATA_ONLY here; use '/artifacts/core/ADJ-0a1b2c3d/1.0.0/envelope.json' instead",
    ],
    [
      "/artifacts/core/MM-own/1.0.0/body/x.ts",
      "is closed in this context pack (MM-own@1.0.0 is not the version of a known artifact); work with the contracts that are open, or raise an Interface Change Exception (§13)",
    ],
    [
      "/modules/MM-own/latest/x.ts",
      "is closed in this context pack (MM-own@latest is not the version of a known module); work with the contracts that are open, or raise an Interface Change Exception (§13)",
    ],
  ])("%s can be neither read nor changed, whether or not it is there", async (path, words) => {
    const backend = packed();
    for (const operation of ["read", "readRaw", "write", "edit", "delete"] as const) {
      expect(await attempt(backend, operation, path)).toEqual({ error: `'${path}' ${words}` });
    }
  });

  test.each([
    "/project",
    "/code_index",
    "/modules/MM-secret",
    "/modules/MM-secret/1.0.0",
    "/modules/MM-other/1.0.0/implementation",
    "/artifacts/other",
    "/artifacts/nowhere",
    "/artifacts/core/CHAL-0a1b2c3d",
  ])("%s can be neither listed nor searched", async (path) => {
    const backend = packed();
    for (const operation of ["ls", "glob", "grep"] as const) {
      expect(await attempt(backend, operation, path)).toEqual({
        error: expect.stringContaining(`'${path}' is `),
      });
    }
  });

  test("less than FULL opens nothing for writing, and FULL no generated file", async () => {
    const backend = packed();
    for (const operation of ["write", "edit", "delete"] as const) {
      expect((await attempt(backend, operation, "/modules/MM-other/1.0.0/contract.json")).error).toContain(
        "CONTRACT_ONLY",
      );
      for (const name of ["summary.md", "metadata.json"]) {
        expect(await attempt(backend, operation, `/modules/MM-own/1.0.0/${name}`)).toEqual({
          error: `'/modules/MM-own/1.0.0/${name}' is made from other files and cannot be changed; change '/modules/MM-own/1.0.0/contract.json' instead`,
        });
      }
      expect((await attempt(backend, operation, "/modules/MM-own/1.0.0")).error).toContain("is a folder");
      expect((await attempt(backend, operation, "/modules")).error).toContain("is a folder");
    }
  });

  test("FULL does not open a seal", async () => {
    const path = "/modules/MM-own/1.0.0/implementation/index.ts";
    const backend = packed(PACK, ["MM-own"]);
    expect((await backend.read(path)).error).toContain(`ACCESS DENIED: '${path}'`);
    expect((await backend.write(path, "x")).error).toContain(`ACCESS DENIED: '${path}'`);
    expect(await backend.glob("**", "/modules/MM-own/1.0.0/implementation")).toEqual({ files: [] });
  });
});

describe("the record", () => {
  test("has one entry per access, granted or refused", async () => {
    const backend = packed();
    await backend.read("/modules/./MM-own/1.0.0/ship.json");
    await backend.write("/modules/MM-other/1.0.0/ship.json", "x");
    await backend.delete("../x");
    expect(entries).toEqual([
      {
        operation: "read",
        path: "/modules/MM-own/1.0.0/ship.json",
        granted: true,
        reason: "MM-own@1.0.0 is granted FULL",
        hidden: 0,
      },
      {
        operation: "write",
        path: "/modules/MM-other/1.0.0/ship.json",
        granted: false,
        reason: expect.stringContaining("CONTRACT_ONLY"),
        hidden: 0,
      },
      {
        operation: "delete",
        path: '"../x"',
        granted: false,
        reason: expect.stringContaining("is refused"),
        hidden: 0,
      },
    ]);
  });

  test("has one entry per search, with the number of entries hidden", async () => {
    const backend = packed();
    await backend.ls("/modules/MM-other/1.0.0");
    await backend.glob("**", "/modules/MM-meta");
    await backend.grep("secret", "/project");
    expect(entries).toEqual([
      {
        operation: "ls",
        path: "/modules/MM-other/1.0.0",
        granted: true,
        reason: "2 entries hidden",
        hidden: 2,
      },
      { operation: "glob", path: "/modules/MM-meta", granted: true, reason: "6 entries hidden", hidden: 6 },
      {
        operation: "grep",
        path: "/project",
        granted: false,
        reason: expect.stringContaining("not in this context pack"),
        hidden: 0,
      },
    ]);
  });

  test("what cannot be recorded does not happen", async () => {
    const store = new FilesystemBackend(root);
    const backend = new ContextPackBackend(store, PACK, () => {
      throw new Error("the disk is full");
    });
    const path = "/modules/MM-own/1.0.0/ship.json";
    await expect(backend.write(path, "new")).rejects.toThrow("the disk is full");
    await expect(backend.read(path)).rejects.toThrow("the disk is full");
    await expect(backend.grep("secret")).rejects.toThrow("the disk is full");
    expect((await store.read(path)).content).toBe("{}");
  });
});
