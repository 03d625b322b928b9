// The keys under which answers about mutants are kept: everything that decided them, so that only what is identical in
// content is ever used again.
import { readFileSync } from "node:fs";
import { sha256Hex } from "../../../domain/canonical.ts";
import type { Site } from "../../port.ts";
import type { ModuleBundle } from "../inner/bundle.ts";
import { inputPath } from "../inner/bundle.ts";
import type { DryRun } from "../inside/inner-job.ts";
import { limitsOf } from "../inside/inner-limits.ts";
import type { Unjudged } from "./instrument.ts";

/** Changes whenever the same content could be judged differently. */
const ENGINE = "inner 1, @stryker-mutator/instrumenter 9.6.1, vitest 4.1.12";

/** Answers with the key of a mutant; undefined when no test reaches it. */
export function keysFor(
  site: Site,
  bundle: ModuleBundle,
  dry: DryRun,
  settings: string,
): (index: number, mutant: Unjudged) => string | undefined {
  const files = site.files();
  const contents = new Map<string, string>();
  const hashOfInput = (input: string): string => {
    const known = contents.get(input);
    if (known !== undefined) return known;
    const hash = sha256Hex(files[input] ?? readFileSync(inputPath(site, input), "utf8"));
    contents.set(input, hash);
    return hash;
  };
  const byFile = new Map<string, string>();
  const hashOfFile = (file: string): string => {
    const known = byFile.get(file);
    if (known !== undefined) return known;
    const inputs = bundle.inputs.get(file) ?? [];
    const hash = sha256Hex(JSON.stringify(inputs.map((input) => [input, hashOfInput(input)])));
    byFile.set(file, hash);
    return hash;
  };
  return (index, { id }) => {
    const { tests } = limitsOf(dry, index, 0);
    if (tests.length === 0) return undefined;
    const covering = [...new Set(tests.map(({ file }) => file))].toSorted();
    const named = tests.map(({ file, name }) => [file, name]);
    return sha256Hex(JSON.stringify([ENGINE, settings, id, named, covering.map((file) => hashOfFile(file))]));
  };
}
