// Whether a contract can be built at all: its predicates can be evaluated, and stubs of its entry points compile.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { MicroModuleContract } from "../../../domain/contract/contract.ts";
import { detectLayout } from "../layout.ts";
import { checkExpression } from "../watch/check-expression.ts";
import { build } from "./build.ts";
import type { ModuleView } from "./module-view.ts";
import { scaffold } from "./scaffold.ts";

/** In words that whoever wrote the contract can act on; empty when nothing stands in the way. */
export function checkContract(contract: MicroModuleContract, packages: ModuleView["packages"]): string[] {
  return [...predicateProblems(contract), ...stubProblems(contract, packages)];
}

function predicateProblems({ predicates }: MicroModuleContract): string[] {
  return predicates.flatMap(({ id, expr, kind }) => {
    const check = checkExpression(expr, kind);
    if (check.kind === "sound") return [];
    return check.problems.map(
      ({ line, column, message }) => `the predicate ${id}, line ${line}, column ${column}: ${message}`,
    );
  });
}

function stubProblems(contract: MicroModuleContract, packages: ModuleView["packages"]): string[] {
  const directory = mkdtempSync(join(tmpdir(), "cupel-contract-"));
  try {
    const files = scaffold(contract);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), text);
    }
    const detected = detectLayout(directory);
    if (detected.kind === "no-module") return [`stubs of its entry points are no module: ${detected.why}`];
    const built = build({ layout: detected.layout, directory, packages });
    if (built.kind === "built") return [];
    return built.errors.map(({ file, line, message }) => {
      const code = files[file]?.split("\n")[line - 1]?.trim() ?? "";
      return `stubs of its entry points do not compile: ${message} (in ${JSON.stringify(code)})`;
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
