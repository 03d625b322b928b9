// The product's own tests on a clean clone of its commit: they pass, and they notice when any of its modules is broken.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { IntegrationOutcome, Violation } from "../../domain/people/integration-verdict.ts";
import { endOf, saidBy } from "../../evidence/command-end.ts";
import { BROKEN } from "../../engineering/ship/store-files.ts";
import type { SandboxedResult } from "../../workshop/sandbox/port.ts";
import { HOME } from "../e2e/suite-files.ts";
import { type Installed, installProduct } from "../install.ts";
import type { PicturedModule, ReleasePicture } from "../picture.ts";
import type { ReleasePorts } from "../port.ts";
import { openClone } from "../product-clone.ts";

type Outcome = Omit<IntegrationOutcome, "gate" | "durationMs">;

const TIMEOUT_MS = 15 * 60_000;
const COMMAND = "npm test";

/** Undefined where it was stopped. */
export async function lookAtProduct(
  ports: ReleasePorts,
  picture: ReleasePicture,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const missing = missingSuite(picture);
  if (missing !== undefined)
    return { looked: 1, summary: "there are no end-to-end tests that count", violations: [missing] };
  const installed = await installProduct(ports, picture.commit, signal);
  if (signal.aborted) return undefined;
  if (installed.kind === "refused") {
    const violation = whole(`the packages cannot be installed: ${installed.why}`, installed.next);
    return { looked: 1, summary: "its packages were not installed", violations: [violation] };
  }
  const honest = await tested(ports, picture, { installed, signal });
  if (honest.kind === "cancelled") return undefined;
  if (!isWell(honest)) {
    const violation = whole(`${COMMAND} ${endOf(honest)}: ${saidBy(honest)}`, NEXT);
    return { looked: 1, summary: `${COMMAND} in a clean clone ${endOf(honest)}`, violations: [violation] };
  }
  const { modules } = picture;
  const unnoticed = await unnoticedBreaks(ports, picture, { installed, signal });
  if (unnoticed === undefined) return undefined;
  const tried = await runsSuite(ports, picture, { installed, signal });
  if (tried === undefined) return undefined;
  const noticed = modules.length - unnoticed.length;
  const tests = picture.suite?.accepted?.tests.length ?? 0;
  const [among, besides] =
    tests === 0
      ? ["", ""]
      : [`; ${tests} end-to-end tests are among it`, ", and an end-to-end test that fails"];
  return {
    looked: modules.length + tests,
    summary: `${COMMAND} in a clean clone passes (${installed.how}) and notices a break in ${noticed} of ${modules.length} modules${among}`,
    violations: [...unnoticed.map(unnoticedIn), ...tried],
    planted: {
      planted: `functions that throw, in one module after the other (${modules.length})${besides}`,
      refused: noticed > 0,
    },
  };
}

/** Undefined where it was stopped. */
async function unnoticedBreaks(
  ports: ReleasePorts,
  picture: ReleasePicture,
  testing: Testing,
): Promise<PicturedModule[] | undefined> {
  const unnoticed: PicturedModule[] = [];
  for (const module of picture.modules) {
    const broken = await tested(ports, picture, { ...testing, broken: module });
    if (broken.kind === "cancelled") return undefined;
    // A run that was merely too slow has noticed nothing.
    if (broken.kind !== "exited" || broken.code === 0) unnoticed.push(module);
  }
  return unnoticed;
}

function missingSuite({ suite }: ReleasePicture): Violation | undefined {
  if (suite === undefined || suite.accepted !== undefined) return undefined;
  const paths = Object.keys(suite.committed).map((path) => `${HOME}${path}`);
  const why =
    paths.length === 0
      ? "there are no end-to-end tests, and the rigor asks for them"
      : `what lies in ${HOME} is not what was accepted as end-to-end tests of these modules`;
  const next = "cupel run --resume (looks at what is there, and lets the architect write what is missing)";
  return { module_ref: null, references: paths, explanation: why, next };
}

/** Undefined where it was stopped. A test among the others that fails must be noticed, or they are not run at all. */
async function runsSuite(
  ports: ReleasePorts,
  picture: ReleasePicture,
  testing: Testing,
): Promise<Violation[] | undefined> {
  const file = picture.suite?.accepted?.tests[0]?.file;
  if (file === undefined) return [];
  const spoiled = { [`${HOME}${file}`]: FAILING };
  const result = await tested(ports, picture, { ...testing, instead: spoiled });
  if (result.kind === "cancelled") return undefined;
  if (result.kind === "exited" && result.code !== 0) return [];
  const explanation = `${COMMAND} passes although an end-to-end test in ${HOME}${file} fails, so it does not run them`;
  return [{ module_ref: null, references: [`${HOME}${file}`], explanation, next: SCRIPT }];
}

const FAILING =
  'import { expect, test } from "vitest";\n\ntest("planted", () => expect([1].length).toBe(2));\n';
const SCRIPT = 'look at the script "test" of package.json: it must run the tests in e2e/';

interface Testing {
  installed: Extract<Installed, { kind: "installed" }>;
  signal: AbortSignal;
  /** A module whose functions throw in this clone. */
  broken?: PicturedModule;
  /** Texts in the place of files of the commit. */
  instead?: Readonly<Record<string, string>>;
}

async function tested(
  { hub, sandbox, store, workplace }: ReleasePorts,
  { commit }: ReleasePicture,
  { installed, signal, broken, instead = {} }: Testing,
): Promise<SandboxedResult> {
  const clone = await openClone({
    gitDir: hub.gitDir,
    commit,
    directory: join(workplace, "releases", randomUUID()),
    sandbox,
    packages: installed.mounts,
    programs: installed.programs,
    instead: broken === undefined ? instead : await throwing(store.modules, broken),
  });
  try {
    return await clone.run("npm", ["test"], { timeoutMs: TIMEOUT_MS, signal });
  } finally {
    await clone.remove();
  }
}

/** The build with functions that throw, which was made when the module shipped, in the place of its sources. */
async function throwing(
  modules: ReleasePorts["store"]["modules"],
  { module, name }: PicturedModule,
): Promise<Record<string, string>> {
  const stored = Object.entries(await modules.contents(module));
  const built = stored.filter(([path]) => path.startsWith(BROKEN));
  return Object.fromEntries(
    built.map(([path, bytes]) => {
      const file = path.slice(BROKEN.length);
      const place = file === "index.js" ? "index.ts" : file;
      return [`modules/${name}/src/${place}`, `// @ts-nocheck\n${bytes.toString("utf8")}`];
    }),
  );
}

function isWell(result: SandboxedResult): boolean {
  return result.kind === "exited" && result.code === 0;
}

function unnoticedIn({ module, name }: PicturedModule): Violation {
  return {
    module_ref: module,
    references: [`modules/${name}`],
    explanation: `${COMMAND} passes although the functions of ${module} throw, so it tests nothing of it`,
    next: 'look at the script "test" of package.json: it must run the tests of every module',
  };
}

const NEXT = "git clone . /tmp/clone && cd /tmp/clone && npm ci --ignore-scripts && npm test (shows it)";

function whole(explanation: string, next: string): Violation {
  return { module_ref: null, references: [], explanation, next };
}
