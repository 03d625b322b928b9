// Every role that an agent can be asked to play, by the name of its template.
import type { RoleDefinition } from "../port.ts";
import { arbiter } from "./arbiter.ts";
import { builder } from "./builder.ts";
import { contractChallenger } from "./challenger-contract.ts";
import { challenger } from "./challenger.ts";
import { fix } from "./fix.ts";
import { impl } from "./impl.ts";
import { microPlanner } from "./micro-planner.ts";
import { mutationAdversary } from "./mutation-adversary.ts";
import { productResearcher } from "./product-researcher.ts";
import { contractProposer } from "./proposer-contract.ts";
import { proposer } from "./proposer.ts";
import { tests } from "./tests.ts";
import { typeAdversary } from "./type-adversary.ts";
import { types } from "./types.ts";
import { verifier } from "./verifier.ts";
import { witness } from "./witness.ts";

export const EVERY_ROLE: readonly RoleDefinition[] = [
  arbiter,
  builder,
  challenger,
  contractChallenger,
  fix,
  impl,
  microPlanner,
  mutationAdversary,
  productResearcher,
  proposer,
  contractProposer,
  tests,
  typeAdversary,
  types,
  verifier,
  witness,
];
