// The scan finds a canary wherever it was carried to, says what it could not look at, and survives hostile trees.
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { deflateSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { makeCanary } from "./canary.ts";
import { scan, SCAN_LIMITS, type ScanTarget } from "./scan.ts";

const mine = { workspace: "W-tests", token: makeCanary().token };
const other = { workspace: "W-impl", token: makeCanary().token };
const canaries = [mine, other];

function workspace(directory: string): ScanTarget {
  return { kind: "workspace", name: "W-impl", owner: "W-impl", source: { directory } };
}

function write(directory: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), content);
}

function base64url(text: string): string {
  return Buffer.from(text).toString("base64url");
}

function gitIn(directory: string, ...args: string[]): void {
  const env = { PATH: process.env["PATH"] ?? "", HOME: directory, GIT_CONFIG_NOSYSTEM: "1" };
  const who = ["-c", "user.name=n", "-c", "user.email=e@e", "-c", "init.defaultBranch=main"];
  execFileSync("git", [...who, "-C", directory, ...args], { env, stdio: "ignore" });
}

function inPack(at: string): void {
  gitIn(at, "init");
  const filler = randomBytes(2000).toString("base64");
  for (const text of [mine.token.slice(0, 28), mine.token, mine.token.slice(10)]) {
    write(at, "f", `${filler}${text}${filler}`);
    gitIn(at, "add", "f");
    gitIn(at, "commit", "-m", "x");
  }
  write(at, "f", "");
  gitIn(at, "commit", "-am", "x");
  gitIn(at, "gc", "--aggressive", "--prune=now");
}

function deepTree(at: string): void {
  const script = `const [, at] = process.argv; process.chdir(at);
    for (let i = 0; i < 30; i++) { fs.mkdirSync("d".repeat(200)); process.chdir("d".repeat(200)); }`;
  execFileSync(process.execPath, ["-e", script, at]);
  onTestFinished(() => void execFileSync("rm", ["-rf", at]));
}

async function* broken(): AsyncGenerator<{ path: string; bytes: Uint8Array }> {
  yield { path: "a", bytes: Buffer.from("x") };
  throw new Error("the store is gone");
}

async function* many(): AsyncGenerator<{ path: string; bytes: Uint8Array }> {
  for (let index = 0; index < 1200; index++) yield { path: `f${index}`, bytes: Buffer.from(mine.token) };
}

describe("a leak in a workspace is found", () => {
  type Carried = [where: string, leak: (directory: string) => void, path: RegExp];
  const FOLDED: [how: string, name: string][] = [
    ["as gzip in base64url", gzipSync(mine.token).toString("base64url")],
    ["as zlib in hex", deflateSync(mine.token).toString("hex")],
    ["as gzip in base64url in base64url", base64url(gzipSync(mine.token).toString("base64url"))],
  ];
  const carried: Carried[] = [
    ["in a file", (at) => write(at, "src/a.ts", `// ${mine.token}`), /^src\/a\.ts$/],
    [
      "in a file of 3 MB, at its end",
      (at) => write(at, "big", `${randomBytes(3 << 20).toString("latin1")}${mine.token}`),
      /^big$/,
    ],
    ["in the name of a file", (at) => write(at, `x/${mine.token}.txt`, ""), /^x\/\[canary removed\]\.txt$/],
    ["in the name of an empty directory", (at) => mkdirSync(join(at, mine.token)), /^\[canary removed\]$/],
    [
      "in a name, cut by a slash",
      (at) => write(at, `${mine.token.slice(0, 30)}/${mine.token.slice(30)}`, ""),
      /./,
    ],
    [
      "in the target of a link",
      (at) => symlinkSync(`/nowhere/${mine.token}`, join(at, "link")),
      /^link \(link\)$/,
    ],
    ...FOLDED.flatMap(([how, folded]): Carried[] => [
      [`${how} in a name`, (at) => write(at, folded, "x"), /removed/],
      [`${how} in the name of a directory, deep down`, (at) => write(at, `a/bc/${folded}/f`, "x"), /removed/],
      [`${how} in a name, after other words`, (at) => write(at, `src/v1-${folded}.txt`, "x"), /removed/],
      [`${how} in a link`, (at) => symlinkSync(folded, join(at, "l")), /^l \(link\)$/],
      [
        `${how} in a link, further on`,
        (at) => symlinkSync(`/a/b/${folded}/..`, join(at, "l")),
        /^l \(link\)$/,
      ],
    ]),
    [
      "in an archive",
      (at) => write(at, "a.tar.gz", gzipSync(Buffer.concat([Buffer.alloc(512), Buffer.from(mine.token)]))),
      /^a\.tar\.gz$/,
    ],
    [
      "in a loose git object",
      (at) => write(at, ".git/objects/aa/bb", deflateSync(`blob 45\0${mine.token}`)),
      /^\.git\/objects\/aa\/bb$/,
    ],
    [
      "in the message of a commit",
      (at) => {
        gitIn(at, "init");
        gitIn(at, "commit", "--allow-empty", "-m", mine.token);
      },
      /^\.git\//,
    ],
    [
      "in the name of a branch",
      (at) => {
        gitIn(at, "init");
        gitIn(at, "commit", "--allow-empty", "-m", "x");
        gitIn(at, "branch", mine.token);
      },
      /^\.git\//,
    ],
    [
      "in git's settings",
      (at) => {
        gitIn(at, "init");
        gitIn(at, "config", "user.name", mine.token);
      },
      /^\.git\/config$/,
    ],
    ["in a pack", inPack, /pack-\w+\.pack \(blob \w+\)|pack-\w+\.pack$/],
    [
      "in a pack whose index was emptied",
      (at) => {
        inPack(at);
        execFileSync("sh", ["-c", 'rm -f "$1"/.git/objects/pack/*.idx', "sh", at]);
      },
      /\.pack/,
    ],
    [
      "in a bundle",
      (at) => {
        gitIn(at, "init");
        write(at, "f", mine.token);
        gitIn(at, "add", "f");
        gitIn(at, "commit", "-m", "x");
        gitIn(at, "bundle", "create", "b", "main");
      },
      /^b$|^b \(blob/,
    ],
  ];

  test.each(carried)("%s", async (_where, leak, path) => {
    const directory = temporaryDirectory();
    write(directory, ".cupel-canary", other.token);
    leak(directory);
    const report = await scan(canaries, [workspace(directory)]);
    expect(report.leaks).not.toEqual([]);
    expect(report.leaks.some((found) => path.test(found.path))).toBe(true);
    expect(new Set(report.leaks.map(({ of, kind, name }) => `${of} in ${kind} ${name}`))).toEqual(
      new Set(["W-tests in workspace W-impl"]),
    );
    expect(report.atHome).toEqual(new Set(["W-impl"]));
    expect(report.notScanned).toEqual([]);
    expect(JSON.stringify(report)).not.toContain(mine.token);
    for (const [, folded] of FOLDED) expect(JSON.stringify(report)).not.toContain(folded.slice(30));
  });

  test("with where it begins", async () => {
    const directory = temporaryDirectory();
    write(directory, "a", `12345${mine.token}`);
    const { leaks } = await scan(canaries, [workspace(directory)]);
    expect(leaks).toEqual([
      { of: "W-tests", kind: "workspace", name: "W-impl", path: "a", disguise: "verbatim", offset: 18 },
    ]);
  });
});

describe("a canary is at home", () => {
  test("in its own tree and its own history, whatever it was copied to there", async () => {
    const directory = temporaryDirectory();
    gitIn(directory, "init");
    write(directory, "src/copy.ts", Buffer.from(other.token).toString("base64"));
    gitIn(directory, "add", ".");
    gitIn(directory, "commit", "-m", other.token);
    const report = await scan(canaries, [workspace(directory)]);
    expect(report).toMatchObject({ leaks: [], notScanned: [], atHome: new Set(["W-impl"]) });
  });

  test.each<[string, ScanTarget]>([
    ["a transcript", { kind: "transcript", name: "t", source: { text: `cat: ${other.token}` } }],
    [
      "its agent's own transcript",
      { kind: "transcript", name: "t", owner: "W-impl", source: { text: other.token } },
    ],
    ["an artifact", { kind: "artifact", name: "a", source: { bytes: Buffer.from(other.token) } }],
    ["an entry", { kind: "prompt", name: "p", source: { entries: entries("x", other.token) } }],
    ["the path of an entry", { kind: "artifact", name: "p", source: { entries: entries(other.token, "") } }],
  ])("and not in %s", async (_where, target) => {
    const { leaks } = await scan(canaries, [target]);
    expect(leaks).toMatchObject([{ of: "W-impl", kind: target.kind, name: target.name }]);
  });
});

async function* entries(path: string, text: string): AsyncGenerator<{ path: string; bytes: Uint8Array }> {
  yield { path, bytes: Buffer.from(text) };
}

describe("what cannot be looked at is listed", () => {
  const small = { ...SCAN_LIMITS, fileBytes: 1 << 20 };
  const cases: [what: string, make: (directory: string) => void, path: string, reason: RegExp][] = [
    ["a FIFO", (at) => execFileSync("mkfifo", [join(at, "pipe")]), "pipe", /it is a FIFO/],
    [
      "a huge sparse file",
      (at) => {
        write(at, "huge", "");
        truncateSync(join(at, "huge"), 2 ** 40);
      },
      "huge",
      /only 1048576 of its 1099511627776 bytes/,
    ],
    ["a bomb", (at) => write(at, "bomb.gz", gzipSync(Buffer.alloc(8 << 20))), "bomb.gz", /holds too much/],
    [
      "a name that unfolds to too much",
      (at) => write(at, gzipSync(Buffer.alloc(100_000)).toString("base64url"), "x"),
      "[name withheld: what lies folded in it holds too much]",
      /holds too much/,
    ],
    [
      "streams in streams in streams",
      (at) =>
        write(
          at,
          "deep",
          [1, 2, 3, 4, 5, 6, 7].reduce((inner) => gzipSync(inner), Buffer.from("x".repeat(99))),
        ),
      "deep",
      /too deep/,
    ],
    [
      "a pack that git refuses",
      (at) => write(at, "p.pack", "PACK\0\0\0\u0002\0\0\0\u0009garbage"),
      "p.pack",
      /git cannot read this pack/,
    ],
    ["a tree deeper than any path", deepTree, "", /too deep/],
    ["a target that is not there", (at) => execFileSync("rmdir", [at]), ".", /changed|not a directory/],
    [
      "a target that is a link",
      (at) => {
        execFileSync("rmdir", [at]);
        symlinkSync("/etc", at);
      },
      ".",
      /not a directory/,
    ],
  ];

  test.each(cases)("%s", async (_what, make, path, reason) => {
    const directory = temporaryDirectory();
    make(directory);
    const { notScanned, leaks } = await scan(canaries, [workspace(directory)], small);
    expect(leaks).toEqual([]);
    expect(notScanned).toHaveLength(1);
    expect(notScanned[0]?.reason).toMatch(reason);
    expect(notScanned[0]?.path).toMatch(
      path === "" ? /^d{200}\// : new RegExp(`^${path.replaceAll(/[.[\]]/g, String.raw`\$&`)}$`),
    );
  });

  test("a socket", async () => {
    const directory = temporaryDirectory();
    const server = createServer().listen(join(directory, "s"));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    expect((await scan(canaries, [workspace(directory)])).notScanned).toMatchObject([
      { path: "s", reason: "it is a socket" },
    ]);
  });

  test.skipIf(process.getuid?.() === 0)("a file that may not be read", async () => {
    const directory = temporaryDirectory();
    write(directory, "closed", "x");
    chmodSync(join(directory, "closed"), 0);
    expect((await scan(canaries, [workspace(directory)])).notScanned).toMatchObject([
      { path: "closed", reason: "it may not be read" },
    ]);
  });

  test("entries that end with an error", async () => {
    const { notScanned, scanned } = await scan(canaries, [
      { kind: "artifact", name: "store", source: { entries: broken() } },
    ]);
    expect(scanned).toEqual([{ kind: "artifact", name: "store", files: 1, bytes: 1 }]);
    expect(notScanned).toEqual([{ kind: "artifact", name: "store", path: ".", reason: "the store is gone" }]);
  });

  test("more files or bytes than a tree may have", async () => {
    const directory = temporaryDirectory();
    for (const name of ["a", "b", "c"]) write(directory, name, "12345");
    for (const limit of [{ entries: 2 }, { treeBytes: 5 }]) {
      const { notScanned } = await scan(canaries, [workspace(directory)], { ...SCAN_LIMITS, ...limit });
      expect(notScanned).toMatchObject([{ reason: expect.stringMatching(/too much before it/) as unknown }]);
    }
  });

  test("a file that grows while it is read", async () => {
    const directory = temporaryDirectory();
    const log = join(directory, "log");
    write(directory, "log", "");
    truncateSync(log, 48 << 20);
    const writer = spawn("sh", ["-c", 'while :; do echo x >> "$1"; done', "sh", log]);
    onTestFinished(() => void writer.kill("SIGKILL"));
    await expect.poll(() => statSync(log).size).toBeGreaterThan(48 << 20);
    const { notScanned } = await scan(canaries, [workspace(directory)]);
    expect(notScanned).toMatchObject([{ path: "log", reason: "it changed while it was read" }]);
  });
});

describe("a hostile tree does no harm", () => {
  test("names that are no text, look like terminal codes or are blank are shown on one line", async () => {
    const directory = temporaryDirectory();
    for (const name of [
      Buffer.from([0x66, 0xff, 0xfe]),
      Buffer.from("\u001B]0;x\u0007\n"),
      Buffer.from(" "),
    ]) {
      writeFileSync(Buffer.concat([Buffer.from(`${directory}/`), name]), mine.token);
    }
    const { leaks } = await scan(canaries, [workspace(directory)]);
    expect(leaks.map(({ path }) => path).toSorted()).toEqual([
      `" "`,
      String.raw`"\u001b]0;x\u0007\n"`,
      String.raw`f\xff\xfe`,
    ]);
  });

  test("nor can the path of an entry forge a line", async () => {
    const target = {
      kind: "artifact",
      name: "s",
      source: { entries: entries("a\n  leak", mine.token) },
    } as const;
    expect((await scan(canaries, [target])).leaks).toMatchObject([{ path: String.raw`"a\n  leak"` }]);
  });

  test("links are not followed, also not in circles", async () => {
    const directory = temporaryDirectory();
    const outside = temporaryDirectory();
    write(outside, "secret", mine.token);
    symlinkSync(outside, join(directory, "out"));
    symlinkSync(join(outside, "secret"), join(directory, "file"));
    symlinkSync(".", join(directory, "circle"));
    const report = await scan(canaries, [workspace(directory)]);
    expect(report).toMatchObject({ leaks: [], notScanned: [] });
    expect(report.scanned[0]?.files).toBe(0);
  });

  test("git's settings and neighbours in the workspace have no say", async () => {
    const directory = temporaryDirectory();
    const hub = temporaryDirectory();
    gitIn(hub, "init");
    write(hub, "f", mine.token);
    gitIn(hub, "add", "f");
    gitIn(directory, "init");
    gitIn(directory, "config", "core.fsmonitor", `touch ${directory}/ran`);
    write(directory, ".git/objects/info/alternates", join(hub, ".git/objects"));
    write(directory, "f", "honest");
    gitIn(directory, "add", "f");
    const report = await scan(canaries, [workspace(directory)]);
    expect(report.leaks).toEqual([]);
  });

  test("a thousand leaks are enough to list", async () => {
    const { leaks } = await scan(canaries, [{ kind: "artifact", name: "s", source: { entries: many() } }]);
    expect(leaks).toHaveLength(1000);
  });
});

test("nothing that is scanned is nothing scanned", async () => {
  expect(await scan(canaries, [])).toEqual({ scanned: [], leaks: [], notScanned: [], atHome: new Set() });
  const { scanned } = await scan(canaries, [workspace(temporaryDirectory())]);
  expect(scanned).toMatchObject([{ files: 0, bytes: 0 }]);
});
