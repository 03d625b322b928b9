// The cases in the order in which they are made; each may build on those before it.
import { MINUTES_SINCE } from "./minutes-since.ts";
import { PARSE_QUANTITY } from "./parse-quantity.ts";
import { RECIPE_WEIGHT } from "./recipe-weight.ts";
import { SPLIT_GRAMS } from "./split-grams.ts";
import type { SimulatedCase } from "../port.ts";

export const EVERY_CASE: readonly SimulatedCase[] = [
  PARSE_QUANTITY,
  RECIPE_WEIGHT,
  MINUTES_SINCE,
  SPLIT_GRAMS,
];
