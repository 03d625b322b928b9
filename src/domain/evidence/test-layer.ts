// The layers of a module's tests, what makes each of them due, which ones a rigor asks for here and now, and what a file claims.
import { z } from "zod";

/** In the order in which they are reported. */
export const TestLayer = z.enum(["unit", "property", "contract", "static", "integration", "e2e", "budget"]);
export type TestLayer = z.infer<typeof TestLayer>;

/** How many tests of each layer were seen; for the static layer, how many files were read. */
export const LayerCounts = z.partialRecord(TestLayer, z.int().min(0));
export type LayerCounts = z.infer<typeof LayerCounts>;

/** What is known about a module when its layers are asked for. */
export interface LayerSituation {
  hasDependencies: boolean;
  /** Every task of the product is verified, so the whole can be tried. */
  allVerified: boolean;
}

export type LayerTrigger = "always" | keyof LayerSituation;

export const LAYER_TRIGGERS: Readonly<Record<TestLayer, LayerTrigger>> = {
  unit: "always",
  property: "always",
  contract: "always",
  static: "always",
  integration: "hasDependencies",
  e2e: "allVerified",
  budget: "always",
};

/** A layer is required when the rigor lists it and its trigger has fired. */
export function requiredLayers(
  rigor: { layers: readonly TestLayer[] },
  situation: LayerSituation,
): TestLayer[] {
  return TestLayer.options.filter((layer) => rigor.layers.includes(layer) && isTriggered(layer, situation));
}

/** What of a product decides whether it can be tried as a whole. */
export interface WholeProduct {
  /** Every task is shipped or abandoned, and at least one is shipped. */
  allVerified: boolean;
  /** Those that are in it, each with what it is built upon. */
  modules: readonly { dependencies: readonly string[] }[];
}

/** Only where modules work together is there anything between them that their own tests do not show. */
export function needsE2eTests(
  rigor: { layers: readonly TestLayer[] },
  { allVerified, modules }: WholeProduct,
): boolean {
  const hasDependencies = modules.some(({ dependencies }) => dependencies.length > 0);
  return hasDependencies && requiredLayers(rigor, { hasDependencies, allVerified }).includes("e2e");
}

function isTriggered(layer: TestLayer, situation: LayerSituation): boolean {
  const trigger = LAYER_TRIGGERS[layer];
  return trigger === "always" || situation[trigger];
}

const Claimable = TestLayer.extract(["unit", "property", "contract", "integration", "e2e"]);
export type ClaimedLayer = z.infer<typeof Claimable>;

/** What a name such as `parse.contract.test.ts` says about its tests, which is no more than a claim. */
export function claimedLayer(file: string): ClaimedLayer | undefined {
  const words = (/[^/]*$/.exec(file)?.[0] ?? "").split(".").slice(1);
  return Claimable.options.find((layer) => words.includes(layer));
}
