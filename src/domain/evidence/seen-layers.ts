// Which layers a suite really has, from what its tests were seen to do, and what speaks against what it lacks or claims.
import type { Finding } from "./gate-verdict.ts";
import type { GateName } from "./gate.ts";
import { type ClaimedLayer, claimedLayer, type LayerCounts, type TestLayer } from "./test-layer.ts";

/** A test that passed, and why it is or is not of each layer; an empty reason means that it is. */
export interface SeenTest {
  name: string;
  file: string;
  layers: Readonly<Record<"unit" | "property" | "contract" | "integration", Seen>>;
}

/** `unknown` where nobody could look. */
export type Seen = "seen" | "unknown" | { not: string };

export function layerCounts(tests: readonly SeenTest[], filesRead: number): LayerCounts {
  const count = (layer: keyof SeenTest["layers"]) =>
    tests.filter(({ layers }) => layers[layer] === "seen").length;
  return {
    unit: count("unit"),
    property: count("property"),
    contract: count("contract"),
    static: filesRead,
    integration: count("integration"),
  };
}

/** In the order of the layers. Those that are not applicable are not asked for; others have gates of their own. */
export function lackingLayers(
  required: readonly TestLayer[],
  counts: LayerCounts,
  notApplicable: Partial<Record<TestLayer, string>>,
): TestLayer[] {
  return required.filter((layer) => counts[layer] === 0 && notApplicable[layer] === undefined);
}

export function lackFinding(layer: TestLayer): Finding {
  return { rule: "lacks-layer", message: `there is no ${layer} test that counts: ${WANTED[layer]}` };
}

const WANTED: Readonly<Record<TestLayer, string>> = {
  unit: "write one that calls an entry point of the module with inputs you chose, and passes",
  property:
    "write one with fast-check, fc.assert(fc.property(…)), that calls an entry point with what fast-check makes up, at least 50 times",
  contract: "write one that breaks a constraint of the contract and expects its error, and one that keeps it",
  static: "no file could be read",
  integration: "write one in test/*.integration.test.ts that fails when a dependency does not work",
  e2e: "the product has none",
  budget: "nothing was measured",
};

/** The gates that see to it that a module has its layers; end-to-end tests are those of a whole product. */
export function gatesOfLayers(rigor: { layers: readonly TestLayer[] }): GateName[] {
  const gates = rigor.layers.flatMap((layer) => GATES_OF_LAYERS[layer]);
  return [...new Set(gates)];
}

const GATES_OF_LAYERS: Readonly<Record<TestLayer, readonly GateName[]>> = {
  unit: ["layers"],
  property: ["layers"],
  contract: ["layers", "contract-coverage"],
  static: ["static"],
  integration: ["integration"],
  e2e: [],
  budget: ["budget"],
};

/** Tests in a file whose name says of which layer they are, and which are not. */
export function falseClaims(tests: readonly SeenTest[]): (Finding & { test: string; file: string })[] {
  return tests.flatMap((test) => {
    const claimed = claimedLayer(test.file);
    if (claimed === undefined) return [];
    const seen = seenOf(test, claimed);
    if (typeof seen === "string") return [];
    const message = `${test.name} stands among ${claimed} tests, but ${seen.not}`;
    return [{ rule: "claimed-layer", test: test.name, file: test.file, message }];
  });
}

function seenOf({ layers }: SeenTest, claimed: ClaimedLayer): Seen {
  if (claimed === "e2e") return { not: "it runs with one module and not with the product" };
  return layers[claimed];
}
