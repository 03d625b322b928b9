// What can be seen of a proof bundle that nobody can have made honestly, before anything in it is run.
import { staysInside } from "../domain/artifact/context-pack.ts";
import { canonicalJson } from "../domain/canonical.ts";
import { CupelError } from "../domain/error.ts";
import { pathsIn } from "../domain/evidence/proof-bundle.ts";
import type { ProofBundle } from "../domain/evidence/proof-bundle.ts";
import { resolveRigor } from "../domain/evidence/rigor.ts";

export function checkBundle(bundle: ProofBundle): void {
  checkPaths(bundle);
  checkRigor(bundle);
}

function checkPaths(bundle: ProofBundle): void {
  const { entry, sources, tests, configuration } = bundle.layout;
  const listed = [entry, ...sources, ...tests, ...configuration];
  const paths = pathsIn(bundle).flatMap((part) => Object.keys(part.paths));
  const outside = [...listed, ...paths].find((path) => !staysInside(path));
  if (outside !== undefined) throw forged(`${JSON.stringify(outside)} leads out of the bundle`);
  const missing = listed.find((path) => bundle.files[path] === undefined);
  if (missing !== undefined) throw forged(`${missing} is listed and is not in the bundle`);
}

/** A preset in name only would let anything pass under a good name. */
function checkRigor({ rigor }: ProofBundle): void {
  const { overridden, ...setting } = rigor;
  const really = resolveRigor(setting).overridden;
  if (canonicalJson(really) !== canonicalJson(overridden.toSorted()))
    throw forged(
      `its rigor differs from ${rigor.base} at ${really.join(", ") || "nothing"}, and does not say so`,
    );
}

export function forged(message: string, cause?: unknown): CupelError {
  return new CupelError("invalid_input", `the proof cannot be believed: ${message}`, {
    expected: "a file that cupel verify --write-proof has written, unchanged",
    hint: "cupel verify FOLDER --write-proof FILE (makes a new one)",
    cause,
  });
}
