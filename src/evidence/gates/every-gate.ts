// Every gate by name, in the order in which gates are reported.
import { GateName } from "../../domain/evidence/gate.ts";
import type { GateDefinition } from "../port.ts";
import { blindness } from "./blindness.ts";
import { budget } from "./budget.ts";
import { build } from "./build.ts";
import { claims } from "./claims.ts";
import { contractCoverage } from "./contract-coverage.ts";
import { coverage } from "./coverage.ts";
import { e2e } from "./e2e.ts";
import { effects } from "./effects.ts";
import { examples } from "./examples.ts";
import { green } from "./green.ts";
import { integration } from "./integration.ts";
import { layers } from "./layers.ts";
import { mutation } from "./mutation.ts";
import { redOnSkeleton } from "./red-on-skeleton.ts";
import { regression } from "./regression.ts";
import { staticRules } from "./static.ts";
import { surface } from "./surface.ts";
import { testsUntouched } from "./tests-untouched.ts";
import { tidy } from "./tidy.ts";

const DEFINITIONS: Readonly<Record<GateName, GateDefinition>> = {
  build,
  "red-on-skeleton": redOnSkeleton,
  green,
  claims,
  coverage,
  "contract-coverage": contractCoverage,
  layers,
  examples,
  mutation,
  static: staticRules,
  surface,
  "tests-untouched": testsUntouched,
  effects,
  tidy,
  budget,
  blindness,
  integration,
  regression,
  e2e,
};

export const EVERY_GATE: readonly GateDefinition[] = GateName.options.map((name) => DEFINITIONS[name]);
