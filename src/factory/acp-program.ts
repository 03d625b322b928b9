// The program that the setting `acp` names, found on the machine, and what of the machine it has to see to run.
import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import type { AcpSetting } from "../domain/config.ts";
import { CupelError } from "../domain/error.ts";
import { isExecutable } from "../workshop/process/limits.ts";

export interface AcpProgram {
  command: string;
  args: readonly string[];
  /** Of the machine, besides what every sandbox shows. */
  visible: readonly string[];
}

export interface Whereabouts {
  project: string;
  path: string | undefined;
}

export function acpProgram(setting: AcpSetting | undefined, where: Whereabouts): AcpProgram {
  if (setting === undefined) {
    throw new CupelError("invalid_config", "the runtime acp needs the command that starts your agent", {
      expected: "acp.command in cupel.config.json",
      hint: 'add "acp": {"command": "my-agent", "args": ["--acp"]} to cupel.config.json',
    });
  }
  const found = programNamed(setting.command, where);
  const real = realpathSync(found);
  const args = setting.args ?? [];
  // A script that an interpreter is started with is a part of the program.
  const files = args.filter((argument) => isAbsolute(argument) && isFile(argument));
  return {
    // Some programs look at the name they were started by, so it is kept where it can be seen.
    command: isOfTheSystem(found) ? found : real,
    args,
    visible: [
      ...new Set([real, ...files.map((file) => realpathSync(file))].flatMap((file) => around(file, where))),
    ],
  };
}

function programNamed(command: string, { project, path }: Whereabouts): string {
  // What lies where somebody stands is never meant by a name alone.
  const places = (path ?? "").split(delimiter).filter((place) => isAbsolute(place));
  const tried = command.includes("/")
    ? [resolve(project, command)]
    : places.map((place) => join(place, command));
  const found = tried.find((file) => isFile(file) && isExecutable(file));
  if (found !== undefined) return found;
  const where = command.includes("/") ? tried.join("") : "any directory of your PATH";
  throw new CupelError(
    "not_found",
    `acp.command names ${command}, and there is no such program in ${where}`,
    {
      expected: "a program that may be executed",
      hint: "install the agent, or write its whole path as acp.command in cupel.config.json",
    },
  );
}

/** Packages with all that lies beside them; otherwise its directory, or the file alone where that would show too much. */
function around(file: string, { project }: Whereabouts): string[] {
  if (isOfTheSystem(file)) return [];
  const packages = /^.*?\/node_modules(?=\/)/.exec(file)?.[0];
  if (packages !== undefined) return [packages];
  const directory = dirname(file);
  const home = realpathSync(homedir());
  const own = realpathSync(project);
  const showsTooMuch = holds(directory, home) || holds(directory, own) || holds(own, directory);
  return [showsTooMuch ? file : directory];
}

function holds(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory === "/" ? "/" : `${directory}/`);
}

/** Every sandbox shows these. */
function isOfTheSystem(file: string): boolean {
  return /^\/(usr|bin|sbin|lib|lib32|lib64)\//.test(file);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
