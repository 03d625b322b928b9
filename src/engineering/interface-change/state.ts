// What the resolution of an interface change remembers: a debate about a contract, and what it is about.
import { z } from "zod";
import { MicroModuleContract } from "../../domain/contract/contract.ts";
import { TaskRequest } from "../../domain/people/interface-change.ts";
import { ModuleRef, Text } from "../../domain/refs.ts";
import { stateKey } from "../../graph/define-graph.ts";
import type { StateOf, UpdateOf } from "../../graph/port.ts";
import { debateState } from "../../protocols/debate/state.ts";

export const changeState = {
  ...debateState,
  /** The contract as it is shipped today. */
  current: stateKey({ schema: MicroModuleContract.nullable(), initial: () => null }),
  /** Shipped modules that use it. */
  consumers: stateKey({ schema: z.array(ModuleRef), initial: () => [] }),
  /** Why users of the old contract would break, as far as can be told from the two. */
  breaking: stateKey({ schema: z.array(Text), initial: () => [] }),
  request: stateKey({ schema: TaskRequest.nullable(), initial: () => null }),
};

export type ChangeState = StateOf<typeof changeState>;
export type ChangeUpdate = UpdateOf<typeof changeState>;
