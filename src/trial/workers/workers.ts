// The workers of one run as simulated agents: every role does what an honest one would, on the code and tests that were drawn.
import { keyText } from "../../domain/agent/call-key.ts";
import type { Usage } from "../../domain/run/run-event.ts";
import type { SimulatedCast } from "../../simulator/cast.ts";
import { honest } from "../../simulator/honest.ts";
import type { Behaviour, Performance, SimulatedCall, SimulatedCase } from "../../simulator/port.ts";
import { caseOf } from "../corpus/builtin-case.ts";
import { type Desk, handIn, handInTests, mendOwn, nextCode, nextTests, sourcesOn, testsOn } from "./desk.ts";
import { repaired } from "./draw-tests.ts";
import { adjudicated, attacked, challenged, judgedInATree, verified } from "./reviewers.ts";
import { complaintsIn, sortComplaints } from "./told.ts";

export function castAt(desk: Desk): SimulatedCast {
  const worker: Behaviour = {
    name: "worker",
    roles: "all",
    perform: async (usual, call) => (call.case === undefined ? usual : played(desk, usual, call)),
  };
  return { spelling: "trial", behavioursOf: () => [worker] };
}

async function played(desk: Desk, usual: Performance, call: SimulatedCall): Promise<Performance> {
  const { code, tests } = partsOf(usual, desk.draw.task.id);
  if (code || tests) {
    await written(desk, call, { code, tests });
    return honest({ ...call, case: caseAt(desk) }, [caseAt(desk)]) ?? usual;
  }
  const answer = answerOf(desk, call);
  return answer === undefined ? usual : { ...usual, output: JSON.parse(JSON.stringify({ answer })) };
}

function answerOf(desk: Desk, call: SimulatedCall): object | undefined {
  switch (call.role) {
    case "challenger":
      return call.key.node === "challenge" ? challenged(desk) : undefined;
    case "verifier":
      return verified(desk);
    case "reviewer":
      return judgedInATree(desk);
    case "arbiter":
      return adjudicated(call);
    case "mutation_adversary":
      return attacked(desk, call);
    default:
      return undefined;
  }
}

interface Parts {
  code: boolean;
  tests: boolean;
}

function partsOf({ files }: Performance, folder: string): Parts {
  const below = (name: string) =>
    Object.keys(files).some((path) => path.startsWith(`modules/${folder}/${name}/`));
  return { code: below("src"), tests: below("test") };
}

/** Whoever is told of failures draws anew; whoever writes both runs its own tests before it hands in. */
async function written(desk: Desk, { key, prompt }: SimulatedCall, parts: Parts): Promise<void> {
  const { wrong, weak, code } = sortComplaints(complaintsIn(prompt));
  if (parts.tests) {
    desk.tests = repaired(desk.tests, wrong);
    if (desk.testsDrawn === 0 || weak || (!parts.code && wrong.length === 0)) nextTests(desk);
  }
  if (parts.code) {
    if (desk.codeDrawn === 0 || code || !parts.tests) await nextCode(desk);
    if (parts.tests) await mendOwn(desk, key);
    handIn(desk, key);
  } else handInTests(desk);
}

function caseAt(desk: Desk): SimulatedCase {
  const { task } = desk.draw;
  const blocks = desk.tests.map(({ block }) => block);
  return { ...caseOf(task, blocks), sources: sourcesOn(desk), tests: testsOn(desk) };
}

const CHARACTERS_PER_TOKEN = 4;

/** As many tokens as such texts usually have, for each turn of the call. */
export function usageAt(desk: Desk): (call: SimulatedCall, performance: Performance) => Usage {
  return ({ key, system, prompt }, { output, files, said = "" }) => {
    const turns = desk.turns.get(keyText({ ...key, turn: 1 })) ?? 1;
    const tokens = (text: string) => turns * Math.ceil(text.length / CHARACTERS_PER_TOKEN);
    const handed = Object.values(files).filter((text) => typeof text === "string");
    return {
      inputTokens: tokens(system + prompt),
      outputTokens: tokens(JSON.stringify(output) + said + handed.join("")),
    };
  };
}
