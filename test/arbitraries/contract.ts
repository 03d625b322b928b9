// Arbitrary valid contracts: small alphabets, so that names collide between contracts and differences are small.
import fc from "fast-check";
import type {
  ContractInput,
  ContractOutput,
  Effect,
  EntryPoint,
  ErrorSurface,
  MicroModuleContract,
  Predicate,
} from "../../src/domain/contract/contract.ts";

const words = fc.constantFrom("text", "limit", "slug", "größe", "a b", "__proto__", "n-1");
const prose = fc.constantFrom(
  "is not empty",
  "is at most 64",
  "is lower case",
  'has no "quotes"',
  "ends\nhere",
);
const types = fc.constantFrom("string", "number", "readonly string[]");

const inputs: fc.Arbitrary<ContractInput[]> = fc.uniqueArray(
  fc.record(
    {
      name: words,
      type: types,
      constraints: fc.uniqueArray(prose, { maxLength: 2 }),
      optional: fc.constant<true>(true),
    },
    { requiredKeys: ["name", "type", "constraints"] },
  ),
  { maxLength: 3, selector: (input) => input.name },
);

const outputs: fc.Arbitrary<ContractOutput[]> = fc.uniqueArray(
  fc.record({ name: words, type: types, invariants: fc.uniqueArray(prose, { maxLength: 2 }) }),
  { maxLength: 2, selector: (output) => output.name },
);

const errors: fc.Arbitrary<ErrorSurface[]> = fc.uniqueArray(
  fc.record({ name: words, when: prose, surface: fc.constantFrom("exception", "code", "variant") }),
  { maxLength: 2, selector: (error) => error.name },
);

const effects: fc.Arbitrary<Effect[]> = fc.uniqueArray(
  fc.record({ type: fc.constantFrom("WRITE", "READ", "CLOCK"), target: words, description: prose }),
  { maxLength: 2, selector: (effect) => `${effect.type} ${effect.target}` },
);

const modes = fc
  .record({ sync: fc.boolean(), async: fc.boolean(), notes: fc.constantFrom("", "returns at once") })
  .filter((mode) => mode.sync || mode.async);

export function contracts(): fc.Arbitrary<MicroModuleContract> {
  return fc
    .record({
      inputs,
      outputs,
      error_surfaces: errors,
      effects,
      modes,
      signature: types,
      proven: fc.boolean(),
    })
    .map(({ signature, proven, ...dimensions }) => {
      const entry: EntryPoint = {
        name: "run",
        signature: `(x: ${signature}) => string`,
        inputs: dimensions.inputs.map((input) => input.name),
        outputs: dimensions.outputs.map((output) => output.name),
        errors: dimensions.error_surfaces.map((error) => error.name),
        effects: dimensions.effects.map((effect) => `${effect.type} ${effect.target}`),
      };
      return {
        ...METADATA,
        ...dimensions,
        entry_points: [entry],
        predicates: proven ? predicatesFor(dimensions.inputs, dimensions.outputs) : [],
      };
    });
}

function predicatesFor(inputs: ContractInput[], outputs: ContractOutput[]): Predicate[] {
  const requires = inputs.flatMap((input, i) =>
    input.constraints.map((text, j) => ({
      of: `inputs.${i}.constraints.${j}`,
      kind: "requires" as const,
      text,
    })),
  );
  const ensures = outputs.flatMap((output, i) =>
    output.invariants.map((text, j) => ({
      of: `outputs.${i}.invariants.${j}`,
      kind: "ensures" as const,
      text,
    })),
  );
  return [...requires, ...ensures].map(({ of, kind, text }) => ({
    id: `p-${of}`,
    of,
    entry: "run",
    kind,
    expr: `check(${JSON.stringify(text)})`,
  }));
}

export const METADATA = {
  module_id: "MM-run",
  module_version: "1.2.3",
  name: "run",
  purpose: "Runs.",
  tags: ["text"],
  language: "typescript",
  error_cases: [],
  dependencies: [],
  packages: [],
  compatibility: { backward_compatible_with: [], breaking_change_policy: "" },
  runtime_budgets: {},
} as const satisfies Partial<MicroModuleContract>;

/** A contract that a person could have written, for tests that read as examples. */
export function slugifyContract(): MicroModuleContract {
  return {
    module_id: "MM-slugify",
    module_version: "1.0.0",
    name: "slugify",
    purpose: "Turns a title into a URL-safe slug.",
    tags: ["text", "url"],
    language: "typescript",
    inputs: [{ name: "title", type: "string", constraints: ["is not empty", "is at most 200 characters"] }],
    outputs: [{ name: "slug", type: "string", invariants: ["matches [a-z0-9-]+"] }],
    error_surfaces: [{ name: "EmptyTitle", when: "title is empty", surface: "exception" }],
    effects: [],
    modes: { sync: true, async: false, notes: "" },
    entry_points: [
      {
        name: "slugify",
        signature: "(title: string) => string",
        inputs: ["title"],
        outputs: ["slug"],
        errors: ["EmptyTitle"],
        effects: [],
      },
    ],
    predicates: [
      {
        id: "P1",
        of: "inputs.0.constraints.0",
        entry: "slugify",
        kind: "requires",
        expr: "args[0].length > 0",
      },
      {
        id: "P2",
        of: "inputs.0.constraints.1",
        entry: "slugify",
        kind: "requires",
        expr: "args[0].length <= 200",
      },
      {
        id: "P3",
        of: "outputs.0.invariants.0",
        entry: "slugify",
        kind: "ensures",
        expr: "/^[a-z0-9-]+$/.test(result)",
      },
      {
        id: "P4",
        of: "error_surfaces.0",
        entry: "slugify",
        kind: "throws",
        expr: "error.name === 'EmptyTitle'",
      },
    ],
    error_cases: ["a title of punctuation only"],
    dependencies: [],
    packages: [],
    compatibility: { backward_compatible_with: [], breaking_change_policy: "a new major version" },
    runtime_budgets: { latency_ms_p95: 1 },
  };
}
