// From an approved request to the task that makes the new version, on real graphs with played roles.
import { expect, test } from "vitest";
import { slugifyContract } from "../../../test/arbitraries/contract.ts";
import { InterfaceChangeException } from "../../domain/people/interface-change.ts";
import {
  APPROVE,
  BUILT,
  challengeOf,
  draft,
  playedPorts,
  REJECT,
  watchedGraphs,
  type Play,
} from "../../protocols/played-ports.suite.ts";
import { resolveInterfaceChange } from "./resolve.ts";

const PASS = challengeOf("PASS");
const FAIL = challengeOf("FAIL");

const SEPARATOR = { name: "separator", type: "string", constraints: [], optional: true as const };

function request(change: object) {
  const [entry] = slugifyContract().entry_points;
  return InterfaceChangeException.parse({
    exception_id: "ICE-0a1b2c3d",
    type: "CANNOT_SUPPORT",
    raised_by: { artifact_ref: "IMPL-0a1b2c3d@1.0.0", role: "proposer", run_id: "r-1" },
    target_module: "MM-slugify@1.0.0",
    reason: "File names need an underscore between words.",
    evidence: ["a file name with a dash is refused by the importer"],
    proposed_contract_delta: {
      added_inputs: [SEPARATOR],
      changed_entry_points: [
        {
          ...entry,
          signature: "(title: string, separator?: string) => string",
          inputs: [...(entry?.inputs ?? []), "separator"],
        },
      ],
      ...change,
    },
    compatibility_expectation: "BACKWARD_COMPATIBLE",
    urgency: "BLOCKING",
  });
}

const shippedContract = async () => slugifyContract();

async function resolve(
  play: Play,
  change: object = {},
  users = ["MM-files@1.0.0"],
  newest = "MM-slugify@1.0.0",
) {
  const { graphs, way } = watchedGraphs();
  const { ports, noted } = playedPorts(play);
  const exception = request(change);
  const going = {
    thread: "ICE-0a1b2c3d",
    runId: "r-1",
    ports: {
      ...ports,
      exception,
      shippedContract,
      newestOf: async () => newest,
      usersOf: async () => users,
      mayGet: async (user: string) => user !== "MM-pinned@1.0.0",
    },
  };
  const outcome = await resolveInterfaceChange(graphs, going);
  return { outcome, nodes: await way(), noted, again: () => resolveInterfaceChange(graphs, going) };
}

test("a compatible change becomes a minor version, and its users are verified again", async () => {
  const { outcome, nodes, noted, again } = await resolve({
    answers: { challenger_contract: [PASS], arbiter: [APPROVE] },
  });
  expect(nodes).toEqual([
    "validate_ice",
    "assess_impact",
    "propose_change",
    "debate_round",
    "check_resolved",
    "finalize",
  ]);
  expect(outcome).toMatchObject({
    kind: "resolved",
    request: {
      from: "MM-slugify@1.0.0",
      to: "MM-slugify@1.1.0",
      breaking: [],
      consumers: [{ module: "MM-files@1.0.0", action: "reverify" }],
    },
  });
  expect(noted.locked).toMatchObject([{ module_version: "1.1.0", inputs: [{}, { name: "separator" }] }]);
  expect(noted.proposals[0]?.claim).toContain("separator");
  expect(await again()).toEqual(outcome);
});

test("a breaking one is a major version whatever was expected, and its users get tasks", async () => {
  const { outcome } = await resolve(
    { answers: { challenger_contract: [PASS], arbiter: [APPROVE], proposer_contract: [] } },
    { mode_changes: { sync: false, async: true, notes: "" } },
  );
  expect(outcome).toMatchObject({
    kind: "resolved",
    request: {
      to: "MM-slugify@2.0.0",
      breaking: expect.arrayContaining([expect.stringContaining("mode")]),
      consumers: [{ action: "task" }],
    },
  });
});

test("three rounds at most, then a person is asked with the whole trail", async () => {
  const { outcome, nodes } = await resolve({
    answers: {
      challenger_contract: [FAIL, FAIL, FAIL],
      proposer_contract: [draft(), draft()],
      arbiter: [REJECT],
    },
  });
  expect(nodes.filter((node) => node === "debate_round")).toHaveLength(3);
  expect(nodes.at(-1)).toBe("halt");
  expect(outcome).toMatchObject({
    kind: "unresolved",
    halt: { trail: { proposals: [{}, {}, {}], challenges: [{}, {}, {}], adjudications: [{}] } },
  });
});

test("the version follows from what was agreed in the end", async () => {
  const { outcome } = await resolve({
    answers: {
      challenger_contract: [FAIL, PASS],
      proposer_contract: [{ ...draft(), ...BUILT }],
      arbiter: [APPROVE],
    },
  });
  // The revised contract is the old one again, so nothing that callers see has changed.
  expect(outcome).toMatchObject({ kind: "resolved", request: { to: "MM-slugify@1.0.1" } });
});

test("what cannot be changed is told before anybody debates it", async () => {
  const { outcome, noted } = await resolve({ answers: {} }, { removed_inputs: ["nowhere"] });
  expect(outcome).toMatchObject({
    kind: "unresolved",
    halt: { failed: [{ evidence: expect.stringContaining("nowhere") }] },
  });
  expect(noted.asked).toEqual([]);
});

test("whoever asked for exactly the version of before gets a task also where nothing breaks", async () => {
  const play = { answers: { challenger_contract: [PASS], arbiter: [APPROVE] } };
  const { outcome } = await resolve(play, {}, ["MM-files@1.0.0", "MM-pinned@1.0.0"]);
  expect(outcome).toMatchObject({
    request: {
      breaking: [],
      consumers: [{ action: "reverify" }, { module: "MM-pinned@1.0.0", action: "task" }],
    },
  });
});

test("what has a newer version already is not changed behind its back", async () => {
  const { outcome, noted } = await resolve({ answers: {} }, {}, [], "MM-slugify@1.1.0");
  expect(outcome).toMatchObject({
    kind: "unresolved",
    halt: { failed: [{ evidence: expect.stringContaining("MM-slugify@1.1.0 has shipped since") }] },
  });
  expect(noted.asked).toEqual([]);
});
