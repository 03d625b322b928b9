// One module through the gatekeeper protocol with played roles and a played harness: what each gives is a list, or what is usual.
import type { GateName } from "../../domain/evidence/gate.ts";
import type { RigorSetting } from "../../domain/evidence/rigor.ts";
import type { FailureType } from "../../domain/evidence/structured-failure.ts";
import type { Stop } from "../outcome.ts";
import { draft, PASSING, type Play, playedPorts } from "../played-ports.suite.ts";
import type { ProtocolPorts } from "../port.ts";
import type { Examination, Look, Tested } from "../seen.ts";

function example(
  name: string,
  kind: string,
  value: string,
  gives: string | null,
  throws: string | null = null,
) {
  return {
    name,
    kind,
    situation: null,
    inputs: [{ name: "title", value }],
    gives,
    throws,
    why: "Titles become slugs.",
  };
}

export const RESEARCH = {
  summary: "Titles become slugs.",
  inputs: [{ name: "title", type: "string", constraints: ["is not empty"] }],
  outputs: [{ name: "slug", type: "string", invariants: [] }],
  examples: [
    example("two words", "happy_path", '"A b"', '"a-b"'),
    example("one letter", "edge_case", '"A"', '"a"'),
    example("an empty title", "error_case", '""', null, "EmptyTitle: a title is needed"),
  ],
  notes: [],
};
/** Without anything at the edge. */
export const THIN = { ...RESEARCH, examples: RESEARCH.examples.filter(({ kind }) => kind !== "edge_case") };

const { contract, claim, acceptance_checks } = draft();
export const SPEC = {
  contract,
  claim,
  acceptance_checks,
  examples: RESEARCH.examples.map(({ name, inputs }) => ({
    of: name,
    entry: "slugify",
    code: `import { slugify } from "#modules/slugify";\n\nslugify(${inputs[0]?.value ?? ""});`,
  })),
};
export const SHORT = { ...SPEC, examples: SPEC.examples.slice(1) };

export const BUILT = { claim: "It cuts words." };
export const TESTS = {
  tests: [{ name: "cuts words", layer: "unit", targets: ["slugify"] }],
  strategy: "every branch",
  expected: "PASS",
};
export const APPROVED = { rationale: "Every boundary was followed.", verdict: "PASS", findings: [] };
export const OBJECTED = {
  rationale: "A tab is not handled.",
  verdict: "FAIL",
  findings: ["src/index.ts, line 1: a tab stays in the slug"],
};
/** Everybody does what is asked at the first try. */
export const HONEST = {
  researcher: [RESEARCH],
  architect: [SPEC],
  builder_gated: [BUILT],
  tester: [TESTS],
  verifier: [APPROVED],
};

export function stop(role: string): Stop {
  return { role, kind: "blocked", why: "something is missing", interfaceChange: null };
}

export function failing(name = "cuts words", type: FailureType = "PropertyFailed"): Tested {
  const failure = {
    propertyName: name,
    failureType: type,
    counterexample: '["a\\tb"]',
    expected: '"a-b"',
    actual: '"a\\tb"',
    message: `${name} is wrong`,
  };
  return { kind: "ran", passed: 2, failures: [{ failure, functions: ["slugify"] }] };
}

export const BELIEVED: Examination = {
  ...PASSING,
  verdicts: [
    { gate: "build", verdict: "PASS", findings: [] },
    { gate: "red-on-skeleton", verdict: "PASS", findings: [] },
  ],
};

/** One gate says no. */
export function refusedBy(gate: GateName, finding: string): Examination {
  const findings = [`${gate}: ${finding}`];
  const others = BELIEVED.verdicts.filter((one) => one.gate !== gate);
  return { ...BELIEVED, findings, verdicts: [...others, { gate, verdict: "FAIL", findings }] };
}

export interface GatekeeperPlay extends Omit<Play, "examinations"> {
  /** Of tests on the skeleton. */
  believed?: Examination[];
  /** Only for what is critical, where tests fail. */
  quick?: Examination[];
  examined?: Examination[];
  /** What the tests of the module are, by name; each look takes the next. */
  contents?: ReadonlyMap<string, string>[];
}

export function gatekeeperPorts(play: GatekeeperPlay, rigor?: RigorSetting) {
  const { ports, noted } = playedPorts(play, rigor);
  const looks = new Map<string, number>();
  const { module } = ports.assignment;
  const io_contract = { ...module.io_contract, error_surfaces: ["EmptyTitle when the title is empty"] };
  const own: ProtocolPorts = {
    ...ports,
    assignment: { ...ports.assignment, module: { ...module, io_contract } },
    async examine(context, candidate, look) {
      await ports.examine(context, candidate, look);
      const kind = kindOf(look);
      const nth = looks.get(kind) ?? 0;
      looks.set(kind, nth + 1);
      return play[kind]?.[nth] ?? BELIEVED;
    },
  };
  return { ports: own, noted };
}

function kindOf(look: Look | undefined): "believed" | "quick" | "examined" {
  if (look === undefined) return "examined";
  return look.gates.includes("red-on-skeleton") ? "believed" : "quick";
}
