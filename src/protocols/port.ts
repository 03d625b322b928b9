// What a protocol is to the factory, and what the factory is to a protocol. A protocol is one durable graph; its nodes are
// plain functions over these ports, and nothing that an agent says moves them forward but what the harness saw itself.
import type { z } from "zod";
import type { RoleDefinition } from "../agents/port.ts";
import type { DependencyView } from "../domain/agent/debate-roles.ts";
import type { Situation } from "../domain/artifact/material.ts";
import type { BlindSettings } from "../domain/blind/settings.ts";
import type { MicroModuleContract } from "../domain/contract/contract.ts";
import type { Adjudication, Challenge, Proposal } from "../domain/debate/debate-records.ts";
import type { BlindnessCertificate } from "../domain/evidence/blindness-certificate.ts";
import type { GateName } from "../domain/evidence/gate.ts";
import type { ProtocolName, Rigor } from "../domain/evidence/rigor.ts";
import type { PlannedModule } from "../domain/plan/micro-plan.ts";
import type { ModuleRef, Semver } from "../domain/refs.ts";
import type { RunEvent } from "../domain/run/run-event.ts";
import type { TaskFile } from "../domain/task/task-file.ts";
import type { NodeContext } from "../graph/port.ts";
import type { Graphs } from "../graph/graphs-port.ts";
import type { Candidate, Halt, Shipped, Stop } from "./outcome.ts";
import type { Differs, Examination, Look, Merged, SymbolView, Tested } from "./seen.ts";

/** One module to be made. It follows from the locked plan, so it is the same whenever the thread goes on. */
export interface Assignment {
  readonly task: TaskFile;
  /** The task file as agents read it. */
  readonly taskText: string;
  readonly module: PlannedModule;
  /** What it will be when it ships. */
  readonly version: Semver;
  /** Its folder below `modules/`, and its name in imports. */
  readonly folder: string;
  readonly dependencies: readonly DependencyView[];
  readonly rigor: Rigor;
  /** How many work side by side where the protocol is blind; one of each unless told. */
  readonly blind?: BlindSettings;
  /** A contract that was debated already, when an interface change was resolved; it is locked as it is. */
  readonly contract?: MicroModuleContract;
}

/** Everything here may be called again for the same step after a crash: what was done is not done twice. */
export interface ProtocolPorts {
  readonly assignment: Assignment;

  /** Asks a role that touches no file. Its context pack is kept before, the contribution after. */
  ask<Input extends z.ZodType, Output extends z.ZodType>(
    context: NodeContext,
    request: Ask<Input, Output>,
  ): Promise<Answer<z.output<Output>>>;

  /** Asks a role that writes, in a workspace of its own, and takes its work back as a commit. */
  write<Input extends z.ZodType, Output extends z.ZodType>(
    context: NodeContext,
    request: Write<Input, Output>,
  ): Promise<Written<z.output<Output>>>;

  /** What stands in the way of building it, in words: stubs that do not compile, predicates that cannot be evaluated. */
  inspect(context: NodeContext, contract: MicroModuleContract): Promise<string[]>;

  /** From now on this is what is built; the same contract locked again is the same lock. */
  lock(context: NodeContext, contract: MicroModuleContract): Promise<Locked>;

  /** A commit with the contract, stubs, a first test file and what else is given, on top of the product as it is now. */
  scaffold(
    context: NodeContext,
    contract: MicroModuleContract,
    beside?: Readonly<Record<string, string>>,
  ): Promise<string>;

  /** Brings commits that were made on one base together, by cherry-pick in this order, in a place of its own. */
  merge(context: NodeContext, work: ToMerge): Promise<Merged>;

  /** Files of the module, by their paths in its folder, that differ between two commits. */
  changed(context: NodeContext, work: { base: string; commit: string }): Promise<string[]>;

  /** Builds it and runs its tests in the harness's sandbox. */
  test(context: NodeContext, work: Pick<Candidate, "contract" | "commit">): Promise<Tested>;

  /** Every gate that can already look, on the module as it is in that commit; with a look, those gates only. */
  examine(context: NodeContext, candidate: ToExamine, look?: Look): Promise<Examination>;

  /** What a compiler sees in it, for roles that judge types. */
  symbols(context: NodeContext, work: Pick<Candidate, "contract" | "commit">): Promise<SymbolView[]>;

  /** One input on which two implementations of a contract differ, as small as it could be made. */
  differ(context: NodeContext, work: ToCompare): Promise<Differs>;

  /** Who could see whom in this thread so far: looks for canaries in workspaces, transcripts, prompts and artifacts. */
  certify(context: NodeContext): Promise<BlindnessCertificate>;

  /** The module's own files in that commit by path, for roles that judge code. */
  read(context: NodeContext, commit: string): Promise<ModuleText>;

  /** Every function, test and file of the module in that commit by name, with a hash of it. */
  contents(
    context: NodeContext,
    work: Pick<Candidate, "contract" | "commit">,
  ): Promise<ReadonlyMap<string, string>>;

  /** The one door. A refusal counts against the protocol's own budget. */
  ship(context: NodeContext, candidate: Candidate): Promise<ShipAnswer>;

  /** What the journal says of this thread and its module so far, in order. */
  history(context: NodeContext): Promise<RunEvent[]>;

  /** Messages to nodes of this thread that run at the same time. */
  readonly letters: Letters;

  readonly records: Records;
}

export interface Letters {
  /** The same words to the same node are delivered once. */
  send(context: NodeContext, to: string, text: string): Promise<void>;
  /** What has come for the node that asks. */
  read(context: NodeContext): Promise<string[]>;
}

export interface Ask<Input extends z.ZodType, Output extends z.ZodType> {
  role: RoleDefinition<Input, Output>;
  input: z.input<Input>;
  /** Counted by the protocol over the whole thread: with it a script or a recording tells calls of one node apart. */
  attempt: number;
  /** Of a role that works in attempts: which one at the same thing it is; `attempt` unless told. */
  tries?: number;
  /** The conversation of an earlier answer, which it goes on from where that is still possible. */
  forkFrom?: string;
  situation?: Situation;
}

export interface Write<Input extends z.ZodType, Output extends z.ZodType> extends Ask<Input, Output> {
  /** The commit whose module folder the role goes on from. */
  base: string;
}

/** `pack` names what the role had been shown. */
export type Answer<Output> =
  | { kind: "answered"; output: Output; pack: string; session?: string }
  /** Nothing that asking again would change. */
  | { kind: "stopped"; stop: Stop };

export type Written<Output> =
  | { kind: "answered"; output: Output; pack: string; session?: string; work: Work }
  | { kind: "stopped"; stop: Stop };

export type Work =
  | { kind: "taken"; commit: string }
  /** No file of the module was changed. */
  | { kind: "nothing" }
  /** Something that cannot be taken, such as a link or a repository inside the work; in words. */
  | { kind: "refused"; problems: string[] };

export interface ToMerge {
  base: string;
  /** In this order, and of each only what it changed itself. */
  commits: readonly string[];
  /** For the message of the commit that comes of it. */
  description: string;
}

export type ToExamine = Pick<Candidate, "contract" | "commit" | "grounds">;

export interface ToCompare {
  contract: MicroModuleContract;
  /** Commits. */
  left: string;
  right: string;
}

export type ModuleText =
  | { kind: "read"; files: Readonly<Record<string, string>> }
  /** More than anybody could judge, in words that say what to change. */
  | { kind: "too-large"; problem: string };

export interface Locked {
  /** The artifact of the contract. */
  ref: string;
  lock: string;
}

export type ShipAnswer =
  | { kind: "shipped"; shipped: Shipped }
  | { kind: "refused"; findings: string[]; mismatch?: Halt["mismatch"]; executionLogRef?: string }
  /** Something else has shipped in its place, and no other code would change that. */
  | { kind: "barred"; why: string };

/** The record of a debate, in the state store; ids and references are made there. */
export interface Records {
  propose(context: NodeContext, proposal: NewProposal): Promise<Proposal>;
  challenge(
    context: NodeContext,
    proposal: Proposal,
    challenge: Omit<Challenge, "challenge_id" | "target_artifact_id">,
    by: Provenance,
  ): Promise<Challenge>;
  adjudicate(
    context: NodeContext,
    proposal: Proposal,
    adjudication: Omit<Adjudication, "adjudication_id" | "target_artifact_id">,
    by: Provenance,
  ): Promise<Adjudication>;
  /** Keeps what came of the thread, as files of one artifact; the same again is the same artifact. Gives its id. */
  keep(context: NodeContext, kind: KeptRecord, files: Readonly<Record<string, string>>): Promise<string>;
}

/** What a witness saw, what was found out, or what tests showed. */
export type KeptRecord = "WITNESS_REPORT" | "RESEARCH" | "TEST_SUITE";

/** Who made a record: a role with the pack it was shown, the harness by rule, or a person. */
export type Provenance = { role: RoleDefinition["name"]; pack: string } | { role: "harness" | "person" };

export interface NewProposal extends Pick<Proposal, "claim" | "acceptance_checks"> {
  /** What is proposed: a contract, or a module as a commit. A revision follows the one before. */
  deliverable: { kind: "contract"; contract: MicroModuleContract } | { kind: "module"; commit: string };
  revises?: Proposal;
  by: Provenance;
}

/** Where a thread can begin or be entered again; each protocol has all of them. */
export type ProtocolEntry = "shape" | "make" | "challenge" | "ship";

/** What records and gates need to know of how a module was made. */
export interface ProtocolTraits {
  readonly name: ProtocolName;
  /** Whether what it ships was challenged and adjudicated; what was not is marked for ever. */
  readonly debated: boolean;
  /** The gates that have something to look at in what it makes; ship runs all of them. */
  readonly gates: readonly GateName[];
}

/** Makes all modules of a task at once, as a tree; engineering grows it. */
export interface TreeProtocol extends ProtocolTraits {
  readonly scope: "task";
}

export interface Protocol extends ProtocolTraits {
  readonly scope: "module";
  /** Begins the thread, or goes on where it stopped. */
  go(graphs: Graphs, going: ProtocolGoing): Promise<ProtocolOutcome>;
  /** A person's fix or override: goes on from `challenge` or `ship`. */
  enter(graphs: Graphs, going: ProtocolGoing, entering: Resolved): Promise<ProtocolOutcome>;
}

export interface ProtocolGoing {
  thread: string;
  runId: string;
  ports: ProtocolPorts;
}

export type Resolved =
  /** The fix is a commit already; it is challenged like any proposal. */
  | { at: "challenge"; fix: { commit: string; description: string } }
  /** Takes the place of the adjudication; the gates of ship still decide. */
  | { at: "ship"; override: { escalation: string; rationale: string } };

export type ProtocolOutcome =
  | { kind: "shipped"; module: ModuleRef; shipped: Shipped }
  | { kind: "halted"; halt: Halt }
  /** Not at its end, and nothing is lost: drained, aborted, held elsewhere, or a failure of the factory itself. */
  | { kind: "stopped"; why: string };
