// The documents stay true: every folder is described, every link leads somewhere, every check can fail.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { PROTOCOL_PAGE, protocolPage } from "../scripts/protocol-page.ts";

const architecture = readFileSync("ARCHITECTURE.md", "utf8");
const folders = readdirSync("src", { withFileTypes: true }).filter((entry) => entry.isDirectory());

describe("documents", () => {
  test.each(folders.map((entry) => entry.name))("ARCHITECTURE.md describes src/%s/", (folder) => {
    expect(architecture).toContain(`**${folder}/**`);
  });

  test("ARCHITECTURE.md stays readable in one sitting", () => {
    expect(architecture.split("\n").length).toBeLessThanOrEqual(300);
  });

  const documents = [
    "README.md",
    "ARCHITECTURE.md",
    "GLOSSARY.md",
    "CONTRIBUTING.md",
    ...markdownUnder("docs"),
  ];
  test.each(documents)("every link of %s leads to a file", (document) => {
    const links = [...readFileSync(document, "utf8").matchAll(/\]\((?!https?:)([^)#]+)/g)].map(
      (match) => match[1] ?? "",
    );
    expect(links.filter((link) => !existsSync(join(dirname(document), link)))).toEqual([]);
  });

  test("the pictures of protocols are those of the graphs that run", () => {
    expect(readFileSync(PROTOCOL_PAGE, "utf8")).toBe(`${protocolPage()}\n`);
  });

  test("every source file opens with its purpose", () => {
    const silent = sourceFiles().filter((file) => !/^(#!.*\n)?\/\/ \S/.test(readFileSync(file, "utf8")));
    expect(silent).toEqual([]);
  });
});

// Each copies and reads the whole tree, which takes its time beside other work.
describe("the layer check", { timeout: 120_000 }, () => {
  const plants: [string, string, string, RegExp][] = [
    [
      "the domain imports an adapter",
      "domain",
      "../workshop/probes.ts",
      /domain-imports-only-what-is-below: src\/domain\/bad0.ts/,
    ],
    ["the domain does I/O", "domain", "node:fs", /domain-is-pure: src\/domain\/bad1.ts/],
    [
      "an adapter imports a door",
      "workshop",
      "../cli/output.ts",
      /workshop-imports-only-what-is-below: src\/workshop\/bad2.ts/,
    ],
    [
      "agents import the workshop sideways",
      "agents",
      "../workshop/probes.ts",
      /agents-imports-only-what-is-below: src\/agents\/bad3.ts/,
    ],
    [
      "somebody else spawns processes",
      "project",
      "node:child_process",
      /child-processes-only-in-workshop: src\/project\/bad4.ts/,
    ],
    [
      "an adapter asks the factory",
      "agents",
      "../factory/stores.ts",
      /only-doors-know-the-factory: src\/agents\/bad5.ts/,
    ],
    ["two files import each other", "agents", "./bad6.ts", /no-cycles: src\/agents\/bad6.ts/],
    ["an import leads nowhere", "agents", "./nowhere.ts", /resolvable: src\/agents\/bad7.ts/],
    [
      "product code uses a test tool",
      "agents",
      "vitest",
      /test-tools-only-in-toolchains: src\/agents\/bad8.ts/,
    ],
    ["a folder has no rule", "helpers", "node:path", /no rule for the folder src\/helpers/],
    [
      "somebody else opens a store with its SQL",
      "project",
      "../store/store-with-sql.ts",
      /only-the-factory-opens-a-store-with-its-sql: src\/project\/bad10.ts/,
    ],
    [
      "the factory knows a door",
      "factory",
      "../cli/output.ts",
      /factory-imports-only-what-is-below: src\/factory\/bad11.ts/,
    ],
  ];

  const planted = lazy(() =>
    checkLayers((root) => {
      mkdirSync(join(root, "src/helpers"));
      plants.forEach(([, folder, target], n) => {
        writeFileSync(join(root, "src", folder, `bad${n}.ts`), `import "${target}";\n`);
      });
    }),
  );

  test.each(plants)("is red when %s", (_name, _folder, _target, message) => {
    expect(planted().stderr).toMatch(message);
    expect(planted().status).toBe(1);
  });

  test("is red when there is nothing to look at", () => {
    const { status, stderr } = checkLayers((root) => {
      rmSync(join(root, "src"), { recursive: true });
      cpSync("docs", join(root, "src"), { recursive: true });
    });
    expect(stderr).toMatch(/no module under src|no rule for the folder/);
    expect(status).toBe(1);
  });

  test("is green on the tree as it is", () => {
    expect(checkLayers(() => {})).toEqual({ status: 0, stderr: "" });
  });
});

/** Runs the layer check on a copy of the tree with something planted in it. */
function checkLayers(plant: (root: string) => void) {
  const root = mkdtempSync(join(tmpdir(), "cupel-layers-"));
  try {
    for (const path of ["src", "package.json", "tsconfig.json"])
      cpSync(path, join(root, path), { recursive: true });
    symlinkSync(join(process.cwd(), "node_modules"), join(root, "node_modules"));
    plant(root);
    const script = join(process.cwd(), "scripts/check-layers.mjs");
    const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: "utf8" });
    return { status, stderr };
  } finally {
    rmSync(root, { recursive: true });
  }
}

function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function markdownUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join(folder, file));
}

function sourceFiles(): string[] {
  return ["src", "bench", "scripts", "test"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(ts|mjs)$/.test(file) && !/\.test\.ts$|(^|\/)node_modules\//.test(file))
      .map((file) => join(folder, file)),
  );
}
