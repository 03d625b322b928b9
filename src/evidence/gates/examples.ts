// Every example gives what it says, and together they show every entry point, error and effect of the contract.
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import { notShown, runProblems } from "../../domain/evidence/example-run.ts";
import { EXAMPLES_FILE, parseExamples } from "../../domain/evidence/examples.ts";
import type { Example, ExampleProblem } from "../../domain/evidence/examples.ts";
import { linesOf } from "../../domain/evidence/markdown-parts.ts";
import { slugify } from "../../domain/task/slug.ts";
import type { ExampleReport } from "../../toolchains/port.ts";
import type { Facts } from "../facts.ts";
import type { GateDefinition, Look } from "../port.ts";

export const examples: GateDefinition = {
  name: "examples",
  look: async (facts): Promise<Look> => {
    const { contract, examples: text } = facts.module;
    if (contract === undefined || text === undefined)
      return { kind: "error", message: "there are no examples" };
    const read = parseExamples(text);
    const report = await ran(facts);
    if (report.kind === "no-report") return { kind: "error", message: report.why };
    const runs = report.compare(read.examples);
    const wrong = [...read.problems, ...runProblems(contract, runs)];
    // What cannot be read or is wrong may be what would have shown it.
    const found = wrong.length > 0 ? wrong : [...notShown(contract, runs), ...strayProblems(report.stray)];
    const equal = runs.filter(({ outcome }) => outcome.kind === "equal").length;
    return {
      kind: "looked",
      looked: runs.length + read.problems.length,
      summary: `${equal} of ${runs.length} examples give what they say`,
      findings: found.map((problem) => ({ ...problem, file: EXAMPLES_FILE })),
      evidence: runs,
    };
  },
  plant: (facts) =>
    facts.once("examples-plant", async () => {
      const { examples: text = "" } = facts.module;
      const [first] = parseExamples(text).examples;
      if (first === undefined) return { kind: "impossible", why: "there is no example to spoil" };
      const spoiled = await facts.spoiled({ examples: withOtherOutput(text, first) });
      // The code of the examples is the same, so what came of it is too; what it is compared with is not.
      await spoiled.once(RAN, () => ran(facts));
      return {
        kind: "planted",
        what: `another output in line ${first.output.line} of ${EXAMPLES_FILE}`,
        facts: spoiled,
        refusedBy: [({ rule, line }) => rule === "differs" && line === first.output.line],
      };
    }),
  early: ran,
};

const RAN = "examples";

function ran(facts: Facts): Promise<ExampleReport> {
  const { contract, examples: text, toolchain, site, rigor, timeoutMs, signal } = facts.module;
  return facts.once(RAN, async () => {
    const { examples: read } = parseExamples(text ?? "");
    if (contract === undefined || read.length === 0) return { kind: "ran", compare: () => [], stray: [] };
    return toolchain.runExamples(site, read, {
      module: slugify(contract.name),
      imports: importable(contract),
      entryPoints: contract.entry_points,
      errorSurfaces: contract.error_surfaces,
      predicates: contract.predicates,
      secondsPerTest: Math.min(rigor.secondsPerTest, MOST_SECONDS),
      timeoutMs,
      signal,
    });
  });
}

/** An example that people read is over at once. */
const MOST_SECONDS = 5;

function importable({ packages, dependencies }: MicroModuleContract): string[] {
  return dependencies.length === 0 ? packages : [...packages, "#modules"];
}

function strayProblems(stray: readonly string[]): ExampleProblem[] {
  return stray.map((message) => ({ rule: "stray-error", line: 1, message: `no example caught: ${message}` }));
}

/** So that nothing but this one comparison can refuse it. */
function withOtherOutput(text: string, { output }: Example): string {
  const planted = {
    json: '{ "cupel": "planted" }',
    text: `${output.text}\ncupel planted`,
    console: `${output.text}\ncupel planted`,
    error: `${output.text} (cupel planted)`,
  };
  const lines = linesOf(text);
  lines.splice(output.line, linesOf(output.text).length, ...linesOf(planted[output.form]));
  return lines.join("\n");
}
