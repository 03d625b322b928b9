// Keeps end-to-end tests that count: as evidence by content, in one commit on the product's branch, and in the journal.
import { E2eSuite } from "../../domain/evidence/e2e-suite.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { contributionOf, tellOnce } from "../../engineering/trail.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { Files } from "../../toolchains/port.ts";
import { toBytePath } from "../../workshop/git/byte-path.ts";
import { renderCommitMessage } from "../../workshop/git/commit-message.ts";
import type { FileChange } from "../../workshop/git/fast-import.ts";
import { moveBranchNoted, readRef } from "../../workshop/git/refs.ts";
import { commitOnTip } from "../../workshop/hub/commit-on-tip.ts";
import type { E2ePorts, E2eWork } from "./port.ts";
import type { E2eState, E2eUpdate } from "./state.ts";
import { HOME, RECORD_FILE, suiteFiles } from "./suite-files.ts";

export async function accept(
  state: E2eState,
  { ports }: E2eWork,
  context: NodeContext,
): Promise<{ update: E2eUpdate }> {
  if (state.work === null || state.record === null)
    throw new Error("there are no end-to-end tests to accept");
  const files = await suiteFiles(ports.hub.gitDir, state.work);
  const text: unknown = JSON.parse(String(await ports.store.payloads.get(state.record)));
  const suite = parseOrThrow(E2eSuite, text, "the kept suite");
  await keep(ports, state, suite, files);
  ports.onStep?.("kept");
  const commit = await committed(ports, suite, files);
  ports.onStep?.("committed");
  await tellOnce(ports, context, "accepted", [
    {
      kind: "e2e_suite_accepted",
      suite: suite.suite_id,
      commit,
      tests: suite.tests.length,
      criteria: suite.criteria.length,
      notShown: suite.not_shown.map(({ criterion }) => criterion),
    },
  ]);
  ports.onStep?.("told");
  return { update: { end: { kind: "accepted", suite: suite.suite_id } } };
}

async function keep(ports: E2ePorts, { author }: E2eState, suite: E2eSuite, files: Files): Promise<void> {
  const { store, fence, runId } = ports;
  // Nobody knows whose hand tests are that were in the product already.
  const by =
    author === null
      ? ({ role: "harness", run_id: runId } as const)
      : ({ role: "architect", run_id: author.runId } as const);
  const { suite_id: id, accepted_at } = suite;
  if (!(await store.artifacts.has(id)))
    await store.artifacts.create(fence, {
      id,
      type: "TEST_SUITE",
      pillar: "product",
      createdBy: by,
      contextPackRef: author?.pack ?? null,
      notes: "end-to-end tests of the product",
      body: {
        [RECORD_FILE]: `${JSON.stringify(suite, null, 2)}\n`,
        ...Object.fromEntries(Object.entries(files).map(([path, text]) => [HOME + path, text])),
      },
    });
  const contribution = {
    type: "TEST_SUITE",
    produced_by: by,
    artifact_ref: `${id}@1.0.0`,
    task_ref: null,
    created_at: accepted_at,
  } as const;
  const own = `CONTRIB-${id.slice("TST-".length)}`;
  await store.artifacts.contribute(
    fence,
    author === null
      ? { ...contribution, contribution_id: own, context_pack_ref: null }
      : contributionOf(author.pack, contribution),
  );
}

/** Which commit brought a suite; made together with the move of the branch, so that none is ever brought twice. */
const SUITES = "refs/cupel/e2e/";
/** Holds a commit until it is on the branch. */
const DRAFTS = "refs/cupel/e2e-drafts/";

/** The commit on the branch. */
async function committed(
  { hub, store, fence, runId }: E2ePorts,
  suite: E2eSuite,
  files: Files,
): Promise<string> {
  const { gitDir, branch } = hub;
  const note = `${SUITES}${suite.suite_id}`;
  const { commit } = await commitOnTip(hub, {
    drafts: DRAFTS,
    message: messageOf(suite, runId),
    at: new Date(suite.accepted_at),
    async arrived() {
      await store.leases.assert(fence);
      return readRef(gitDir, note);
    },
    changes: async () => changesOf(files),
    move: (from, to) => moveBranchNoted(gitDir, { branch, from, to, note }),
  });
  return commit;
}

function changesOf(files: Files): FileChange[] {
  return [
    { kind: "delete", path: toBytePath(HOME.slice(0, -1)) },
    ...Object.entries(files).map(([path, text]): FileChange => ({
      kind: "write",
      path: toBytePath(`${HOME}${path}`),
      mode: "100644",
      content: Buffer.from(text),
    })),
  ];
}

function messageOf({ suite_id, tests, criteria, not_shown }: E2eSuite, runId: string): string {
  const missing = not_shown.map(({ criterion, why }) => `Not shown: ${criterion}: ${why}`);
  const shown = criteria.length - not_shown.length;
  return renderCommitMessage({
    phase: "e2e",
    description: `${tests.length} tests show ${shown} of ${criteria.length} acceptance criteria`,
    body: [`Evidence ${suite_id}.`, ...missing].join("\n"),
    session: runId,
    node: "e2e",
    // Nothing but the harness works here.
    costUsd: 0,
  });
}
