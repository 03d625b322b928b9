// The layers of a module's tests, what makes each of them due, and which ones a rigor asks for here and now.
import { z } from "zod";

/** In the order in which they are reported. */
export const TestLayer = z.enum(["unit", "property", "contract", "static", "integration", "e2e", "budget"]);
export type TestLayer = z.infer<typeof TestLayer>;

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

function isTriggered(layer: TestLayer, situation: LayerSituation): boolean {
  const trigger = LAYER_TRIGGERS[layer];
  return trigger === "always" || situation[trigger];
}
