// The harness's own place to run code: dependencies are there to run and not to change, and no canary comes out.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bubblewrapWorks } from "../../../test/bubblewrap.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { makeCanary, REMOVED } from "../blindness/canary.ts";
import { type ExecutedCommand, type ExecutionRequest, openExecution } from "./execution.ts";
import { bubblewrap } from "../sandbox/bubblewrap.ts";
import { none } from "../sandbox/none.ts";
import type { Sandbox } from "../sandbox/port.ts";

const { token } = makeCanary();

function node(script: string): ExecutedCommand {
  const args = ["--input-type=module", "-e", script];
  return { command: process.execPath, args, access: "write", network: "none", timeoutMs: 20_000 };
}

function request(sandbox: Sandbox, more: Partial<ExecutionRequest> = {}): ExecutionRequest {
  return { directory: join(temporaryDirectory(), "place"), sandbox, canaries: [token], ...more };
}

function directoryWith(files: Record<string, string>): string {
  const directory = temporaryDirectory();
  chmodSync(directory, 0o755);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(directory, path, ".."), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}

function built() {
  return [{ name: "slug", directory: temporaryDirectory() }];
}

const SANDBOXES = [
  { name: "without a sandbox", sandbox: none(), absent: false },
  { name: "in the sandbox (needs bubblewrap)", sandbox: bubblewrap(), absent: !bubblewrapWorks },
];

describe.each(SANDBOXES)("a place $name", ({ sandbox, absent }) => {
  test.skipIf(absent)("runs code with its dependencies and packages, and is gone afterwards", async () => {
    const built = directoryWith({ "index.js": "export const two = 2;" });
    const packages = directoryWith({
      "pad/package.json": '{"type":"module","main":"i.js"}',
      "pad/i.js": "export default 40;",
    });
    const files = {
      "src/a.js":
        'import { two } from "../modules/slug/index.js"; import pad from "pad"; export default two + pad;',
    };
    const place = await openExecution(
      request(sandbox, { files, dependencies: [{ name: "slug", directory: built }], packages }),
    );
    const result = await place.run(node('import a from "./src/a.js"; console.log(a);'));
    expect(result).toMatchObject({
      kind: "exited",
      code: 0,
      stdout: "42\n",
      sandbox: sandbox.level,
      canariesFound: [],
    });
    await place.remove();
    expect(existsSync(place.directory)).toBe(false);
    expect(readdirSync(built)).toEqual(["index.js"]);
  });

  test.skipIf(absent)("lets no canary out, however it is printed or kept", async () => {
    const place = await openExecution(request(sandbox, { files: { t: token } }));
    const kept: string[] = [];
    const script = `import { readFileSync } from "node:fs"; const t = readFileSync("t", "utf8");
      console.log("out", t); console.error("err", Buffer.from(t).toString("base64")); console.log("x".repeat(2e6));`;
    const keep = async (bytes: Uint8Array) => String(kept.push(Buffer.from(bytes).toString()));
    const result = await place.run({ ...node(script), keep });
    expect(result.stdout).toMatch(new RegExp(`^out ${REMOVED.replace("[", String.raw`\[`)}\n`));
    expect(result.stderr).toMatch(/^err .*canary removed/);
    expect(result.canariesFound).toContainEqual({ canary: 0, disguise: "verbatim" });
    expect(result.canariesFound).toContainEqual({ canary: 0, disguise: "base64" });
    expect(kept.join("")).not.toContain(token);
    expect(JSON.stringify(result)).not.toContain(token);
    await place.remove();
  });

  test.skipIf(absent)("can be removed whatever was left in it", async () => {
    const place = await openExecution(request(sandbox));
    await place.run(
      node(
        'import { mkdirSync, chmodSync } from "node:fs"; mkdirSync("a/b", { recursive: true }); chmodSync("a", 0);',
      ),
    );
    await place.remove();
    expect(existsSync(place.directory)).toBe(false);
  });
});

describe.skipIf(!bubblewrapWorks)("in the sandbox (needs bubblewrap)", () => {
  test("dependencies and packages cannot be changed", async () => {
    const built = directoryWith({ "index.js": "1" });
    const packages = directoryWith({ "pad/i.js": "1" });
    const place = await openExecution(
      request(bubblewrap(), { dependencies: [{ name: "slug", directory: built }], packages }),
    );
    const script = `import { writeFileSync } from "node:fs";
      for (const file of ["modules/slug/index.js", "modules/slug/new", "node_modules/pad/i.js"])
        try { writeFileSync(file, "2"); } catch (error) { console.log(error.code); }`;
    expect(await place.run(node(script))).toMatchObject({ stdout: "EROFS\n".repeat(3) });
    expect(readFileSync(join(built, "index.js"), "utf8")).toBe("1");
    await place.remove();
  });
});

describe("a copied source", () => {
  test("comes with its files and modes, without history and canary", async () => {
    const source = directoryWith({
      "src/a.ts": "a",
      ".git/config": "g",
      ".cupel-canary": token,
      "sub/.cupel-canary": "mine",
    });
    writeFileSync(join(source, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
    const place = await openExecution(request(none(), { source, files: { "extra.txt": "e" } }));
    expect(readdirSync(place.directory, { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
      "extra.txt",
      "run.sh",
      "src",
      "src/a.ts",
      "sub",
      "sub/.cupel-canary",
    ]);
    expect(statSync(join(place.directory, "run.sh")).mode & 0o111).not.toBe(0);
    await place.remove();
  });

  test("with a link in it is refused, and nothing is left", async () => {
    const source = directoryWith({ a: "a" });
    symlinkSync("/etc/passwd", join(source, "link"));
    const wanted = request(none(), { source });
    await expect(openExecution(wanted)).rejects.toThrow(/"link" of .* cannot be copied/);
    expect(existsSync(wanted.directory)).toBe(false);
  });
});

test("a source with holes larger than a disk is refused before it is copied", async () => {
  const source = directoryWith({ sparse: "" });
  truncateSync(join(source, "sparse"), 2 ** 40);
  const wanted = request(none(), { source });
  await expect(openExecution(wanted)).rejects.toThrow(/too large to be copied/);
  expect(existsSync(wanted.directory)).toBe(false);
});

test.skipIf(process.getuid?.() !== 0)("as root, what is closed to other users is not mounted", async () => {
  const wanted = request(bubblewrap(), { packages: temporaryDirectory() });
  await expect(openExecution(wanted)).rejects.toThrow(/closed to other users/);
});

describe("what would lead out or get in the way is refused before anything is made", () => {
  const cases: [what: string, more: () => Partial<ExecutionRequest>, message: RegExp][] = [
    ["a path up", () => ({ files: { "../x": "" } }), /leads out/],
    ["an absolute path", () => ({ files: { "/etc/x": "" } }), /leads out/],
    ["a path with a dot", () => ({ files: { "a/./b": "" } }), /leads out/],
    [
      "a name that is a path",
      () => ({ dependencies: [{ name: "../x", directory: temporaryDirectory() }] }),
      /no name/,
    ],
    [
      "a name of dots",
      () => ({ dependencies: [{ name: "..", directory: temporaryDirectory() }] }),
      /no name/,
    ],
    ["two of one name", () => ({ dependencies: [...built(), ...built()] }), /two things/],
    [
      "a file under a mount",
      () => ({ dependencies: built(), files: { "modules/slug/x": "" } }),
      /in the way/,
    ],
    [
      "a file instead of a mount",
      () => ({ packages: temporaryDirectory(), files: { node_modules: "" } }),
      /in the way/,
    ],
    ["a file above a mount", () => ({ dependencies: built(), files: { modules: "" } }), /in the way/],
    [
      "a dependency that is not there",
      () => ({ dependencies: [{ name: "x", directory: "/nowhere" }] }),
      /cannot be seen/,
    ],
  ];

  test.each(cases)("%s", async (_what, more, message) => {
    const wanted = request(none(), more());
    await expect(openExecution(wanted)).rejects.toThrow(message);
    expect(existsSync(wanted.directory)).toBe(false);
  });

  test("a place where something is already", async () => {
    const directory = directoryWith({ precious: "x" });
    await expect(openExecution(request(none(), { directory }))).rejects.toThrow(/cannot be made anew/);
    expect(readdirSync(directory)).toEqual(["precious"]);
  });
});
