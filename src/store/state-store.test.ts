// The store as a whole: artifacts live by the status map, modules are sealed for ever, and a broken store says so.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filledStore, HARNESS, leased, newContract } from "../../test/store-samples.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import type { ContextPack } from "../domain/artifact/context-pack.ts";
import { checkStateStore, openStateStore } from "./state-store.ts";

describe("artifacts", () => {
  test("get an id and a version from the store, and lie where people look for them", async () => {
    const { store, fence } = await leased(temporaryDirectory());
    const envelope = await store.artifacts.create(fence, newContract("one"));
    expect(envelope).toMatchObject({
      artifact_id: expect.stringMatching(/^CTR-[0-9a-f]{8}$/),
      version: "1.0.0",
      status: "DRAFT",
    });
    const place = join(store.root, "artifacts/text", envelope.artifact_id, "1.0.0");
    expect(JSON.parse(readFileSync(join(place, "envelope.json"), "utf8"))).toEqual(envelope);
    expect(readFileSync(join(place, "body/notes/why.md"), "utf8")).toBe("because one");
    expect(String(await store.artifacts.readBody(envelope.artifact_id, "contract.json"))).toBe("one");
  });

  test("go through the debate, never around it", async () => {
    const { store, fence } = await leased(temporaryDirectory());
    const { artifact_id: id } = await store.artifacts.create(fence, newContract("one"));
    await expect(store.artifacts.ship(fence, id)).rejects.toMatchObject({ code: "illegal_transition" });
    await store.artifacts.transition(fence, id, "CHALLENGED");
    await store.artifacts.transition(fence, id, "ADJUDICATED");
    await expect(store.artifacts.transition(fence, id, "DRAFT")).rejects.toThrow(/retries are used up/);
    await store.artifacts.transition(fence, id, "DRAFT", "open");
    for (const status of ["CHALLENGED", "ADJUDICATED", "SHIPPED"] as const)
      await store.artifacts.transition(fence, id, status);
    await expect(store.artifacts.transition(fence, id, "DRAFT", "open")).rejects.toThrow(/never changes/);
    const [row] = await store.artifacts.query({ status: "SHIPPED" });
    expect(row?.envelope.artifact_id).toBe(id);
  });

  test("versions of one lineage only grow", async () => {
    const { store, fence } = await leased(temporaryDirectory());
    const first = await store.artifacts.create(fence, newContract("one"));
    const next = (version: string, artifactId = first.artifact_id) =>
      store.artifacts.create(fence, { ...newContract(version), successorOf: { artifactId, version } });
    const second = await next("1.1.0");
    await expect(next("1.1.0")).rejects.toThrow(/1.1.0 is not newer than 1.1.0/);
    await expect(next("1.0.5", second.artifact_id)).rejects.toThrow(/1.0.5 is not newer than 1.1.0/);
    await expect(next("2.0.0", "CTR-00000000")).rejects.toMatchObject({ code: "not_found" });
    expect((await next("2.0.0", second.artifact_id)).version).toBe("2.0.0");
  });

  test("an id that the maker kept makes one artifact, however often it is made", async () => {
    const { store, fence } = await leased(temporaryDirectory());
    const wanted = { ...newContract("one"), id: "CTR-0a1b2c3d" };
    // What a crash between files and row leaves behind.
    const leftover = join(store.root, "artifacts/text/CTR-0a1b2c3d/1.0.0/body/contract.json");
    mkdirSync(join(leftover, ".."), { recursive: true });
    writeFileSync(leftover, "half");
    const first = await store.artifacts.create(fence, wanted);
    expect(readFileSync(leftover, "utf8")).toBe("one");
    await store.artifacts.transition(fence, first.artifact_id, "CHALLENGED");
    expect(await store.artifacts.create(fence, wanted)).toEqual({ ...first, status: "CHALLENGED" });
    expect(await store.artifacts.query({})).toHaveLength(1);
    const successorOf = { artifactId: first.artifact_id, version: "1.1.0" };
    for (const change of [
      { body: { "contract.json": "two" } },
      { notes: "x" },
      { pillar: "other" },
      { createdBy: { role: "harness", run_id: "another" } as const },
      { successorOf },
    ]) {
      await expect(store.artifacts.create(fence, { ...wanted, ...change })).rejects.toMatchObject({
        code: "already_exists",
      });
    }
    const next = { ...wanted, id: "CTR-0a1b2c3e", successorOf };
    const second = await store.artifacts.create(fence, next);
    expect(await store.artifacts.create(fence, next)).toEqual(second);
  });

  test.each([
    ["a path that leads out", { body: { "../../evil": "x" } }, /"\.\.\/\.\.\/evil" is not a file inside/],
    ["an absolute path", { body: { "/etc/passwd": "x" } }, /is not a file inside/],
    ["a pillar that is a path", { pillar: "../.." }, /no slug can be made of/],
    [
      "an agent without its context pack",
      { createdBy: { role: "proposer", run_id: "r" } as const },
      /context_pack_ref/,
    ],
    [
      "a reference to an artifact that is not there",
      { inputs: [{ ref: "CTR-00000000@1.0.0", purpose: "x" }] },
      /CTR-00000000@1.0.0, which is not in the store/,
    ],
    ["a file that looks like a half-written one", { body: { "a/.tmp-x": "x" } }, /is not a file inside/],
    ["a reference that is none", { inputs: [{ ref: "somewhere", purpose: "x" }] }, /inputs\[0\]\.ref/],
  ])("%s is refused and leaves no row", async (_name, change, message) => {
    const { store, fence } = await leased(temporaryDirectory());
    await expect(store.artifacts.create(fence, { ...newContract("one"), ...change })).rejects.toThrow(
      message,
    );
    expect(await store.artifacts.query({})).toEqual([]);
  });

  test("who lost the lease writes nothing more", async () => {
    const project = temporaryDirectory();
    const { store, fence } = await leased(project);
    const { artifact_id: id } = await store.artifacts.create(fence, newContract("one"));
    await store.leases.release(fence);
    await expect(store.artifacts.create(fence, newContract("two"))).rejects.toMatchObject({
      code: "stale_fence",
    });
    await expect(store.artifacts.transition(fence, id, "CHALLENGED")).rejects.toMatchObject({
      code: "stale_fence",
    });
    await expect(store.modules.record(fence, "MM-a@1.0.0", { a: "1" })).rejects.toMatchObject({
      code: "stale_fence",
    });
    expect((await checkStateStore(project, { repair: false })).clean).toBe(true);
  });
});

describe("modules", () => {
  test("are recorded, sealed and never changed again", async () => {
    const { store, fence } = await filledStore(temporaryDirectory());
    expect(await store.modules.isSealed("MM-slug", "1.0.0")).toBe(true);
    const change = store.modules.record(fence, "MM-slug@1.0.0", { "contract.json": "other" });
    await expect(change).rejects.toMatchObject({ code: "already_exists", expected: "a new version" });
    expect(readFileSync(join(store.root, "modules/MM-slug/1.0.0/contract.json"), "utf8")).toBe("{}");
  });

  test("a writer that lost its lease does not touch the files of a module", async () => {
    const { store, fence } = await leased(temporaryDirectory());
    await store.modules.record(fence, "MM-a@1.0.0", { "contract.json": "mine" });
    await store.leases.release(fence);
    await expect(
      store.modules.record(fence, "MM-a@1.0.0", { "contract.json": "late" }),
    ).rejects.toMatchObject({ code: "stale_fence" });
    expect(readFileSync(join(store.root, "modules/MM-a/1.0.0/contract.json"), "utf8")).toBe("mine");
  });

  test("hold nothing that was not recorded: what lies there besides goes", async () => {
    const { store, fence } = await leased(temporaryDirectory());
    mkdirSync(join(store.root, "modules/MM-a/1.0.0/types"), { recursive: true });
    writeFileSync(join(store.root, "modules/MM-a/1.0.0/types/evil.d.ts"), "planted before");
    await store.modules.record(fence, "MM-a@1.0.0", { "contract.json": "{}", "examples.md": "old" });
    await store.modules.record(fence, "MM-a@1.0.0", { "contract.json": "{}" });
    writeFileSync(join(store.root, "modules/MM-a/1.0.0/ship.json"), "planted between");
    await store.modules.seal(fence, "MM-a@1.0.0");
    const files = readdirSync(join(store.root, "modules/MM-a/1.0.0"), {
      recursive: true,
      withFileTypes: true,
    });
    expect(files.filter((entry) => entry.isFile()).map((entry) => entry.name)).toEqual(["contract.json"]);
  });

  test("that are not there are not found", async () => {
    const { store, fence } = await leased(temporaryDirectory());
    await expect(store.modules.get("MM-nobody@1.0.0")).rejects.toMatchObject({ code: "not_found" });
    await expect(store.modules.seal(fence, "MM-nobody@1.0.0")).rejects.toMatchObject({ code: "not_found" });
    await expect(store.modules.get("MM-nobody")).rejects.toMatchObject({ code: "invalid_input" });
  });
});

describe("what an agent sees of the store", () => {
  const SEALED =
    /^ACCESS DENIED: '\/modules\/MM-slug\/1\.0\.0\/implementation\/index\.ts' is a sealed implementation directory/;

  test("a dependency is its contract, whatever the agent tries, and every try is on record", async () => {
    const { store, fence } = await filledStore(temporaryDirectory());
    const view = store.viewFor(packFor("MM-mine@1.0.0"), fence);
    expect(await view.read("/modules/MM-slug/1.0.0/contract.json")).toMatchObject({ content: "{}" });
    const source = "/modules/MM-slug/1.0.0/implementation/index.ts";
    expect((await view.read(source)).content).toBeUndefined();
    expect((await view.read(source)).error).toBeDefined();
    expect((await view.grep("export", "/")).matches).toEqual([]);
    expect((await view.glob("**/*.ts", "/")).files).toEqual([]);
    const trail = await store.packAudit.list("CP-0a1b2c3d");
    expect(trail.map(({ operation, granted }) => `${operation} ${granted}`)).toEqual([
      "read true",
      "read false",
      "read false",
      "grep true",
      "glob true",
    ]);
  });

  test("even a pack that grants everything cannot open a seal", async () => {
    const { store, fence } = await filledStore(temporaryDirectory());
    const view = store.viewFor(packFor("MM-slug@1.0.0"), fence);
    const source = "/modules/MM-slug/1.0.0/implementation/index.ts";
    expect((await view.read(source)).error).toMatch(SEALED);
    expect((await view.edit(source, "export", "evil")).error).toMatch(SEALED);
    expect((await view.write("/modules/MM-slug/1.0.0/contract.json", "evil")).error).toBeDefined();
    expect(readFileSync(join(store.root, "modules/MM-slug/1.0.0/contract.json"), "utf8")).toBe("{}");
  });

  test("artifacts and modules are written through the store alone, shipped or not", async () => {
    const project = temporaryDirectory();
    const { store, fence, ids } = await filledStore(project);
    await store.modules.record(fence, "MM-open@1.0.0", { "contract.json": "{}" });
    const view = store.viewFor(packFor("MM-open@1.0.0", ...ids.map((id) => `${id}@1.0.0`)), fence);
    const known = [
      ...ids.map((id) => `/artifacts/text/${id}/1.0.0/body/contract.json`),
      "/modules/MM-open/1.0.0/contract.json",
    ];
    for (const path of known) {
      expect((await view.read(path)).error).toBeUndefined();
      expect((await view.write(path, "evil")).error).toMatch(/version/);
      expect((await view.delete(path)).error).toBeDefined();
    }
    expect((await checkStateStore(project, { repair: false })).clean).toBe(true);
  });

  test("no trace, no access: when the audit cannot be written, nothing is read", async () => {
    const { store, fence } = await filledStore(temporaryDirectory());
    const view = store.viewFor(packFor(), fence);
    await store.leases.release(fence);
    await expect(view.read("/modules/MM-slug/1.0.0/contract.json")).rejects.toMatchObject({
      code: "stale_fence",
    });
  });
});

describe("a store that is not whole", () => {
  test("files without their database are a loss, not a new store", async () => {
    const project = temporaryDirectory();
    await (await filledStore(project)).store.close();
    for (const end of ["", "-wal", "-shm"]) rmSync(join(project, `.cupel/cupel.db${end}`), { force: true });
    expect(() => openStateStore(project, { durability: "normal", missing: "create" })).toThrow(
      /is gone or empty, but its files/,
    );
  });

  test("an emptied database is a loss too", async () => {
    const project = temporaryDirectory();
    await (await filledStore(project)).store.close();
    for (const end of ["-wal", "-shm"]) rmSync(join(project, `.cupel/cupel.db${end}`), { force: true });
    writeFileSync(join(project, ".cupel/cupel.db"), "");
    await expect(checkStateStore(project, { repair: true })).rejects.toMatchObject({ code: "store_damaged" });
  });

  test("a project without a store is not given one by looking", async () => {
    const project = temporaryDirectory();
    expect(() => openStateStore(project, { durability: "normal", missing: "refuse" })).toThrow(
      /there is no state store/,
    );
    await expect(checkStateStore(project, { repair: true })).rejects.toMatchObject({ code: "not_found" });
  });

  test("a database of another program is left alone", () => {
    const project = temporaryDirectory();
    mkdirSync(join(project, ".cupel"));
    writeFileSync(join(project, ".cupel/cupel.db"), "something else entirely".repeat(50));
    expect(() => openStateStore(project, { durability: "normal", missing: "create" })).toThrow(
      expect.objectContaining({ code: "store_damaged" }),
    );
    expect(readFileSync(join(project, ".cupel/cupel.db"), "utf8")).toContain("something else");
  });

  test("what was acknowledged survives a reopening, also with full durability", async () => {
    const project = temporaryDirectory();
    const { store, ids } = await filledStore(project);
    await store.close();
    const again = openStateStore(project, { durability: "full", missing: "refuse" });
    expect((await again.artifacts.query({})).map((row) => row.envelope.artifact_id)).toEqual(ids);
    expect(await again.journal.latest()).toBe(3);
    expect((await again.artifacts.get(ids[0] ?? "")).envelope.created_by).toEqual(HARNESS);
    await again.close();
  });
});

function packFor(...refs: string[]): ContextPack {
  return {
    context_pack_id: "CP-0a1b2c3d",
    created_for: { role: "proposer", run_id: "r-test", task_ref: "T-a-b-c-001" },
    included_refs: refs.map((ref) => ({ ref, permission: "FULL", reason: "its own work" })),
    excluded_refs: [],
    default_permission: "CONTRACT_ONLY",
    created_at: "2026-01-02T03:04:05Z",
  };
}

describe("documents", () => {
  test("are written once, by whoever holds the lease", async () => {
    const { store, fence } = await leased(temporaryDirectory());
    const write = (record: unknown, by = fence) =>
      store.documents.write(by, "exceptions", "ICE-0a1b2c3d.json", record);
    await write({ one: 1 });
    await write({ one: 1 });
    await expect(write({ one: 2 })).rejects.toMatchObject({ code: "already_exists" });
    await expect(write({ one: 1 }, { ...fence, token: 99 })).rejects.toMatchObject({ code: "stale_fence" });
    const place = join(store.root, "exceptions/ICE-0a1b2c3d.json");
    expect(JSON.parse(readFileSync(place, "utf8"))).toEqual({ one: 1 });
    for (const name of ["../x.json", "ESC-0a1b2c3d.json", "ICE-0a1b2c3d.txt"])
      await expect(store.documents.write(fence, "exceptions", name, {})).rejects.toMatchObject({
        code: "usage",
      });
  });
});
