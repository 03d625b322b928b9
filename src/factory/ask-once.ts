// One role asked once, in the project around a directory or in a temporary one.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { castRole } from "../agents/cast-role.ts";
import type { ChosenModels } from "../agents/default-models.ts";
import type { AgentTool, RoleDefinition, Tier, ToolName } from "../agents/port.ts";
import { templateOf } from "../agents/prompting/render-prompt.ts";
import { EVERY_ROLE } from "../agents/roles/every-role.ts";
import { fileTools } from "../agents/tools/file-tools.ts";
import { ModelName } from "../domain/agent/model-price.ts";
import type { RoleCallOutcome } from "../domain/agent/role-call-outcome.ts";
import { RuntimeName } from "../domain/config.ts";
import { CupelError } from "../domain/error.ts";
import { oneOf } from "../domain/one-of.ts";
import { parseOrThrow } from "../domain/parse.ts";
import { SCHEMAS } from "../domain/schemas.ts";
import { readRecord } from "../evidence/record-file.ts";
import { FilesystemBackend } from "../store/backends/filesystem.ts";
import { projectNear } from "./project.ts";
import type { Works, WorksOptions } from "./works.ts";

export interface RoleListing {
  name: string;
  purpose: string;
  tier: Tier;
  tools: readonly ToolName[];
  /** The schema of what it takes, as `cupel schema` knows it. */
  input: string;
}

export function listRoles(): RoleListing[] {
  return EVERY_ROLE.map((role) => {
    const { purpose, tier, tools } = role;
    return { name: templateOf(role), purpose, tier, tools, input: inputSchemaOf(role) };
  });
}

export interface AskOnceOptions extends Pick<WorksOptions, "env" | "record" | "replay" | "ignoreInput"> {
  directory: string;
  role: string;
  /** A file of JSON; `-` is the standard input. */
  input: string;
  runtime?: string;
  model?: string;
  /** A directory whose files the role's file tools work on. */
  workspace?: string;
  signal: AbortSignal;
}

/** Who is asked, and where it is written down. */
export interface AboutCall {
  role: string;
  runtime: string;
  model: string;
  tools: readonly ToolName[];
  run: string;
  project: string;
  /** Set where no project is around, so that a place had to be made. */
  temporary: boolean;
  /** Set where nobody named a model. */
  chosen?: ChosenModels;
}

/** `begun` is called when everything is in order and the agent is about to be asked. */
export async function askOnce(
  options: AskOnceOptions,
  begun: (about: AboutCall) => void,
): Promise<{ about: AboutCall; outcome: RoleCallOutcome }> {
  const role = roleNamed(options.role);
  const cast = castingOf(options);
  const workspace =
    options.workspace === undefined ? undefined : resolve(options.directory, options.workspace);
  const tools = workspace === undefined ? [] : toolsOn(role, workspace);
  const input = await readRecord(role.input, options.input, {
    what: `the input of the ${role.name}`,
    schema: inputSchemaOf(role),
  });
  const { project, works } = await openNear({ ...options, cast, roles: [role] });
  let done = false;
  try {
    const { runtime, model } = castRole(works.config, role);
    const about = {
      role: role.name,
      runtime,
      model,
      tools: tools.map(({ name }) => name),
      run: works.runId,
      ...project,
      ...(works.chosen === undefined ? {} : { chosen: works.chosen }),
    };
    begun(about);
    const outcome = await works.ask(role, {
      input,
      key: { task: null, module: null, node: "ask", attempt: 1 },
      attempts: 1,
      tools,
      signal: options.signal,
      ...(workspace === undefined ? {} : { workspace }),
    });
    done = outcome.kind === "done";
    return { about, outcome };
  } finally {
    await works.close(done ? "completed" : "stopped");
  }
}

function roleNamed(word: string): RoleDefinition {
  const name = oneOf(EVERY_ROLE.map(templateOf), word, "role");
  const found = EVERY_ROLE.find((role) => templateOf(role) === name);
  if (found === undefined) throw new Error(`the role ${name} is listed and not there`);
  return found;
}

/** Every input is in the register, because every schema of the domain is. */
function inputSchemaOf({ name, input }: RoleDefinition): string {
  const found = [...SCHEMAS].find(([, schema]) => schema === input)?.[0];
  if (found === undefined) throw new Error(`the input of the ${name} is no schema of the register`);
  return found;
}

export function castingOf({
  runtime,
  model,
}: {
  runtime?: string;
  model?: string;
}): NonNullable<WorksOptions["cast"]> {
  const [name, ...agents] = runtime?.split(":") ?? [];
  return {
    ...(name === undefined ? {} : { runtime: runtimeNamed(name, runtime, agents.length > 0) }),
    ...(agents.length === 0 ? {} : { simulated: agents.join(":") }),
    ...(model === undefined ? {} : { model: parseOrThrow(ModelName, model, "the model") }),
  };
}

/** Only the simulator has more than one kind of agents. */
function runtimeNamed(name: string, typed: string | undefined, hasAgents: boolean): RuntimeName {
  const known = oneOf(RuntimeName.options, name, "runtime");
  if (!hasAgents || known === "simulator") return known;
  throw new CupelError("usage", `there is no runtime ${JSON.stringify(typed)}`, {
    expected: `${known}, or simulator: and how its agents behave`,
  });
}

function toolsOn(role: RoleDefinition, workspace: string): AgentTool[] {
  if (statSync(workspace, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new CupelError("not_found", `there is no directory ${workspace}`, {
      expected: "the directory with the files that the agent may read and write",
    });
  }
  const tools = fileTools(new FilesystemBackend(workspace)).filter(({ name }) => role.tools.includes(name));
  if (tools.length > 0) return tools;
  throw new CupelError("usage", `the ${role.name} touches no files, so a workspace is no use to it`, {
    expected: "a role with file tools (cupel ask --list)",
    hint: `cupel ask ${role.name} without --workspace`,
  });
}

interface Place {
  project: string;
  temporary: boolean;
}

async function openNear(
  options: AskOnceOptions & Pick<WorksOptions, "cast" | "roles">,
): Promise<{ project: Place; works: Works }> {
  const { env, record, replay, ignoreInput, cast, roles } = options;
  // Graphs take a while to load, and whoever typed something wrong need not wait for them.
  const { openWorks } = await import("./works.ts");
  const near = projectNear(options.directory);
  const project = near ?? mkdtempSync(join(tmpdir(), "cupel-ask-"));
  const opening = openWorks({
    project,
    ...(env === undefined ? {} : { env }),
    ...(record === undefined ? {} : { record: resolve(options.directory, record) }),
    ...(replay === undefined ? {} : { replay: resolve(options.directory, replay) }),
    ...(ignoreInput === undefined ? {} : { ignoreInput }),
    ...(cast === undefined ? {} : { cast }),
    ...(roles === undefined ? {} : { roles }),
  });
  const works = await opening.catch((error: unknown) => {
    // Nothing is in it yet that anybody could look for.
    if (near === undefined) rmSync(project, { recursive: true, force: true });
    throw error;
  });
  return { project: { project, temporary: near === undefined }, works };
}
