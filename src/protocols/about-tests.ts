// Whose business a finding of the gates is: more or other tests would satisfy some of them, all others look at the code.
import type { GateName } from "../domain/evidence/gate.ts";

const ABOUT_TESTS: readonly GateName[] = [
  "red-on-skeleton",
  "claims",
  "coverage",
  "contract-coverage",
  "layers",
  "integration",
  "mutation",
  "tidy",
];

export function isAboutTests(finding: string): boolean {
  return ABOUT_TESTS.some((gate) => finding.startsWith(`${gate}: `));
}
