// What the harness sees of code and tests together, sorted by who has to do something about it.
import { type Sorted, sortedByFault } from "../../domain/gatekeeper/tester-verdict.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts, ToExamine } from "../port.ts";
import type { Examination, FailedTest, Tested } from "../seen.ts";

export interface Seen {
  sorted: Sorted;
  failures: FailedTest[];
  /** Undefined where the gates were not all asked. */
  examination?: Examination;
}

/** Cheap things first: nobody counts mutants of code whose tests fail. */
export async function lookAt(
  candidate: ToExamine,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<Seen> {
  const tested = await ports.test(context, candidate);
  if (tested.kind === "no-report" && !tested.timedOut)
    return seen({ critical: [`green: the report cannot be believed: ${tested.why}`] });
  const { failures, code, tests } = failuresOf(tested);
  if (failures.length + code.length > 0) {
    // What is critical is told at once, also where tests fail.
    const { findings } = await ports.examine(context, candidate, { gates: ["static", "effects"] });
    return seen({ critical: sortedByFault(findings).critical, code, tests }, failures);
  }
  const examination = await ports.examine(context, candidate);
  const sorted = sortedByFault(examination.findings);
  const nothing = examination.evidence === undefined && examination.findings.length === 0;
  const all = { ...sorted, tests: [...sorted.tests, ...tests, ...(nothing ? ["green: no test ran"] : [])] };
  if (all.critical.length + all.code.length + all.tests.length > 0)
    return { sorted: all, failures: [], examination };
  const { result, leaks } = await ports.certify(context);
  const crossed =
    result === "held"
      ? []
      : [`blindness: the barrier between builder and tester did not hold (${leaks.length} leaks)`];
  return { sorted: { ...all, critical: crossed }, failures: [], examination };
}

function seen(found: Partial<Sorted>, failures: FailedTest[] = []): Seen {
  const sorted = { critical: [], code: [], tests: [], ...found };
  // Failing tests are what the code has to answer for, beside what else was found.
  const code = [...sorted.code, ...failures.map(({ failure }) => `green: ${failure.propertyName} fails`)];
  return { sorted: { ...sorted, code }, failures };
}

/** What is skipped, focused or repeated is the tester's doing; everything else that is not green is the code's. */
function failuresOf(tested: Tested): { failures: FailedTest[]; code: string[]; tests: string[] } {
  switch (tested.kind) {
    case "broken":
      return { failures: [], code: tested.errors.map((error) => `build: ${error}`), tests: [] };
    case "no-report":
      return { failures: [], code: [`green: it did not come to an end: ${tested.why}`], tests: [] };
    case "ran":
    default: {
      const { failures, passed } = tested;
      const own = failures.filter(({ failure }) => failure.failureType === "ParseError");
      const none = failures.length === 0 && passed === 0 ? ["green: not a single test ran"] : [];
      return {
        failures: failures.filter((each) => !own.includes(each)),
        code: [],
        tests: [...own.map(({ failure }) => `green: ${failure.propertyName}: ${failure.message}`), ...none],
      };
    }
  }
}
