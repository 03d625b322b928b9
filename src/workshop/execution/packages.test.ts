// Packages come from the lock or not at all, none of their code runs, and none opens a way out.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { bubblewrapWorks } from "../../../test/bubblewrap.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { freeze } from "./freeze.ts";
import { installPackages, type Packages, type PackagesRequest } from "./packages.ts";
import { bubblewrap } from "../sandbox/bubblewrap.ts";
import { none } from "../sandbox/none.ts";

const NPM = execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim();
const work = mkdtempSync(join(tmpdir(), "cupel-packages-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** A package whose every script would leave a mark, with a program and a link that leads out. */
const tarball = makeTarball();

function makeTarball(): Buffer {
  const directory = join(work, "package");
  mkdirSync(directory);
  const mark = `node -e "require('fs').writeFileSync(process.env.HOME + '/../ran', '')"; touch ran ${work}/ran`;
  const scripts = Object.fromEntries(
    ["preinstall", "install", "postinstall", "prepare"].map((name) => [name, mark]),
  );
  const manifest = { name: "evil", version: "1.0.0", main: "main.js", bin: { evil: "cli.js" }, scripts };
  writeFileSync(join(directory, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(directory, "main.js"), "module.exports = 41 + 1;");
  writeFileSync(join(directory, "cli.js"), "#!/usr/bin/env node\nconsole.log('cli');");
  symlinkSync("/etc/passwd", join(directory, "passwd"));
  symlinkSync("../../../../..", join(directory, "up"));
  execFileSync("tar", ["-czf", join(work, "evil.tgz"), "-C", work, "package"]);
  return readFileSync(join(work, "evil.tgz"));
}

function integrityOf(bytes: Uint8Array): string {
  return `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
}

const manifest = { name: "product", version: "1.0.0", dependencies: { evil: "file:vendor/evil.tgz" } };

function lockWith(entry: object, root: object = manifest): string {
  const evil = {
    version: "1.0.0",
    resolved: "file:vendor/evil.tgz",
    integrity: integrityOf(tarball),
    ...entry,
  };
  const packages = {
    "": root,
    "node_modules/evil": { ...evil, hasInstallScript: true, bin: { evil: "cli.js" } },
  };
  return JSON.stringify({ name: "product", version: "1.0.0", lockfileVersion: 3, requires: true, packages });
}

function request(cache: string, more: Partial<PackagesRequest> = {}): PackagesRequest {
  return {
    manifest: JSON.stringify(manifest),
    lock: lockWith({}),
    tarballs: { "vendor/evil.tgz": tarball },
    cache,
    sandbox: none(),
    npm: NPM,
    offline: true,
    ...more,
  };
}

const SANDBOXES = [
  { name: "without a sandbox", sandbox: none(), absent: false },
  { name: "in the sandbox (needs bubblewrap)", sandbox: bubblewrap(), absent: !bubblewrapWorks },
];

describe.each(SANDBOXES)("installing $name", ({ sandbox, absent }) => {
  test.skipIf(absent)("gives a read-only tree, once, and runs nothing", async () => {
    const cache = temporaryDirectory();
    const first = await installPackages(request(cache, { sandbox }));
    if (first.kind === "refused") throw new Error(first.message);
    expect(first).toMatchObject({ reused: false });
    expect(first.directory).toMatch(new RegExp(`^${cache}/[0-9a-f]{64}/node_modules$`));
    expect(readFileSync(join(first.directory, "evil/main.js"), "utf8")).toContain("41 + 1");
    expect(lstatSync(join(first.directory, ".bin/evil")).isSymbolicLink()).toBe(true);
    expect(["passwd", "up", "ran"].filter((name) => existsSync(join(first.directory, "evil", name)))).toEqual(
      [],
    );
    expect(existsSync(join(work, "ran"))).toBe(false);
    for (const path of ["", "evil", "evil/main.js"]) {
      expect(lstatSync(join(first.directory, path)).mode & 0o222).toBe(0);
    }
    expect(await installPackages(request(cache, { sandbox }))).toEqual({ ...first, reused: true });
    expect(readdirSync(cache)).toHaveLength(1);
  });
});

describe("a refusal says why and what to do", () => {
  const other = { ...manifest, dependencies: { evil: "file:vendor/evil.tgz", more: "^1.0.0" } };
  const wrong = integrityOf(Buffer.from("another package"));
  const fetched = { resolved: "https://registry.invalid/evil/-/evil-1.0.0.tgz" };
  const cases: [what: string, more: Partial<PackagesRequest>, why: string, message: RegExp][] = [
    ["package.json is not JSON", { manifest: "{" }, "lock", /package.json is not JSON/],
    ["the lock is not JSON", { lock: "{" }, "lock", /package-lock.json is not JSON/],
    ["the lock is old", { lock: '{"lockfileVersion":1}' }, "lock", /older than version 2/],
    ["they disagree", { manifest: JSON.stringify(other) }, "lock", /disagree/],
    [
      "the content is another",
      { lock: lockWith({ integrity: wrong }) },
      "integrity",
      /not the one in the lock/,
    ],
    ["the content is not pinned", { lock: lockWith({ integrity: undefined }) }, "lock", /not pinned/],
    ["the content is pinned weakly", { lock: lockWith({ integrity: "sha1-abc=" }) }, "lock", /not pinned/],
    ["it is a link", { lock: lockWith({ link: true, resolved: "../.." }) }, "lock", /is a link/],
    [
      "it comes from git",
      { lock: lockWith({ resolved: "git+ssh://git@h/x.git#1" }) },
      "lock",
      /no package of a registry/,
    ],
    [
      "it is a file of the machine",
      { lock: lockWith({ resolved: "file:../../evil.tgz" }) },
      "lock",
      /was not handed in/,
    ],
    [
      "it lies elsewhere",
      { lock: lockWith({}).replace("node_modules/evil", "node_modules/../../evil") },
      "lock",
      /outside/,
    ],
    [
      "it cannot be fetched",
      { lock: lockWith(fetched), manifest: JSON.stringify({ ...manifest, dependencies: { evil: "1.0.0" } }) },
      "offline",
      /./,
    ],
    [
      "neither an address nor an exact version is there",
      { lock: lockWith({ resolved: undefined, version: "^1.0.0" }) },
      "lock",
      /neither an address nor an exact version/,
    ],
    [
      "an address stands in place of the version",
      { lock: lockWith({ resolved: undefined, version: "git+ssh://git@h/x.git#1" }) },
      "lock",
      /neither an address nor an exact version/,
    ],
    [
      "an address stands in place of the name",
      { lock: lockWith({ resolved: undefined, name: "git+ssh://git@h/x.git#" }) },
      "lock",
      /no name of a package/,
    ],
    [
      "its place is no name of a package",
      { lock: lockWith({ resolved: undefined }).replace("node_modules/evil", "node_modules/h:evil") },
      "lock",
      /no name of a package/,
    ],
    [
      "nothing pins what has no address",
      { lock: lockWith({ resolved: undefined, integrity: undefined }) },
      "lock",
      /not pinned/,
    ],
    ["the address is no text", { lock: lockWith({ resolved: false }) }, "lock", /does not say where/],
    ["there is no npm", { npm: "/nowhere/npm" }, "npm", /could not install/],
  ];

  test.each(cases)("when %s", async (_what, more, why, message) => {
    const cache = temporaryDirectory();
    const lock =
      why === "offline" ? { lock: lockWith(fetched, { ...manifest, dependencies: { evil: "1.0.0" } }) } : {};
    const result = await installPackages(request(cache, { ...more, ...lock }));
    expect(result).toMatchObject({ kind: "refused", why });
    expect(result.kind === "refused" ? result.message : "").toMatch(message);
    expect(result.kind === "refused" ? result.hint : "").toMatch(/\w/);
    expect(readdirSync(cache)).toEqual([]);
  });

  test("a tarball cannot be written elsewhere", async () => {
    const tarballs = { "vendor/evil.tgz": tarball, "../x.tgz": tarball };
    await expect(installPackages(request(temporaryDirectory(), { tarballs }))).rejects.toThrow(
      /no path of a tarball/,
    );
  });
});

describe("a lock without addresses", () => {
  const named = { ...manifest, dependencies: { evil: "1.0.0" } };
  const locked = { manifest: JSON.stringify(named), tarballs: {}, offline: false };

  test("is installed from the registry at hand, and only what its integrity pins", async () => {
    const registry = await registryWith(tarball);
    const ask = (integrity: string): Promise<Packages> =>
      installPackages(
        request(temporaryDirectory(), {
          ...locked,
          registry: registry.url,
          lock: lockWith({ resolved: undefined, integrity }, named),
        }),
      );
    try {
      const installed = await ask(integrityOf(tarball));
      if (installed.kind === "refused") throw new Error(installed.message);
      expect(readFileSync(join(installed.directory, "evil/main.js"), "utf8")).toContain("41 + 1");
      expect(registry.asked).toContain("/evil/-/evil-1.0.0.tgz");
      expect(await ask(integrityOf(Buffer.from("another package")))).toMatchObject({
        kind: "refused",
        why: "integrity",
      });
    } finally {
      await registry.close();
    }
  });
});

/** A registry on loopback that knows one version of one package. */
async function registryWith(content: Buffer) {
  const asked: string[] = [];
  const server = createServer(({ url: path = "" }, response) => {
    asked.push(path);
    if (path.endsWith(".tgz")) return response.end(content);
    const dist = { tarball: `${url}evil/-/evil-1.0.0.tgz`, integrity: integrityOf(content) };
    const versions = { "1.0.0": { name: "evil", version: "1.0.0", dist } };
    return response.end(JSON.stringify({ name: "evil", "dist-tags": { latest: "1.0.0" }, versions }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}/`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, asked, close };
}

describe("the cache", () => {
  test("two at once end with one tree", async () => {
    const cache = temporaryDirectory();
    const both = await Promise.all([installPackages(request(cache)), installPackages(request(cache))]);
    expect(both.map(({ kind }) => kind)).toEqual(["installed", "installed"]);
    expect(readdirSync(cache)).toHaveLength(1);
  });

  test("what a killed harness left is not used, and gone after a day", async () => {
    const cache = temporaryDirectory();
    for (const name of [".unfinished-old", ".unfinished-new"])
      mkdirSync(join(cache, name, "node_modules"), { recursive: true });
    utimesSync(join(cache, ".unfinished-old"), 0, 0);
    expect(await installPackages(request(cache))).toMatchObject({ kind: "installed", reused: false });
    expect(readdirSync(cache).filter((name) => name.startsWith("."))).toEqual([".unfinished-new"]);
  });

  test("the person's settings of npm take no part", async () => {
    const home = temporaryDirectory();
    writeFileSync(join(home, ".npmrc"), "ignore-scripts=false\nscript-shell=/nowhere\n");
    const before = process.env["HOME"];
    process.env["HOME"] = home;
    const result = await installPackages(request(temporaryDirectory()));
    process.env["HOME"] = before;
    expect(result).toMatchObject({ kind: "installed" });
  });
});

describe("a tree with a way out is refused", () => {
  const ways: [what: string, make: (root: string) => void][] = [
    ["a link to a file of the machine", (root) => symlinkSync("/etc/passwd", join(root, "a/passwd"))],
    ["a link up and out", (root) => symlinkSync("../..", join(root, "a/up"))],
    ["a link to the top itself", (root) => symlinkSync("..", join(root, "a/top"))],
    [
      "links that lead out together",
      (root) => {
        symlinkSync(".", join(root, "a/here"));
        symlinkSync("here/../../..", join(root, "a/out"));
      },
    ],
    ["a link to nowhere", (root) => symlinkSync("nothing", join(root, "a/nowhere"))],
    ["a FIFO", (root) => execFileSync("mkfifo", [join(root, "a/pipe")])],
  ];

  test.each(ways)("%s", (_what, make) => {
    const root = temporaryDirectory();
    mkdirSync(join(root, "a"));
    expect(freeze(root)).toBeUndefined();
    execFileSync("chmod", ["-R", "u+w", root]);
    make(root);
    expect(freeze(root)).toMatch(/leads out|neither a file/);
  });
});
