// Finds tests that need only that nothing throws: they pass although every entry point gives wrong results.
import type { TestResult } from "../../domain/evidence/test-result.ts";
import type { Facts } from "../facts.ts";

/** `dead` where not even a test that asks for nothing passed, so that nothing was seen. */
export type OnLies = { kind: "seen"; green: TestResult[] } | { kind: "dead"; why: string };

/**
 * Of the tests that are not green on stubs, those that are green in every way to lie. A test that says in so many words that
 * nothing is thrown has said something.
 */
export async function greenOnLies(facts: Facts, notGreen: readonly TestResult[]): Promise<OnLies> {
  let green = notGreen.filter((result) => !saysWhatIsThrown(result));
  for (let way = 0; green.length > 0; way++) {
    const lied = await facts.lying(way);
    if (lied === undefined) return { kind: "seen", green: way === 0 ? [] : green };
    // Whoever waits for a result that never comes asks for something.
    if (lied.report.kind === "no-report") return { kind: "seen", green: [] };
    const passed = lied.report.run.results.filter(({ outcome }) => outcome === "passed");
    if (!passed.some(({ file }) => file === lied.planted))
      return { kind: "dead", why: "where entry points lie, a test that asks for nothing did not pass" };
    const names = new Set(passed.map(keyOf));
    green = green.filter((result) => names.has(keyOf(result)));
  }
  return { kind: "seen", green };
}

function saysWhatIsThrown({ failure }: TestResult): boolean {
  return /to not throw|instead of resolving/.test(failure?.message ?? "");
}

export function keyOf({ file, name }: TestResult): string {
  return `${file}\n${name}`;
}
