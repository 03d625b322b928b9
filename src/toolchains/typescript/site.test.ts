// A site: the same module, somewhere else, with nothing of it in reach of the original.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bubblewrapWorks } from "../../../test/bubblewrap.ts";
import { CLAMP, moduleFolder } from "../../../test/module-samples.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { bubblewrap } from "../../workshop/sandbox/bubblewrap.ts";
import { none } from "../../workshop/sandbox/none.ts";
import type { Sandbox } from "../../workshop/sandbox/port.ts";
import type { Site, SiteCommand, SiteRequest } from "../port.ts";
import { detectLayout } from "./layout.ts";
import { openSite } from "./site.ts";

function request(folder: string, more: Partial<SiteRequest> = {}): SiteRequest {
  const detected = detectLayout(folder);
  if (detected.kind !== "module") throw new Error(detected.why);
  return { folder, layout: detected.layout, directory: join(temporaryDirectory(), "sites"), ...more };
}

function node(script: string, more: Partial<SiteCommand> = {}): SiteCommand {
  const args = ["--input-type=module", "-e", script];
  return { command: process.execPath, args, timeoutMs: 20_000, ...more };
}

const SANDBOXES: { name: string; sandbox: Sandbox; absent: boolean }[] = [
  { name: "without a sandbox", sandbox: none(), absent: false },
  { name: "in the sandbox (needs bubblewrap)", sandbox: bubblewrap(), absent: !bubblewrapWorks },
];

describe.each(SANDBOXES)("a site $name", ({ sandbox, absent }) => {
  const open = (files: Record<string, string>, more: Partial<SiteRequest> = {}): Promise<Site> =>
    openSite({ sandbox }, request(moduleFolder(files), more));

  test.skipIf(absent)("holds the module with its data, and sees the packages", async () => {
    const site = await open({
      ...CLAMP,
      "data/a b ü.json": "[1]",
      "node_modules/mine/x.js": "",
      "dist/x.js": "",
    });
    const seen = await site.run(
      node(`import { readFileSync, existsSync } from "node:fs"; import fc from "fast-check";
        console.log(readFileSync("data/a b ü.json", "utf8"), typeof fc.assert, existsSync("dist"), process.cwd())`),
    );
    expect(seen).toMatchObject({ kind: "exited", code: 0, stdout: `[1] function false ${site.inside}\n` });
    expect(site.files()).toEqual(CLAMP);
    await site.remove();
    expect(existsSync(join(site.directory, ".."))).toBe(false);
  });

  test.skipIf(absent)("has forks that go their own way, whatever was done to the site", async () => {
    const site = await open({ ...CLAMP, "data.txt": "old" });
    await site.run(node(`import { writeFileSync } from "node:fs"; writeFileSync("src/index.ts", "hacked");`));
    const fork = await site.fork({
      "data.txt": "new",
      "src/extra.ts": "export {};",
      "test/clamp.test.ts": null,
    });
    expect(readFileSync(join(fork.directory, "src/index.ts"), "utf8")).toBe(CLAMP["src/index.ts"]);
    expect(readFileSync(join(fork.directory, "data.txt"), "utf8")).toBe("new");
    expect(readFileSync(join(site.directory, "data.txt"), "utf8")).toBe("old");
    expect([fork.layout.tests, site.layout.tests]).toEqual([[], ["test/clamp.test.ts"]]);
    expect(Object.keys(fork.files())).toEqual(["src/index.ts", "src/extra.ts"]);
    const more = await fork.fork({ "test/new.test.ts": "", ".cupel-tools/x.mjs": "", "data.txt": null });
    expect([more.layout.tests, more.layout.sources]).toEqual([
      ["test/new.test.ts"],
      ["src/index.ts", "src/extra.ts"],
    ]);
    expect(readdirSync(more.directory)).not.toContain("data.txt");
    await Promise.all([fork.remove(), more.remove()]);
    expect(existsSync(site.directory)).toBe(true);
    await site.remove();
  });

  test.skipIf(absent)("runs with the built packages of other modules", async () => {
    const directory = temporaryDirectory();
    chmodSync(directory, 0o755);
    writeFileSync(join(directory, "index.js"), "export const two = 2;");
    const site = await open(CLAMP, { dependencies: [{ name: "pair", directory }] });
    const seen = await site.run(
      node('const { two } = await import(process.cwd() + "/modules/pair/index.js"); console.log(two)'),
    );
    expect(seen.stdout).toBe("2\n");
    await site.remove();
  });

  test.skipIf(absent)("tells how a command ended, and how much it said", async () => {
    const site = await open(CLAMP);
    const ended = async (script: string, more?: Partial<SiteCommand>) => await site.run(node(script, more));
    expect(await ended("process.exit(3)")).toMatchObject({ kind: "exited", code: 3 });
    expect(await ended("for (;;) {}", { timeoutMs: 500 })).toMatchObject({ kind: "timed-out", afterMs: 500 });
    expect(await ended('process.kill(process.pid, "SIGKILL"); for (;;) {}')).toMatchObject({
      kind: "killed",
      signal: "SIGKILL",
    });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 200);
    expect(await ended("for (;;) {}", { signal: controller.signal })).toMatchObject({ kind: "cancelled" });
    const loud = await ended('process.stdout.write("x".repeat(3e6))');
    expect(loud.outputBytes).toBe(3_000_000);
    expect(loud.stdout.length).toBeLessThanOrEqual(1_000_000);
    await expect(site.run({ command: "no-such-program", args: [], timeoutMs: 1_000 })).rejects.toMatchObject({
      code: "cannot_start",
    });
    await site.remove();
  });

  test.skipIf(absent)("gives a process no more memory than it was granted", async () => {
    const site = await open(CLAMP);
    const greedy =
      "const all = []; for (let i = 0; i < 20; i++) all.push(Buffer.alloc(1e8, 1)); console.log('got it all')";
    const refused = await site.run(node(greedy, { memoryBytes: 1024 ** 3 }));
    expect(refused.stdout).toBe("");
    await site.remove();
  });
});

describe.skipIf(!bubblewrapWorks)("a site in the sandbox (needs bubblewrap)", () => {
  test("can be closed to changes", async () => {
    const site = await openSite({ sandbox: bubblewrap() }, request(moduleFolder(CLAMP)));
    const script = 'import { writeFileSync } from "node:fs"; writeFileSync("src/index.ts", "");';
    expect((await site.run(node(script, { access: "read" }))).stderr).toContain("EROFS");
    await site.remove();
  });
});

test("leftovers of a crash lie below the directory that was given", async () => {
  const asked = request(moduleFolder(CLAMP));
  const site = await openSite({ sandbox: none() }, asked);
  await site.fork({});
  expect(readdirSync(asked.directory)).toEqual(["0", "1"]);
});

test.for([
  [
    "a layout of another folder",
    (asked: SiteRequest) => ({ ...asked, layout: { ...asked.layout, tests: ["test/x.test.ts"] } }),
    "usage",
  ],
  [
    "a place that is taken",
    (asked: SiteRequest) => (mkdirSync(join(asked.directory, "0"), { recursive: true }), asked),
    "already_exists",
  ],
  [
    "a dependency with a bad name",
    (asked: SiteRequest) => ({ ...asked, dependencies: [{ name: "../x", directory: "/tmp" }] }),
    "usage",
  ],
] as const)("%s is refused", async ([, change, code]) => {
  const asked = change(request(moduleFolder(CLAMP)));
  await expect(openSite({ sandbox: none() }, asked)).rejects.toMatchObject({ code });
});

test.for([
  { "../out.ts": "" },
  { "/etc/x": "" },
  { "node_modules/vitest/index.js": "" },
  { "src/index.ts": null },
])("the edits %j are refused", async (edits) => {
  const site = await openSite({ sandbox: none() }, request(moduleFolder(CLAMP)));
  await expect(site.fork(edits)).rejects.toMatchObject({ code: "usage" });
  await site.remove();
});

test("a link that came after the layout is not followed", async () => {
  const folder = moduleFolder({ ...CLAMP, "src/other.ts": "" });
  const asked = request(folder);
  const other = moduleFolder({ "src/index.ts": "" });
  symlinkSync("/etc/hostname", join(other, "src/other.ts"));
  await expect(openSite({ sandbox: none() }, { ...asked, folder: other })).rejects.toMatchObject({
    code: "usage",
  });
});
