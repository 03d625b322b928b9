// A factory whose planner gives one plan and whose modules end as a test says, for tests of the supervisor.
import { onTestFinished } from "vitest";
import type { DraftedModule } from "../src/domain/agent/plan-roles.ts";
import { slugifyContract } from "./arbitraries/contract.ts";
import { type Ground, line, openGround } from "./engineering-ground.ts";
import { shipSample } from "./shipped-sample.ts";
import { temporaryDirectory } from "./temporary.ts";
import { COMMIT, type Ended, haltOf, type Play, tinyProtocol, type Turn } from "./tiny-protocol.ts";

export const needs = (...ids: string[]) => ({ depends_on: ids.map((id) => `MM-${id}@1.0.0`) });

export async function factory(plan: readonly DraftedModule[], play: (ground: () => Ground) => Play) {
  const script = [line({ role: "micro_planner", node: "micro_plan", output: { modules: plan } })];
  const made: string[] = [];
  const opened: { ground?: Ground } = {};
  const current = (): Ground => {
    if (opened.ground === undefined) throw new Error("not yet");
    return opened.ground;
  };
  const playing = play(current);
  const protocol = tinyProtocol(async (turn) => {
    const ended = await playing(turn);
    made.push(`${turn.ports.assignment.module.module_id} ${turn.at} ${ended.kind}`);
    return ended;
  });
  const ground = await openGround(temporaryDirectory(), { script, protocol });
  opened.ground = ground;
  onTestFinished(() => ground.close());
  return { ...ground, made };
}

export async function shipped(ground: Ground, { ports }: Turn): Promise<Ended> {
  const { module, version } = ports.assignment;
  const contract = {
    ...slugifyContract(),
    module_id: module.module_id,
    name: module.name,
    module_version: version,
  };
  const ref = await shipSample(ground, contract);
  return { kind: "shipped", shipped: { module: ref, shipId: "SHIP-0a1b2c3d", commit: COMMIT } };
}

export const failing =
  (...ids: string[]) =>
  (ground: () => Ground): Play =>
  async (turn) => {
    const id = turn.ports.assignment.module.module_id;
    return turn.at === "make" && ids.includes(id) ? haltOf(id) : shipped(ground(), turn);
  };
