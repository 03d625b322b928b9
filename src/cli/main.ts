// The command line: names every command, loads only the one that was asked for, and turns errors into exit codes.
import { Command, CommanderError } from "commander";
import { CupelError } from "../domain/error.ts";
import { cupelVersion } from "../version.ts";
import type { ApproveCommand } from "./commands/approve.ts";
import type { AskCommand } from "./commands/ask.ts";
import { CALL_STATUSES, EXIT, exitStatusOf } from "./exit-codes.ts";
import { endOnInterrupt } from "./interrupt.ts";
import { printError } from "./output.ts";
import { addProjectCommands } from "./project-commands.ts";
import { addReleaseCommands } from "./release-commands.ts";
import { addTrialCommands } from "./trial-commands.ts";

interface CommonOptions {
  json?: boolean;
}

interface VerifyFlags {
  contract?: string;
  rigor?: string;
  skeleton?: string;
  base?: string;
  claims?: string;
  only?: string;
  proof?: string;
  anyVersion?: boolean;
  writeProof?: string;
  all?: boolean;
  watch?: boolean;
  json?: boolean;
  junit?: boolean;
  sarif?: boolean;
}

type AskFlags = Omit<AskCommand, "directory">;

interface IndexSearchFlags extends CommonOptions {
  tag: string[];
  inputType: string[];
  outputType: string[];
  all?: boolean;
  top?: string;
}

const program = new Command("cupel")
  .description("A software factory that ships only what it can prove.")
  .version(cupelVersion())
  .helpCommand(false)
  .showHelpAfterError("(cupel --help lists the commands)")
  .exitOverride();

addProjectCommands(program);
addReleaseCommands(program);
addTrialCommands(program);

command("doctor", "say what works on this machine, what is missing and what that costs")
  .option(
    "--try-key",
    "also make one cheap call to the model that would be asked here (costs less than a cent)",
  )
  .option("--model <provider:model>", "with --try-key: try this one")
  .action(async (options: CommonOptions & { tryKey?: boolean; model?: string }) => {
    const { doctor } = await import("./commands/doctor.ts");
    const { tryKey = false, model } = options;
    process.exitCode = await doctor({ ...here(options), tryKey, ...(model === undefined ? {} : { model }) });
  });

command("schema [name]", "print the JSON Schema of a record, or list all records").action(
  async (name: string | undefined, options: CommonOptions) => {
    const { schema } = await import("./commands/schema.ts");
    schema(name, options.json === true);
  },
);

command(
  "init [directory]",
  "begin a project: SPEC.md to fill in and cupel.config.json; nothing is overwritten",
)
  .option("--simulated", "the product of the simulator: simulated agents build it, without any key")
  .action(async (directory: string | undefined, options: CommonOptions & { simulated?: boolean }) => {
    const { init } = await import("./commands/init.ts");
    const place = directory === undefined ? {} : { directory };
    await init({ ...here(options), ...place, simulated: options.simulated === true });
  });

command("inbox", "list everything that waits for a person").action(async (options: CommonOptions) => {
  const { inbox } = await import("./commands/inbox.ts");
  await inbox(here(options));
});

command("show <id>", "print a question, an artifact or a module as a person reads it").action(
  async (id: string, options: CommonOptions) => {
    const { show } = await import("./commands/show.ts");
    await show(id, here(options));
  },
);

command("approve [id]", "approve the specification that waits, or send it back")
  .option("--amend <text>", "keep the draft and have this changed; one point per line or list entry")
  .option("--amend-file <file>", "the same from a file; - reads it from stdin")
  .option("--reject <reason>", "drop the draft and begin anew with this reason")
  .option("--as <name>", "in whose name; else the name you are logged in with")
  .action(
    async (id: string | undefined, flags: Omit<ApproveCommand, "directory" | "json"> & CommonOptions) => {
      const { approve } = await import("./commands/approve.ts");
      await approve(id, { ...flags, ...here(flags) });
    },
  );

command(
  "diff [before] [after]",
  "print what differs between two drafts of the specification; the last two unless told",
).action(async (before: string | undefined, after: string | undefined, options: CommonOptions) => {
  const { diff } = await import("./commands/diff.ts");
  await diff(before, after, here(options));
});

const store = program.command("store").description("look into the state store of this project and check it");

withJson(store.command("fsck").description("verify every hash, envelope, transition, seal and reference"))
  .option("--repair", "rebuild files from the database and clear away what interrupted writes left")
  .action(async (options: CommonOptions & { repair?: boolean }) => {
    const { fsck } = await import("./commands/store.ts");
    process.exitCode = await fsck(here(options), options.repair === true);
  });

withJson(
  store.command("ls [what]").description("list artifacts, modules or questions, or all of them"),
).action(async (what: string | undefined, options: CommonOptions) => {
  const { list } = await import("./commands/store.ts");
  await list(what, here(options));
});

withJson(store.command("show <ref>").description("print an artifact, module, question or payload")).action(
  async (ref: string, options: CommonOptions) => {
    const { show } = await import("./commands/store.ts");
    await show(ref, here(options));
  },
);

const index = program.command("index").description("find shipped modules by what they do");

withJson(index.command("search <words...>").description("find modules by purpose, in plain words"))
  .option("--tag <tag>", "only modules with this tag; several: any of them", gather, [])
  .option("--input-type <type>", "only modules that take this type; several: any of them", gather, [])
  .option("--output-type <type>", "only modules that give this type; several: any of them", gather, [])
  .option("--all", "also deprecated and superseded modules")
  .option("--top <n>", "how many at most; 10 unless told")
  .action(async (words: string[], options: IndexSearchFlags) => {
    const { search } = await import("./commands/index-search.ts");
    const { tag, inputType, outputType, top } = options;
    const all = options.all === true;
    await search({
      ...here(options),
      words,
      tags: tag,
      inputTypes: inputType,
      outputTypes: outputType,
      all,
      top,
    });
  });

withJson(
  index
    .command("show <module>")
    .description("print one module (MM-… for the newest, MM-…@1.0.0 for one version)"),
).action(async (ref: string, options: CommonOptions) => {
  const { show } = await import("./commands/index-show.ts");
  await show(ref, here(options));
});

withJson(
  index.command("reindex").description("embed every module anew and add shipped ones that are missing"),
).action(async (options: CommonOptions) => {
  const { reindex } = await import("./commands/index-reindex.ts");
  process.exitCode = await reindex(here(options));
});

program
  .command("log")
  .description("print what happened, from the journal")
  .option("--follow", "go on with what happens next, until Ctrl-C")
  .option("--run <id>", "only the events of one run")
  .option("--jsonl", "one JSON event a line")
  .action(async (options: { follow?: boolean; run?: string; jsonl?: boolean }) => {
    const { log } = await import("./commands/log.ts");
    await log({
      directory: process.cwd(),
      follow: options.follow === true,
      jsonl: options.jsonl === true,
      run: options.run,
    });
  });

command(
  "clean",
  "remove workspaces and rounds that nobody uses any more; unsaved work is kept in the hub first",
)
  .option("--dry-run", "only list them")
  .option("--foreign", "also those of other containers, whose processes cannot be seen from here")
  .action(async (options: CommonOptions & { dryRun?: boolean; foreign?: boolean }) => {
    const { clean } = await import("./commands/clean.ts");
    const { dryRun = false, foreign = false } = options;
    process.exitCode = await clean({ ...here(options), dryRun, foreign });
  });

program
  .command("verify [folders...]")
  .description("run the gates on modules that anybody wrote, and say what to mend first")
  .option("--contract <file>", "the contract that the module must keep")
  .option("--rigor <name>", "lite, standard or strict; else what cupel.config.json says")
  .option("--skeleton <folder>", "stubs to run the tests against; else they are made from the module")
  .option(
    "--base <ref|dir>",
    "what tests and runner configuration must still be like: a git ref or a directory",
  )
  .option("--claims <file>", "what was said about the module: a list of claims as JSON (cupel schema Claim)")
  .option("--only <gates>", "only these gates, separated by commas")
  .option("--all", "go on although a gate blocks")
  .option("--write-proof <file>", "keep everything needed to reach the verdicts again")
  .option(
    "--proof <file>",
    "reach the verdicts of such a file again, from the file alone; or of a module that has shipped, such as MM-clamp@1.0.0",
  )
  .option("--any-version", "with --proof: also with other versions of the tools than it was made with")
  .option("--watch", "verify again whenever something changes, until Ctrl-C")
  .option("--json", "print one JSON document on stdout")
  .option("--junit", "print the result as JUnit XML")
  .option("--sarif", "print the findings as SARIF")
  .action(async (folders: string[], options: VerifyFlags) => {
    const { verify } = await import("./commands/verify.ts");
    const { contract, rigor, skeleton, base, claims, only, proof, writeProof } = options;
    process.exitCode = await verify({
      directory: process.cwd(),
      folders,
      formats: (["json", "junit", "sarif"] as const).filter((format) => options[format] === true),
      watch: options.watch === true,
      all: options.all === true,
      anyVersion: options.anyVersion === true,
      ...(proof === undefined ? {} : { proof }),
      ...(writeProof === undefined ? {} : { writeProof }),
      ...(contract === undefined ? {} : { contract }),
      ...(rigor === undefined ? {} : { rigor }),
      ...(skeleton === undefined ? {} : { skeleton }),
      ...(base === undefined ? {} : { base }),
      ...(claims === undefined ? {} : { claims }),
      ...(only === undefined ? {} : { only: only.split(",") }),
    });
  });

command("ask [role]", "ask one role once and print its answer")
  .option("--list", "list the roles, with what they are for, their tier and their tools")
  .option("--input <file>", "what the role is given, as JSON; - reads it from stdin")
  .option("--runtime <name>", "what plays it: model, claude-code, codex; else what cupel.config.json says")
  .option("--model <provider:model>", "the model to ask; else what cupel.config.json says")
  .option("--workspace <dir>", "let it work on the files of a directory, as far as the role has file tools")
  .option("--record <file>", "keep the call as a script that --replay can play")
  .option("--replay <file>", "play the call from a script: no key, no model, no cost")
  .option("--ignore-input", "with --replay: also when the agent is asked something else than when recorded")
  .addHelpText("after", CALL_STATUSES)
  .action(async (role: string | undefined, flags: AskFlags) => {
    const { ask } = await import("./commands/ask.ts");
    process.exitCode = await ask(role, { ...flags, directory: process.cwd() });
  });

for (const each of program.commands) nameItsHelp(each, "cupel");

endOnInterrupt();
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

/** Whoever mistypes an option is sent to the help that has it. */
function nameItsHelp(command: Command, above: string): void {
  const path = `${above} ${command.name()}`;
  command.showHelpAfterError(`(${path} --help shows what it takes)`);
  for (const below of command.commands) nameItsHelp(below, path);
}

function command(usage: string, description: string): Command {
  return withJson(program.command(usage).description(description));
}

function withJson(command: Command): Command {
  return command.option("--json", "print one JSON document on stdout");
}

/** For an option that may be given several times. */
function gather(value: string, before: string[]): string[] {
  return [...before, value];
}

function here(options: CommonOptions): { directory: string; json: boolean } {
  return { directory: process.cwd(), json: options.json === true };
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  printError(error, process.argv.includes("--json"));
  return error instanceof CupelError ? exitStatusOf(error.code) : EXIT.internal;
}
