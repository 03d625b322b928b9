// `cupel deprecate`: gives up a version of a module and lists whatever builds on it.
import { deprecateModule } from "../../factory/release.ts";
import { projectAround } from "../../factory/project.ts";
import { colorsFor, printJson, printText } from "../output.ts";

export interface DeprecateCommand {
  directory: string;
  json: boolean;
  module: string;
  reason: string;
  replacement?: string;
}

export async function deprecate(command: DeprecateCommand): Promise<void> {
  const { directory, json, ...order } = command;
  const deprecation = await deprecateModule(projectAround(directory), order);
  if (json) return printJson(deprecation);
  const { module, replacement, downstream, again } = deprecation;
  const colors = colorsFor(process.stdout);
  const inUse = downstream.filter(({ status }) => status === "SHIPPED");
  printText(
    [
      `${module} is deprecated${again ? ", as before" : ""}${replacement === null ? "" : `; use ${replacement}`}`,
      ...downstream.map(
        ({ module: dependent, status, directly }) =>
          `  ${dependent}  ${status}, builds on it${directly ? "" : " through others"}`,
      ),
      ...(inUse.length === 0
        ? ["  nothing that is in use builds on it"]
        : [
            `${colors.yellow("!")} a release is refused until these use something else or are deprecated, too`,
          ]),
      `  cupel index show ${module}`,
    ].join("\n"),
  );
}
