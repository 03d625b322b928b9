// The sandbox made with bubblewrap: a command sees its workspace, the system's programs, and nothing else.
import { lchownSync, readdirSync } from "node:fs";
import { constants } from "node:os";
import { CupelError } from "../../domain/error.ts";
import { DEFAULT_LIMITS, isExecutable, prlimitArguments, prlimitProgram } from "../process/limits.ts";
import { collect, startWired } from "../process/run-command.ts";
import type { CommandResult, Ending, Output, WiredCommand } from "../process/run-command.ts";
import { ARGUMENTS_FD, outerStage, sandboxArguments, sandboxInputs, WORKSPACE } from "./bubblewrap-view.ts";
import { checkGrants, isRealDirectory } from "./grants.ts";
import type { Sandbox, SandboxedCommand } from "./port.ts";

/** As root commands run under this number, which belongs to nobody: the kernel limits nothing for root. */
const UNPRIVILEGED = 64321;

export function bubblewrap(): Sandbox {
  return {
    level: "bubblewrap",
    inside: () => WORKSPACE,
    run: async (command) => {
      const running = launch(command);
      const { stdout, stderr, overflow, ...raw } = await collect(running, command);
      const ending = endingOf(raw, running.status(), stderr);
      const output = { stdout, stderr, ...(overflow === undefined ? {} : { overflow }) };
      return { ...whenNotFound(ending, command, output), sandbox: "bubblewrap" };
    },
    start: (command) => {
      const running = launch(command);
      const ended = running.ended.then((ending) =>
        endingOf(ending, running.status(), "it says why on stderr"),
      );
      ended.catch(() => undefined);
      return { ...running, ended };
    },
    handOver: async (workspace) => {
      if (!isRoot()) return;
      if (!isRealDirectory(workspace))
        throw new CupelError("usage", `${workspace} is not a directory of its own`);
      giveAway(Buffer.from(workspace));
    },
  };
}

function launch(command: SandboxedCommand): WiredCommand {
  const view = {
    grants: checkGrants(command),
    access: command.access,
    network: command.network,
    env: command.env ?? {},
  };
  const { timeoutMs, signal } = command;
  const prlimit = prlimitProgram();
  const limits = prlimitArguments({ ...DEFAULT_LIMITS, ...command.limits });
  const limited = [
    ...(prlimit === undefined ? [] : [prlimit, ...limits, "--"]),
    command.command,
    ...command.args,
  ];
  const program = bubblewrapProgram();
  const inner = ["--args", ARGUMENTS_FD, "--", ...limited];
  const outer = isRoot() ? outerStage(view) : undefined;
  const sandbox = sandboxArguments(view, outer?.stage);
  const args = outer === undefined ? inner : [...outer.arguments, "--", ...asNobody(), program, ...inner];
  const options = { env: {}, cwd: "/", timeoutMs, ...(signal === undefined ? {} : { signal }) };
  // Through a pipe, because everybody on the machine can read the arguments of a process, and some are secret.
  return startWired(program, args, options, sandboxInputs(sandbox));
}

function asNobody(): string[] {
  const id = String(UNPRIVILEGED);
  return ["/usr/bin/setpriv", "--reuid", id, "--regid", id, "--clear-groups", "--no-new-privs"];
}

/** bubblewrap reports an exit code exactly when the command ran; without one it was bubblewrap that failed. */
function endingOf(ending: Ending, status: string, said: string): Ending {
  if (ending.kind === "not-found") throw cannotStart("it is not installed", "apt-get install bubblewrap");
  if (ending.kind !== "exited") return ending;
  const code = /"exit-code":\s*(\d+)/.exec(status)?.[1];
  if (code === undefined) throw cannotStart(said.trim(), "cupel doctor");
  return signalled(Number(code)) ?? { kind: "exited", code: Number(code) };
}

/** From inside the sandbox the death by a signal comes as 128 and its number. */
function signalled(code: number): Ending | undefined {
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return signal === undefined ? undefined : { kind: "killed", signal };
}

/** prlimit, which starts the command, has nothing to say but that it could not. */
function whenNotFound(ending: Ending, { command }: SandboxedCommand, output: Output): CommandResult {
  const { stdout, stderr } = output;
  const silent = stdout === "" && /^prlimit: [^\n]*\n$/.test(stderr) && stderr.includes(command);
  const failed = ending.kind === "exited" && (ending.code === 127 || ending.code === 126);
  if (failed && silent) return { kind: "not-found", command, stdout: "", stderr: "" };
  return { ...ending, ...output };
}

function cannotStart(why: string, hint: string): CupelError {
  return new CupelError(
    "cannot_start",
    `bubblewrap could not start the command: ${why || "it gave no reason"}`,
    {
      expected: "a machine on which bubblewrap can make user namespaces",
      hint,
    },
  );
}

/** Only where the system keeps programs: what is first on a PATH can be anybody's. */
export function bubblewrapProgram(): string {
  const places = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"];
  return places.find((place) => isExecutable(place)) ?? "bwrap";
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Names are bytes, not always text; links are given away themselves and never followed. */
function giveAway(path: Buffer): void {
  lchownSync(path, UNPRIVILEGED, UNPRIVILEGED);
  for (const entry of readdirSync(path, { withFileTypes: true, encoding: "buffer" })) {
    const inner = Buffer.concat([path, SLASH, entry.name]);
    if (entry.isDirectory()) giveAway(inner);
    else lchownSync(inner, UNPRIVILEGED, UNPRIVILEGED);
  }
}

const SLASH = Buffer.from("/");
