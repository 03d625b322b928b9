// Every record of the factory by name, so that agents, editors and other tools can have its JSON Schema.
import { z } from "zod";
import * as blindRoles from "./agent/blind-roles.ts";
import * as budgetState from "./agent/budget-state.ts";
import * as callKey from "./agent/call-key.ts";
import * as contractRoles from "./agent/contract-roles.ts";
import * as debateRoles from "./agent/debate-roles.ts";
import * as e2eRoles from "./agent/e2e-roles.ts";
import * as exit from "./agent/exit.ts";
import * as fractalRoles from "./agent/fractal-roles.ts";
import * as gatekeeperRoles from "./agent/gatekeeper-roles.ts";
import * as modelPrice from "./agent/model-price.ts";
import * as planRoles from "./agent/plan-roles.ts";
import * as productRoles from "./agent/product-roles.ts";
import * as roleCallOutcome from "./agent/role-call-outcome.ts";
import * as scriptLine from "./agent/script-line.ts";
import * as soloRoles from "./agent/solo-roles.ts";
import * as artifactEnvelope from "./artifact/artifact-envelope.ts";
import * as artifactType from "./artifact/artifact-type.ts";
import * as contextPack from "./artifact/context-pack.ts";
import * as contribution from "./artifact/contribution.ts";
import * as material from "./artifact/material.ts";
import * as role from "./artifact/role.ts";
import * as crossCheck from "./blind/cross-check.ts";
import * as echoes from "./blind/echoes.ts";
import * as functionSpec from "./blind/function-spec.ts";
import * as hints from "./blind/hints.ts";
import * as hybridResult from "./blind/hybrid-result.ts";
import * as blindSettings from "./blind/settings.ts";
import * as suiteCoverage from "./blind/suite-coverage.ts";
import * as suiteVerdict from "./blind/suite-verdict.ts";
import * as typeHole from "./blind/type-hole.ts";
import * as understanding from "./blind/understanding.ts";
import * as witness from "./blind/witness.ts";
import * as config from "./config.ts";
import * as contractDiff from "./contract/contract-diff.ts";
import * as contractDraft from "./contract/contract-draft.ts";
import * as contract from "./contract/contract.ts";
import * as debateRecords from "./debate/debate-records.ts";
import * as rubric from "./debate/rubric.ts";
import * as diagnosis from "./diagnosis.ts";
import * as blindnessCertificate from "./evidence/blindness-certificate.ts";
import * as claim from "./evidence/claim.ts";
import * as coverage from "./evidence/coverage.ts";
import * as e2eCriteria from "./evidence/e2e-criteria.ts";
import * as e2eSuite from "./evidence/e2e-suite.ts";
import * as gateVerdict from "./evidence/gate-verdict.ts";
import * as gate from "./evidence/gate.ts";
import * as mutant from "./evidence/mutant.ts";
import * as predicateProof from "./evidence/predicate-proof.ts";
import * as proofBundle from "./evidence/proof-bundle.ts";
import * as regressionSuite from "./evidence/regression-suite.ts";
import * as rigor from "./evidence/rigor.ts";
import * as staticFinding from "./evidence/static-finding.ts";
import * as structuredFailure from "./evidence/structured-failure.ts";
import * as testLayer from "./evidence/test-layer.ts";
import * as testResult from "./evidence/test-result.ts";
import * as exceptions from "./fractal/exceptions.ts";
import * as exits from "./fractal/exits.ts";
import * as nodeSpec from "./fractal/node-spec.ts";
import * as routing from "./fractal/routing.ts";
import * as fractalSettings from "./fractal/settings.ts";
import * as testManifest from "./fractal/test-manifest.ts";
import * as tree from "./fractal/tree.ts";
import * as treeView from "./fractal/tree-view.ts";
import * as conditions from "./gatekeeper/conditions.ts";
import * as moduleResearch from "./gatekeeper/module-research.ts";
import * as moduleSpec from "./gatekeeper/module-spec.ts";
import * as revisionFeedback from "./gatekeeper/revision-feedback.ts";
import * as testSuiteRecord from "./gatekeeper/test-suite-record.ts";
import * as testerVerdict from "./gatekeeper/tester-verdict.ts";
import * as workGraph from "./gatekeeper/work-graph.ts";
import * as e2eDecision from "./people/e2e-decision.ts";
import * as escalation from "./people/escalation.ts";
import * as interfaceChange from "./people/interface-change.ts";
import * as integrationVerdict from "./people/integration-verdict.ts";
import * as release from "./people/release.ts";
import * as resolution from "./people/resolution.ts";
import * as shipEvidence from "./people/ship-evidence.ts";
import * as specDecision from "./people/spec-decision.ts";
import * as microPlan from "./plan/micro-plan.ts";
import * as reuse from "./plan/reuse.ts";
import * as amendmentPoints from "./product/amendment-points.ts";
import * as productSpec from "./product/product-spec.ts";
import * as research from "./product/research.ts";
import * as specDifference from "./product/spec-difference.ts";
import * as validationReport from "./product/validation-report.ts";
import * as refs from "./refs.ts";
import * as mergeEvent from "./run/merge-event.ts";
import * as message from "./run/message.ts";
import * as retry from "./run/retry.ts";
import * as runEvent from "./run/run-event.ts";
import * as shipRecord from "./run/ship-record.ts";
import * as workspaceRecord from "./run/workspace-record.ts";
import * as projectState from "./task/project-state.ts";
import * as taskFile from "./task/task-file.ts";
import * as taskPolicy from "./task/task-policy.ts";
import * as taskRecord from "./task/task-record.ts";
import * as taskStatus from "./task/task-status.ts";
import * as trialSummary from "./trial/summary.ts";
import * as trialProtocol from "./trial/trial-protocol.ts";
import * as trialRow from "./trial/trial-row.ts";

const CHAPTERS: object[] = [
  blindRoles,
  budgetState,
  callKey,
  contractRoles,
  debateRoles,
  e2eRoles,
  exit,
  fractalRoles,
  gatekeeperRoles,
  modelPrice,
  planRoles,
  productRoles,
  roleCallOutcome,
  scriptLine,
  soloRoles,
  artifactEnvelope,
  artifactType,
  contextPack,
  contribution,
  material,
  role,
  crossCheck,
  echoes,
  functionSpec,
  hints,
  hybridResult,
  blindSettings,
  suiteCoverage,
  suiteVerdict,
  typeHole,
  understanding,
  witness,
  config,
  contractDiff,
  contractDraft,
  contract,
  debateRecords,
  rubric,
  diagnosis,
  blindnessCertificate,
  claim,
  coverage,
  e2eCriteria,
  e2eSuite,
  gateVerdict,
  gate,
  mutant,
  predicateProof,
  proofBundle,
  regressionSuite,
  rigor,
  staticFinding,
  structuredFailure,
  testLayer,
  testResult,
  exceptions,
  exits,
  nodeSpec,
  routing,
  fractalSettings,
  testManifest,
  tree,
  treeView,
  conditions,
  moduleResearch,
  moduleSpec,
  revisionFeedback,
  testSuiteRecord,
  testerVerdict,
  workGraph,
  e2eDecision,
  escalation,
  interfaceChange,
  integrationVerdict,
  release,
  resolution,
  shipEvidence,
  specDecision,
  microPlan,
  reuse,
  amendmentPoints,
  productSpec,
  research,
  specDifference,
  validationReport,
  refs,
  mergeEvent,
  message,
  retry,
  runEvent,
  shipRecord,
  workspaceRecord,
  projectState,
  taskFile,
  taskPolicy,
  taskRecord,
  taskStatus,
  trialSummary,
  trialProtocol,
  trialRow,
];

/** A schema is registered by being exported from one of the files above; a test fails when a file is missing. */
export const SCHEMAS: ReadonlyMap<string, z.ZodType> = collect();

/** As a writer must produce it: what has a default may be left out. */
export function jsonSchemaOf(name: string, schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  return { title: name, ...z.toJSONSchema(schema, { io: "input" }) };
}

function collect(): Map<string, z.ZodType> {
  const schemas = new Map<string, z.ZodType>();
  for (const [name, value] of CHAPTERS.flatMap((chapter) => Object.entries(chapter))) {
    if (value instanceof z.ZodType) schemas.set(name, value);
  }
  return new Map([...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
