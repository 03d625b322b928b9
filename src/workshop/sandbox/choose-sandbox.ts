// Which sandbox commands get: a real one, or none only by a person's word or for Cupel's own scripts.
import { CupelError } from "../../domain/error.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { none } from "./none.ts";
import type { Sandbox } from "./port.ts";

export interface SandboxChoice {
  /** Bubblewrap was tried on this machine and kept things apart. */
  works: boolean;
  /** The person said --unsafe-no-sandbox. */
  unsafeNoSandbox: boolean;
  /** What runs was written by Cupel itself, such as the scripted demo or a replay. */
  ownScripts: boolean;
}

/** A sandbox that works is used whatever was allowed. */
export function chooseSandbox({ works, unsafeNoSandbox, ownScripts }: SandboxChoice): Sandbox {
  if (works) return bubblewrap();
  if (unsafeNoSandbox || ownScripts) return none();
  throw new CupelError(
    "unsafe_without_sandbox",
    "there is no sandbox on this machine, and commands of agents run in one; nothing was started",
    {
      expected: "a working bubblewrap (cupel doctor says what is wrong with it)",
      hint: "apt-get install bubblewrap, or the same command with --unsafe-no-sandbox if you trust what will run",
    },
  );
}
