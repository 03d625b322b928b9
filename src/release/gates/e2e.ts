// The product's own tests on a clean clone of its commit: they pass, and they notice when any of its modules is broken.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { IntegrationOutcome, Violation } from "../../domain/people/integration-verdict.ts";
import { endOf, saidBy } from "../../evidence/command-end.ts";
import { BROKEN } from "../../engineering/ship/store-files.ts";
import type { SandboxedResult } from "../../workshop/sandbox/port.ts";
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
  const unnoticed: PicturedModule[] = [];
  for (const module of modules) {
    const broken = await tested(ports, picture, { installed, signal, broken: module });
    if (broken.kind === "cancelled") return undefined;
    // A run that was merely too slow has noticed nothing.
    if (broken.kind !== "exited" || broken.code === 0) unnoticed.push(module);
  }
  const noticed = modules.length - unnoticed.length;
  return {
    looked: modules.length,
    summary: `${COMMAND} in a clean clone passes (${installed.how}) and notices a break in ${noticed} of ${modules.length} modules`,
    violations: unnoticed.map(unnoticedIn),
    planted: {
      planted: `functions that throw, in one module after the other (${modules.length})`,
      refused: noticed > 0,
    },
  };
}

interface Testing {
  installed: Extract<Installed, { kind: "installed" }>;
  signal: AbortSignal;
  /** A module whose functions throw in this clone. */
  broken?: PicturedModule;
}

async function tested(
  { hub, sandbox, store, workplace }: ReleasePorts,
  { commit }: ReleasePicture,
  { installed, signal, broken }: Testing,
): Promise<SandboxedResult> {
  const clone = await openClone({
    gitDir: hub.gitDir,
    commit,
    directory: join(workplace, "releases", randomUUID()),
    sandbox,
    packages: installed.mounts,
    programs: installed.programs,
    ...(broken === undefined ? {} : { instead: await throwing(store.modules, broken) }),
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
