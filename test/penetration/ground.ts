// Where attacks run: a workspace, a way to run a command in it, and a harness that then deals with what it finds.
import type { Attack, Scene } from "./attack.ts";

export const LEVELS = ["careless", "none", "bubblewrap"] as const;
export type Level = (typeof LEVELS)[number];

/** A harness that needs longer for one small workspace is stalled. */
export const SWEEP_MS = 3000;

export interface Ground {
  /** Makes the other role's workspace, with its secrets, and returns its tree. */
  makeOther(): Promise<string>;
  /** Makes a workspace for an attacker and returns its tree. */
  makeWorkspace(id: string, attack: Attack): Promise<string>;
  /** Runs a script in a workspace and returns everything it printed. */
  run(tree: string, script: string, timeoutMs: number, mount?: { from: string; at: string }): Promise<string>;
  /** Deals with the workspace after its agent is done. */
  sweep(scene: Scene, attack: Attack): Promise<Swept>;
}

export interface Swept {
  stalled: boolean;
  crashed: boolean;
  left: boolean;
  taken: string[];
  said: string;
  /** Everything that came into the hub, as text. */
  text: string;
}
