// Whose business a finding of the gates is: more or other tests would satisfy some of them, all others look at the code.
import { faultOf } from "../domain/gatekeeper/tester-verdict.ts";

export function isAboutTests(finding: string): boolean {
  return faultOf(finding) === "tests";
}
