// A door that stays closed whatever the code is like.
import { expect, test } from "vitest";
import { APPROVE, BUILT, challengeOf, draft, playedPorts, watchedGraphs } from "../played-ports.suite.ts";
import { debate } from "./protocol.ts";

test("what is barred is put before a person at once, and nobody revises it", async () => {
  const { graphs, way } = watchedGraphs();
  const PASS = challengeOf("PASS");
  const { ports } = playedPorts({
    answers: {
      proposer_contract: [draft()],
      challenger_contract: [PASS],
      proposer: [BUILT],
      challenger: [PASS],
      arbiter: [APPROVE, APPROVE],
    },
    ships: [{ kind: "barred", why: "MM-slugify@1.0.0 has shipped with other content" }],
  });
  expect(await debate.go(graphs, { thread: "t", runId: "r-1", ports })).toMatchObject({
    kind: "halted",
    halt: { recommended: "AMEND_SPEC", failed: [{ evidence: expect.stringContaining("other content") }] },
  });
  expect((await way()).slice(-2)).toEqual(["ship", "halt"]);
});
