// What engineering is given to work with, and what it gives back: one task in, sealed modules or one escalation out.
import type { z } from "zod";
import type { AgentTool, RoleDefinition } from "../agents/port.ts";
import type { CallKey } from "../domain/agent/call-key.ts";
import type { RoleCallOutcome } from "../domain/agent/role-call-outcome.ts";
import type { BlindSettings } from "../domain/blind/settings.ts";
import type { ProtocolName, Rigor } from "../domain/evidence/rigor.ts";
import type { FractalSettings } from "../domain/fractal/settings.ts";
import type { EscalationArtifact } from "../domain/people/escalation.ts";
import type { TaskRequest } from "../domain/people/interface-change.ts";
import type { CodeIndexEntry, CodeIndexHit, CodeIndexQuery, IndexStatus } from "../domain/plan/reuse.ts";
import type { ModuleRef, TaskId } from "../domain/refs.ts";
import type { ProjectState } from "../domain/task/project-state.ts";
import type { TaskFile } from "../domain/task/task-file.ts";
import type { TaskResolution } from "../domain/task/task-record.ts";
import type { Graphs } from "../graph/graphs-port.ts";
import type { LocalMailbox } from "../graph/mailbox.ts";
import type { Assignment, Protocol, ProtocolPorts, ProtocolTraits, TreeProtocol } from "../protocols/port.ts";
import type { Fence } from "../store/port.ts";
import type { StateStore } from "../store/state-store.ts";
import type { Toolchain } from "../toolchains/port.ts";
import type { Hub } from "../workshop/hub/hub.ts";
import type { Sandbox } from "../workshop/sandbox/port.ts";
import type { Provisions } from "./provisions.ts";

/** The factory around one run. */
export interface EngineeringPorts {
  runId: string;
  /** Of the run; every write to the store carries it. */
  fence: Fence;
  store: StateStore;
  graphs: Graphs;
  /** Of the same threads. */
  mailbox: Pick<LocalMailbox, "sendFrom">;
  hub: Hub;
  sandbox: Sandbox;
  toolchain: Toolchain;
  index: CodeIndex;
  ask: AskRole;
  protocols: ReadonlyMap<ProtocolName, Protocol | TreeProtocol>;
  /** Where copies of modules and built packages lie. */
  workplace: string;
  now: () => Date;
}

/** Casts the role by the project's settings and calls it; see `callRole`. */
export type AskRole = <Input extends z.ZodType, Output extends z.ZodType>(
  role: RoleDefinition<Input, Output>,
  call: {
    input: z.input<Input>;
    key: Omit<CallKey, "role" | "turn">;
    tools: readonly AgentTool[];
    workspace?: string;
    signal: AbortSignal;
  },
) => Promise<RoleCallOutcome<z.output<Output>>>;

/** What engineering needs of the Code Index. */
export interface CodeIndex {
  /** The same entry again is no change, so that a ship can be repeated; another under the same key is refused. */
  append(fence: Fence, entry: CodeIndexEntry): Promise<void>;
  setStatus(fence: Fence, module: ModuleRef, status: IndexStatus, supersededBy?: ModuleRef): Promise<void>;
  get(module: ModuleRef): Promise<CodeIndexEntry | undefined>;
  search(query: CodeIndexQuery, signal?: AbortSignal): Promise<readonly CodeIndexHit[]>;
}

export interface TaskOrder {
  task: TaskFile;
  /** Where its file lies in the product, for people. */
  path: string;
  /** Counted by whoever dispatches: another one begins from scratch. */
  attempt: number;
  rigor: Rigor;
  protocol: ProtocolName;
  /** How many work side by side where that is blind. */
  blind?: BlindSettings;
  /** How trees grow where the protocol is fractal. */
  fractal?: FractalSettings;
  /** The state of the project now, for an escalation. */
  snapshot(): ProjectState;
  /** What a person decided about the halt before. */
  resolution?: TaskResolution;
  /** For the task of an approved interface change: its plan and its contract follow from it, so nobody is asked for them. */
  change?: TaskRequest;
}

export type TaskOutcome =
  /** `consumers` of a module whose contract has changed: what becomes of each. */
  | { kind: "shipped"; task: TaskId; modules: ModuleRef[]; consumers?: ChangedConsumer[] }
  | { kind: "halted"; task: TaskId; escalation: EscalationArtifact }
  /** Drained, aborted or held elsewhere: goes on with the same order. */
  | { kind: "stopped"; task: TaskId; why: string };

export interface ChangedConsumer {
  module: ModuleRef;
  /** Its own suite has passed against the new version, in the product it gets that one. */
  verified: boolean;
  /** What the request asks for it. */
  action: TaskRequest["consumers"][number]["action"];
}

/** The part of a protocol's ports that the ship door gives; `module-ports` puts it beside the rest. */
export type ShipDoor = Pick<
  ProtocolPorts,
  "test" | "examine" | "symbols" | "differ" | "contents" | "certify" | "ship"
>;

/** One module that is being made: everything that the door needs to know besides the factory. */
export interface Making {
  assignment: Assignment;
  protocol: ProtocolTraits;
  /** Of the graph that makes it. */
  thread: string;
  /** The folder of artifacts that its records go to. */
  pillar: string;
  /** The artifact of the assignment's contract, where that was debated already. */
  contractRef?: string;
  /** What it is built upon until it ships; what has shipped, unless told. */
  provisions?: Provisions;
}

export type OpenDoor = (making: Making) => ShipDoor;

/** What the supervisor of a task needs. */
export interface TaskPorts extends EngineeringPorts {
  openDoor: OpenDoor;
}
