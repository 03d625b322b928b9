// Runs the gates over code that is already there, module by module, and counts what each gate said.
import { relative, resolve } from "node:path";
import { CupelError } from "../domain/error.ts";
import { GateName } from "../domain/evidence/gate.ts";
import type { ModuleReport } from "../evidence/module-report.ts";
import { foldersWithCode } from "./audit-folders.ts";
import { openVerifier } from "./verifier.ts";

export interface AuditRequest {
  /** Where the settings of the project are. */
  directory: string;
  folder: string;
  rigor: string;
  only?: readonly string[];
  /** Called for each module as soon as it is judged. */
  onModule?: (module: AuditedModule) => void;
  signal?: AbortSignal;
}

export interface AuditedModule {
  /** Relative to the folder that is audited. */
  folder: string;
  tests: number;
  passed: boolean;
  /** The first gate that refuses, or why no gate could look. */
  first: { gate: GateName | null; message: string } | null;
  gates: Readonly<Partial<Record<GateName, Said>>>;
  /** Those that refuse it and do not block. */
  advising: GateName[];
}

type Said = ModuleReport["gates"][number]["verdict"]["verdict"];

/** How many modules a gate passed, refused, did not look at, or has nothing to say about. */
export interface GateCounts {
  gate: GateName;
  passed: number;
  failed: number;
  notLookedAt: number;
  notApplicable: number;
}

export interface Audit {
  rigor: string;
  modules: AuditedModule[];
  gates: GateCounts[];
  /** Folders with code and no tests. */
  untested: string[];
  passed: number;
  warning: string | undefined;
}

/** Where there is no code there is nothing that could have passed. */
export async function audit(request: AuditRequest): Promise<Audit> {
  const { directory, folder, rigor, only, onModule, signal } = request;
  const root = resolve(directory, folder);
  const folders = foldersWithCode(root);
  if (folders.length === 0)
    throw new CupelError("not_found", `there is no code below ${folder}: nothing was audited`, {
      expected: "modules in TypeScript or JavaScript, each with its tests",
      hint: "cupel trial audit DIR, with the folder that the code was generated into",
    });
  const verifier = await openVerifier({
    directory,
    rigor,
    all: true,
    ...(only === undefined ? {} : { only }),
  });
  const modules: AuditedModule[] = [];
  try {
    for (const each of folders) {
      const name = relative(root, each) || ".";
      const judged = await verifier.verify(each, undefined, signal).then(
        (report) => reported(name, report),
        (error: unknown) => unreadable(name, error),
      );
      if (signal?.aborted === true) break;
      modules.push(judged);
      onModule?.(judged);
    }
  } finally {
    await verifier.close();
  }
  return {
    rigor,
    modules,
    gates: countsOf(modules),
    untested: modules.filter(({ tests }) => tests === 0).map((each) => each.folder),
    passed: modules.filter(({ passed }) => passed).length,
    warning: verifier.warning,
  };
}

function reported(folder: string, { layout, passed, first, gates }: ModuleReport): AuditedModule {
  return {
    folder,
    tests: layout.tests.length,
    passed,
    first: first === undefined ? null : { gate: first.gate, message: first.message },
    gates: Object.fromEntries(gates.map(({ verdict }) => [verdict.gate, verdict.verdict])),
    advising: gates.flatMap(({ verdict, blocks }) =>
      verdict.verdict === "FAIL" && !blocks ? [verdict.gate] : [],
    ),
  };
}

/** What no gate could look at has not passed. */
function unreadable(folder: string, error: unknown): AuditedModule {
  if (!(error instanceof CupelError)) throw error;
  return {
    folder,
    tests: 0,
    passed: false,
    first: { gate: null, message: error.message },
    gates: {},
    advising: [],
  };
}

function countsOf(modules: readonly AuditedModule[]): GateCounts[] {
  const asked = GateName.options.filter((gate) => modules.some(({ gates }) => gates[gate] !== undefined));
  return asked.map((gate) => {
    const count = (...said: (Said | undefined)[]) =>
      modules.filter(({ gates }) => said.includes(gates[gate])).length;
    return {
      gate,
      passed: count("PASS"),
      failed: count("FAIL"),
      notLookedAt: count("ERROR", "NOT_RUN", undefined),
      notApplicable: count("NOT_APPLICABLE"),
    };
  });
}
