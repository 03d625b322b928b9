// Every role that an agent can be asked to play, by the name of its template.
import type { RoleDefinition } from "../port.ts";
import { arbiter } from "./arbiter.ts";
import { builder } from "./builder.ts";
import { contractChallenger } from "./challenger-contract.ts";
import { challenger } from "./challenger.ts";
import { microPlanner } from "./micro-planner.ts";
import { productResearcher } from "./product-researcher.ts";
import { contractProposer } from "./proposer-contract.ts";
import { proposer } from "./proposer.ts";
import { verifier } from "./verifier.ts";

export const EVERY_ROLE: readonly RoleDefinition[] = [
  arbiter,
  builder,
  challenger,
  contractChallenger,
  microPlanner,
  productResearcher,
  proposer,
  contractProposer,
  verifier,
];
