// The process that is attacked: a harness with secrets in its environment, directory, descriptors, keys and terminal.
import { bubblewrap } from "../../src/workshop/sandbox/bubblewrap.ts";
import { none } from "../../src/workshop/sandbox/none.ts";
import { ATTACKS, INNOCENT } from "./attacks.ts";
import { listenToTerminal } from "./attacks-on-the-machine.ts";
import { carelessGround } from "./careless-ground.ts";
import type { Ground, Level } from "./ground.ts";
import { play } from "./play.ts";
import { makeVictim } from "./victim.ts";
import type { HarnessPlace, Victim } from "./victim.ts";

export type Order =
  | { kind: "set-up"; level: Level; place: HarnessPlace }
  | { kind: "attack"; name: string }
  | { kind: "end" };

let level: Level = "careless";
let victim: Victim;
let ground: Ground;

listenToTerminal();
process.on("message", (order: Order) => void obey(order));

async function obey(order: Order): Promise<void> {
  switch (order.kind) {
    case "set-up":
      level = order.level;
      victim = await makeVictim(order.place);
      ground = await groundOf(level);
      victim.scene.otherTree = await ground.makeOther();
      process.send?.({ name: "ready" });
      return;
    case "attack": {
      const attack = [...ATTACKS, INNOCENT].find(({ name }) => name === order.name);
      if (attack === undefined) throw new Error(`no attack ${order.name}`);
      try {
        const outcome = await play(level, victim, ground, attack);
        const succeeded = attack.succeeded(outcome);
        process.send?.({
          name: attack.name,
          succeeded,
          outcome: {
            ...outcome,
            output: outcome.output.slice(0, 2000),
            said: outcome.said.slice(0, 2000),
            text: "",
          },
        });
      } catch (error) {
        process.send?.({
          name: attack.name,
          error: error instanceof Error ? (error.stack ?? "") : String(error),
        });
      }
      return;
    }
    case "end":
      victim.end();
      process.exit(0);
  }
}

async function groundOf(level: Level): Promise<Ground> {
  switch (level) {
    case "careless":
      return carelessGround(victim);
    case "none":
      return (await import("./workshop-ground.ts")).workshopGround(victim, none());
    case "bubblewrap":
      return (await import("./workshop-ground.ts")).workshopGround(victim, bubblewrap());
  }
}
