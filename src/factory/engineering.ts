// Puts together what engineering works with: the product's hub, a sandbox, the toolchain, the Code Index, the protocols and
// the door, around one run.
import { chmodSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CodeIndex as WholeIndex, Embedder } from "../code-index/port.ts";
import type { Check } from "../domain/diagnosis.ts";
import type { ProtocolName } from "../domain/evidence/rigor.ts";
import { doorWith } from "../engineering/ship/door.ts";
import { finishShips } from "../engineering/ship/finish.ts";
import type { ShipPorts } from "../engineering/ship/port.ts";
import type { CodeIndex, TaskPorts } from "../engineering/port.ts";
import { blind } from "../protocols/blind/protocol.ts";
import { debate } from "../protocols/debate/protocol.ts";
import { fractal } from "../protocols/fractal/protocol.ts";
import { gatekeeper } from "../protocols/gatekeeper/protocol.ts";
import type { Protocol, TreeProtocol } from "../protocols/port.ts";
import { solo } from "../protocols/solo/protocol.ts";
import type { Toolchain } from "../toolchains/port.ts";
import { stopCompiler } from "../toolchains/typescript/compiler/program.ts";
import { typescriptToolchain } from "../toolchains/typescript/toolchain.ts";
import { cupelVersion } from "../version.ts";
import { openHub, refresh } from "../workshop/hub/hub.ts";
import { probeSandbox } from "../workshop/probes.ts";
import { runCommand } from "../workshop/process/run-command.ts";
import { bubblewrap } from "../workshop/sandbox/bubblewrap.ts";
import { chooseSandbox } from "../workshop/sandbox/choose-sandbox.ts";
import { codeIndexOf } from "./code-index.ts";
import { type VerdictMemory, verdictMemory } from "../evidence/verdict-memory.ts";
import { memoryDirectory } from "./memory-directory.ts";
import type { Works } from "./works.ts";

export interface EngineeringOptions {
  env?: Readonly<Record<string, string | undefined>>;
  /** A person's word that agents' code may run without a sandbox. */
  unsafeNoSandbox?: boolean;
  /** What runs was written by Cupel itself, or is played from a recording. */
  ownScripts?: boolean;
  /** Leaves the compiler running, for a process that opens many projects one after the other and stops it at its end. */
  keepCompiler?: boolean;
  /** What gates have said in this process; of this run alone unless told. */
  verdicts?: VerdictMemory;
  /** Of all runs of the process, on the same sandbox; one of its own unless told. */
  toolchain?: Toolchain;
  /** In place of the one that the settings name. */
  embedder?: Embedder;
  /** What the sandbox was seen to refuse in this process; it is tried anew unless told. */
  sandbox?: Check;
}

export function trySandbox(): Promise<Check> {
  return probeSandbox(runCommand, bubblewrap());
}

export interface Engineering {
  ports: TaskPorts;
  close(): Promise<void>;
}

const PROTOCOLS: ReadonlyMap<ProtocolName, Protocol | TreeProtocol> = new Map(
  [blind, debate, fractal, gatekeeper, solo].map((each) => [each.name, each]),
);

/** Also finishes what an earlier run shipped and did not live to bring everywhere. */
export async function openEngineering(works: Works, options: EngineeringOptions = {}): Promise<Engineering> {
  const { env = process.env, unsafeNoSandbox = false, ownScripts = false, keepCompiler = false } = options;
  const check = options.sandbox ?? (await trySandbox());
  const sandbox = chooseSandbox({ works: check.status === "ok", unsafeNoSandbox, ownScripts });
  const hub = await openHub(works.project);
  await refresh(hub);
  const { index, close: closeIndex } = codeIndexOf(works, env, options.embedder);
  const workplace = mkdtempSync(join(tmpdir(), "cupel-engineering-"));
  // Under root the sandbox is another user, who must be able to walk to the copies.
  chmodSync(workplace, 0o755);
  const close = async (): Promise<void> => {
    if (!keepCompiler) stopCompiler();
    closeIndex();
    await rm(workplace, { recursive: true, force: true });
  };
  const base = {
    runId: works.runId,
    fence: works.fence,
    store: works.store,
    graphs: works.graphs,
    mailbox: works.mailbox,
    hub,
    sandbox,
    toolchain: options.toolchain ?? typescriptToolchain({ sandbox }),
    index: indexFor(index),
    ask: works.ask,
    protocols: PROTOCOLS,
    workplace,
    now: () => new Date(),
  };
  const shipping: ShipPorts = {
    ...base,
    versions: { cupel: cupelVersion() },
    memory: memoryDirectory(env),
    verdicts: options.verdicts ?? verdictMemory(),
  };
  try {
    await finishShips(shipping);
  } catch (error) {
    await close();
    throw error;
  }
  return { ports: { ...base, openDoor: doorWith({ ...shipping, sandbox }) }, close };
}

function indexFor(index: WholeIndex): CodeIndex {
  return {
    append: async (fence, entry) => void (await index.append(fence, [entry])),
    async setStatus(fence, module, to, successor) {
      if (to === "SHIPPED") return;
      const note = successor === undefined ? "given up" : `replaced by ${successor}`;
      await index.setStatus(fence, module, { to, note, ...(successor === undefined ? {} : { successor }) });
    },
    get: (module) => index.get(module),
    search: (query, signal) => index.search(query, signal),
  };
}
