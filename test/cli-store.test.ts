// `cupel store` and `cupel log` as a person uses them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FsckReport } from "../src/store/fsck-report.ts";
import { BIN, cupelIn } from "./cupel-process.ts";
import { filledStore, taskStarted } from "./store-samples.ts";
import { temporaryDirectory } from "./temporary.ts";

test("fsck says what it looked at and that all is well, also as JSON", async () => {
  const project = temporaryDirectory();
  await (await filledStore(project)).store.close();
  expect(cupelIn(project, ["store", "fsck"])).toEqual({
    code: 0,
    out: "Looked at 3 events · 2 artifacts · 0 contributions · 0 questions · 1 module · 0 tasks · 0 in the Code Index · 8 payloads · 11 files\nClean.\n",
    err: "",
  });
  expect(FsckReport.parse(JSON.parse(cupelIn(project, ["store", "fsck", "--json"]).out)).clean).toBe(true);
});

test("fsck names damage, ends with 13, and repairs what it can", async () => {
  const project = temporaryDirectory();
  const { store, fence } = await filledStore(project);
  await store.leases.release(fence);
  await store.close();
  writeFileSync(join(store.root, "modules/MM-slug/1.0.0/ship.json"), "forged");
  const { code, out } = cupelIn(project, ["store", "fsck"]);
  expect(code).toBe(13);
  expect(out).toMatch(
    /✕ modules\/MM-slug\/1.0.0\/ship.json {2}the file was changed\n1 problem\. cupel store fsck --repair/,
  );
  expect(cupelIn(project, ["store", "fsck", "--repair"])).toMatchObject({ code: 0 });
});

test("ls and show find artifacts, modules and payloads by their references", async () => {
  const project = temporaryDirectory();
  const { store, ids } = await filledStore(project);
  await store.close();
  const [id = ""] = ids;
  const list = cupelIn(project, ["store", "ls"]).out;
  expect(list).toMatch(new RegExp(`^${id}@1.0.0 +SHIPPED +CONTRACT in text, by the harness$`, "m"));
  expect(list).toMatch(/^MM-slug@1.0.0 +SEALED +5 files since /m);
  expect(JSON.parse(cupelIn(project, ["store", "show", id]).out)).toMatchObject({
    envelope: { artifact_id: id },
  });
  const ref = "sha256:7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";
  expect(cupelIn(project, ["store", "show", ref]).out).toBe("one");
});

test.each([
  [
    ["store", "show", "CTR-00000000"],
    "cupel: there is no artifact CTR-00000000\n  next: cupel store ls artifacts\n",
  ],
  [
    ["store", "show", "MM-nobody@1.0.0"],
    "cupel: there is no module MM-nobody@1.0.0\n  next: cupel store ls modules\n",
  ],
  [
    ["store", "ls", "things"],
    'cupel: the store holds no "things"\n  expected: artifacts, modules or questions\n',
  ],
])("%j ends with 2 and the way out", async (args, message) => {
  const project = temporaryDirectory();
  await (await filledStore(project)).store.close();
  expect(cupelIn(project, args)).toEqual({ code: 2, out: "", err: message });
});

test("outside a project it says where to go", () => {
  const { code, err } = cupelIn(temporaryDirectory(), ["log"]);
  expect(code).toBe(2);
  expect(err).toMatch(/there is no state store[\s\S]*next: change to the directory of your project/);
});

test("a damaged database is told apart from an empty one", async () => {
  const project = temporaryDirectory();
  await (await filledStore(project)).store.close();
  writeFileSync(join(project, ".cupel/cupel.db"), "garbage".repeat(1000));
  for (const end of ["-wal", "-shm"]) rmSync(join(project, `.cupel/cupel.db${end}`), { force: true });
  const { code, err } = cupelIn(project, ["store", "ls"]);
  expect(code).toBe(1);
  expect(err).toMatch(/it is damaged\n {2}next: cupel store fsck/);
});

test("log --follow shows what another process writes, as it happens", async () => {
  const project = temporaryDirectory();
  const { store, fence } = await filledStore(project);
  const follower = spawn(process.execPath, [BIN, "log", "--follow", "--jsonl"], { cwd: project });
  let seen = "";
  follower.stdout.on("data", (chunk: Buffer) => (seen += chunk.toString()));
  await once(follower.stdout, "data");
  await store.journal.append(fence, [taskStarted("news")]);
  await expect.poll(() => seen, { timeout: 5000 }).toContain('"news"');
  follower.kill("SIGINT");
  const [code] = await once(follower, "close");
  expect(code).toBe(130);
  expect(
    seen
      .trim()
      .split("\n")
      .map((line): unknown => Reflect.get(Object(JSON.parse(line)), "seq")),
  ).toEqual([1, 2, 3, 4]);
  await store.close();
});

test("what an agent wrote can neither forge a line nor steer the terminal", async () => {
  const project = temporaryDirectory();
  const { store, fence } = await filledStore(project);
  await store.journal.append(fence, [taskStarted("x\n     9  forged\u001B]0;title\u0007")]);
  await store.close();
  const lines = cupelIn(project, ["log"]).out.trim().split("\n");
  expect(lines).toHaveLength(4);
  expect(lines.at(-1)).toContain(
    "T-a-b-c-001 went from PENDING to IN_PROGRESS: x\\n     9  forged\\u001b]0;title\\u0007",
  );
});

test("an address that is none is a mistake of the person, not a bug", async () => {
  const project = temporaryDirectory();
  await (await filledStore(project)).store.close();
  const { code, err } = cupelIn(project, ["store", "show", "sha256:/../../etc/passwd"]);
  expect(code).toBe(2);
  expect(err).toMatch(/is not the address of a payload/);
});
