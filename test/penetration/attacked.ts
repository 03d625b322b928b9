// Starts a harness to be attacked, and asks it to play attacks.
import { spawn } from "node:child_process";
import { closeSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { quote } from "./attack.ts";
import type { Outcome } from "./attack.ts";
import type { Level } from "./ground.ts";
import type { Order } from "./harness.ts";
import { harnessPlace, tokenOf } from "./victim.ts";

export interface Played {
  name: string;
  succeeded: boolean;
  outcome: Outcome;
}

export interface Attacked {
  attack(name: string): Promise<Played>;
  end(): Promise<void>;
}

type Answer = { name: string; succeeded: boolean; outcome: Outcome } | { name: string; error: string };

/** A key of the session, as a person's login gives one to everything that is started in it. */
const WITH_KEY = `
  my ($join, $add, $type, $name, $key) = (@ARGV[0, 1], "user", "cupel", $ENV{KEY});
  delete $ENV{KEY}; splice @ARGV, 0, 2;
  syscall($join, 1, 0); syscall($add, $type, $name, $key, length $key, -3); exec @ARGV;`;

export async function startAttacked(level: Level): Promise<Attacked> {
  const place = harnessPlace();
  const numbers = process.arch === "arm64" ? ["219", "217"] : ["250", "248"];
  const harness = [
    process.execPath,
    "--import",
    import.meta.resolve("tsx"),
    join(import.meta.dirname, "harness.ts"),
  ];
  const command = ["perl", "-e", WITH_KEY, ...numbers, ...harness].map(quote).join(" ");
  const open = openSync(place.openFile, "r");
  // `script` gives it a terminal of its own.
  const child = spawn("script", ["-qefc", `exec ${command}`, "/dev/null"], {
    cwd: place.directory,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: join(place.root, "home/somebody"),
      SECRET: tokenOf(place.key, "environment"),
      KEY: tokenOf(place.key, "keyring"),
    },
    stdio: ["pipe", "pipe", "pipe", open, "ipc"],
  });
  closeSync(open);
  rmSync(place.openFile);
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (text: Buffer) => (said += text.toString()));
  const waiting = new Map<string, (answer: Answer) => void>();
  child.on("message", (answer: Answer) => waiting.get(answer.name)?.(answer));
  const over = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  const ask = async (order: Order, name: string): Promise<Answer> => {
    const answer = new Promise<Answer>((resolve) => waiting.set(name, resolve));
    child.send(order);
    const gone = over.then((): Answer => ({ name, error: `the harness is gone: ${said}` }));
    return Promise.race([answer, gone]);
  };
  const ready = await ask({ kind: "set-up", level, place }, "ready");
  if ("error" in ready) throw new Error(ready.error);
  return {
    attack: async (name) => {
      const answer = await ask({ kind: "attack", name }, name);
      if ("error" in answer) throw new Error(`${name}: ${answer.error}`);
      return answer;
    },
    end: async () => {
      child.send({ kind: "end" } satisfies Order);
      child.stdin?.end();
      await over;
    },
  };
}
