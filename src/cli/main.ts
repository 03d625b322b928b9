// The command line: names every command, loads only the one that was asked for, and turns errors into exit codes.
import { Command, CommanderError } from "commander";
import { CupelError } from "../domain/error.ts";
import { cupelVersion } from "../version.ts";
import { EXIT, exitStatusOf } from "./exit-codes.ts";
import { printError } from "./output.ts";

interface CommonOptions {
  json?: boolean;
}

const program = new Command("cupel")
  .description("A software factory that ships only what it can prove.")
  .version(cupelVersion())
  .helpCommand(false)
  .showHelpAfterError("(cupel --help lists the commands)")
  .exitOverride();

command("doctor", "say what works on this machine, what is missing and what that costs").action(
  async (options: CommonOptions) => {
    const { doctor } = await import("./commands/doctor.ts");
    process.exitCode = await doctor({ json: options.json === true, directory: process.cwd() });
  },
);

command("schema [name]", "print the JSON Schema of a record, or list all records").action(
  async (name: string | undefined, options: CommonOptions) => {
    const { schema } = await import("./commands/schema.ts");
    schema(name, options.json === true);
  },
);

process.once("SIGINT", () => process.exit(EXIT.interrupted));
// A reader that has seen enough (`cupel schema | head`) is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.internal);
});

try {
  if (process.argv.length > 2) await program.parseAsync();
  else program.outputHelp();
} catch (error) {
  process.exitCode = report(error);
}

function command(usage: string, description: string): Command {
  return program
    .command(usage)
    .description(description)
    .option("--json", "print one JSON document on stdout");
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  printError(error, process.argv.includes("--json"));
  return error instanceof CupelError ? exitStatusOf(error.code) : EXIT.internal;
}
