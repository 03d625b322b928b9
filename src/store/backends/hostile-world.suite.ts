// A store full of traps beside a world it must not touch, and the paths of somebody who wants to get there.
import { createHash } from "node:crypto";
import { link, lstat, readdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { moduleFiles, put, temporaryFolder } from "./store-on-disk.suite.ts";

export const OWN = "/modules/MM-own/1.0.0";
export const CANARY = "canary-4711";

const NAMES = [
  ["..", "..", "..", ".", "...", "", " ", "..foo", ".. ", " ..", "..."],
  ["%2e%2e", "%2E%2E%2F", "%252e%252e", "..%2f", "..%5c", "%c0%ae%c0%ae", "..;", "&#46;&#46;"],
  [
    "．．",
    "‥",
    "․․",
    "。。",
    "／",
    "∕",
    "..／",
    "..\\",
    "\\",
    "\\..\\",
    "..\0",
    "\0",
    "a\nb",
    "\u202E..",
    "\u200B..",
    "\uD800",
  ],
  [
    "modules",
    "MM-own",
    "MM-sealed",
    "1.0.0",
    "implementation",
    "tests",
    "project",
    "types",
    "contract.json",
    "index.ts",
  ],
  [
    "Modules",
    "MODULES",
    "mm-sealed",
    "Implementation",
    "IMPLEMENTATION",
    "Tests",
    "teſts",
    "ﬁle",
    "ımplementation",
  ],
  [
    "implementation.",
    "implementation ",
    "tests...",
    "tests::$DATA",
    "implementation~1",
    "C:",
    "c:",
    "C:\\",
    "~",
    "$HOME",
  ],
  [
    "link",
    "chain",
    "hard",
    "outside",
    "canary.txt",
    "root",
    "etc",
    "passwd",
    "proc",
    "self",
    "fd",
    "cwd",
    "__proto__",
  ],
  ["a".repeat(255), "a".repeat(256), "ü".repeat(128), "x/".repeat(10), "x/".repeat(1500)],
].flat();

export const HOMES = [
  "",
  "/project",
  OWN,
  `${OWN}/types`,
  "/modules/MM-sealed/1.0.0",
  "/modules/MM-sealed/1.0.0/implementation",
];

/** Paths that try to lead out or in: the place of the outside world is known to the attacker. */
export function hostilePaths(outside: string): fc.Arbitrary<string> {
  const names = fc.array(fc.constantFrom(...NAMES), { maxLength: 7 });
  const joint = fc.constantFrom("/", "/", "/", "//", "/./", "\\", "%2f", "");
  const built = fc
    .tuple(fc.constantFrom(...HOMES), joint, names)
    .map(([home, glue, list]) => home + glue + list.join(glue));
  const targeted = fc.constantFrom(
    outside,
    `${outside}/canary.txt`,
    `/..${outside}/canary.txt`,
    "/../outside/canary.txt",
    ...HOMES.flatMap((home) =>
      ["link", "chain", "loop", "project/link"].map((name) => `${home}/${name}/canary.txt`),
    ),
    ...HOMES.flatMap((home) => ["hard", "file-link", "link", "chain"].map((name) => `${home}/${name}`)),
    ...HOMES.map((home) => `${home}${"/..".repeat(home.split("/").length)}/outside/canary.txt`),
  );
  return fc.oneof(
    { weight: 3, arbitrary: built },
    { weight: 1, arbitrary: targeted },
    fc.string({ unit: "binary" }),
  );
}

export interface World {
  root: string;
  outside: string;
  remove(): Promise<void>;
}

export async function world(): Promise<World> {
  const folder = await temporaryFolder();
  const outside = join(folder.path, "outside");
  await put(outside, { "canary.txt": `${CANARY} text`, "sub/deep.txt": CANARY });
  const root = join(folder.path, "root");
  await plant(root, outside);
  return { root, outside, remove: () => folder.remove() };
}

/** The root as new, full of links that lead out of it. */
export async function plant(root: string, outside: string): Promise<void> {
  await rm(root, { recursive: true, force: true });
  await put(root, {
    ...moduleFiles("MM-own", "1.0.0"),
    ...moduleFiles("MM-sealed", "1.0.0"),
    "project/a.md": "a",
  });
  for (const home of HOMES) {
    const at = (name: string): string => join(root, home, name);
    const links: [string, string][] = [
      [outside, at("link")],
      [at("link"), at("chain")],
      [at("loop"), at("loop")],
      [join(outside, "canary.txt"), at("file-link")],
    ];
    for (const [target, path] of links) await symlink(target, path).catch(() => undefined);
    await link(join(outside, "canary.txt"), at("hard")).catch(() => undefined);
  }
}

export async function hashOf(folder: string): Promise<string> {
  const hash = createHash("sha256");
  for (const name of (await readdir(folder, { recursive: true })).toSorted()) {
    const stats = await lstat(join(folder, name));
    hash.update(
      `${name}\0${stats.mode}\0${stats.isFile() ? await readFile(join(folder, name), "utf8") : ""}\0`,
    );
  }
  return hash.digest("hex");
}
