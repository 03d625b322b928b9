// Every role that an agent can be asked to play, by the name of its template.
import type { RoleDefinition } from "../port.ts";
import { arbiter } from "./arbiter.ts";
import { e2eArchitect } from "./architect-e2e.ts";
import { architect } from "./architect.ts";
import { gatedBuilder } from "./builder-gated.ts";
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
import { researcher } from "./researcher.ts";
import { tester } from "./tester.ts";
import { tests } from "./tests.ts";
import { typeAdversary } from "./type-adversary.ts";
import { types } from "./types.ts";
import { verifier } from "./verifier.ts";
import { implFractal } from "./impl-fractal.ts";
import { judgeChild } from "./judge-child.ts";
import { rebaser } from "./rebaser.ts";
import { reviewer } from "./reviewer.ts";
import { scaffoldAnswer } from "./scaffold-answer.ts";
import { scaffold } from "./scaffold.ts";
import { tddReview } from "./tdd-review.ts";
import { testAuthor } from "./test-author.ts";
import { testChallenge } from "./test-challenge.ts";
import { witness } from "./witness.ts";

export const EVERY_ROLE: readonly RoleDefinition[] = [
  arbiter,
  architect,
  e2eArchitect,
  builder,
  gatedBuilder,
  challenger,
  contractChallenger,
  fix,
  impl,
  microPlanner,
  mutationAdversary,
  productResearcher,
  proposer,
  contractProposer,
  researcher,
  tester,
  tests,
  typeAdversary,
  types,
  verifier,
  implFractal,
  judgeChild,
  rebaser,
  reviewer,
  scaffoldAnswer,
  scaffold,
  tddReview,
  testAuthor,
  testChallenge,
  witness,
];
