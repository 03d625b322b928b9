// The commands around one product: run it, see where it stands, answer what it asks.
import { type Command, Option } from "commander";
import type { BatteryCommand } from "./commands/battery.ts";
import type { DemoCommand } from "./commands/demo.ts";
import type { IceCommand } from "./commands/ice.ts";
import type { ResolveCommand } from "./commands/resolve.ts";
import type { RunCommand } from "./commands/run.ts";

const RUN_STATUSES = `
Exit status:
  0    every task is done
  10   tasks halted: cupel resolve TASK
  11   something else waits for a person
  12   the budget or the time is used up
  13   the release was refused
  14   another process works on the run
  27   something outside keeps it from working: a provider, a key
  130  stopped by Ctrl-C (a second one does not wait)
Whatever it was: cupel run --resume goes on from there.`;

const BATTERY_STATUSES = `
Exit status:
  0    every cheat was refused for what it is, and every twin was accepted
  13   one was not; the last lines say which`;

export function addProjectCommands(program: Command): void {
  addRun(program);
  addDemo(program);
  addBattery(program);

  program
    .command("status")
    .description("say where the product stands: its tasks, what waits for you, what was spent")
    .option("--all", "every task, also where there are very many")
    .option("--watch", "again whenever something changes, until Ctrl-C")
    .option("--json", "print one JSON document on stdout")
    .action(async ({ watch = false, json = false, all = false }: Partial<Record<string, boolean>>) => {
      const { status } = await import("./commands/status.ts");
      await status({ directory: process.cwd(), json, all }, watch);
    });

  program
    .command("next")
    .description("print the one command to type next")
    .option("--json", "print one JSON document on stdout")
    .action(async (options: { json?: boolean }) => {
      const { next } = await import("./commands/status.ts");
      await next({ directory: process.cwd(), json: options.json === true });
    });

  program
    .command("resolve <task>")
    .description(
      "show why a task (or e2e) waits for you and what you can say; with --action or --file, say it",
    )
    .option("--action <name>", "APPROVE_OVERRIDE, AMEND_SPEC, SPLIT_TASK, REVISE_PLAN, PROVIDE_FIX, …")
    .option("--rationale <text>", "why")
    .option(
      "--criterion <text>",
      "with AMEND_SPEC: an acceptance criterion; all of them, one by one",
      gather,
      [],
    )
    .option("--file <file>", "the answer, or the rest of it, as JSON (cupel schema HumanResolution)")
    .option("--json", "print one JSON document on stdout")
    .action(
      async (task: string, options: Omit<ResolveCommand, "directory" | "json"> & { json?: boolean }) => {
        const { resolve } = await import("./commands/resolve.ts");
        const json = options.json === true;
        process.exitCode = await resolve(task, { ...options, directory: process.cwd(), json });
      },
    );

  program
    .command("ice [request]")
    .description("list requests for another contract (interface change exceptions), or decide about one")
    .option("--approve", "let the new contract be debated and made")
    .option("--reject <reason>", "the contract stays as it is")
    .option("--requeue", "with --reject: the task begins again and lives with it; else it stays halted")
    .option("--defer", "not now")
    .option("--json", "print one JSON document on stdout")
    .action(
      async (
        id: string | undefined,
        options: Omit<IceCommand, "directory" | "json"> & { json?: boolean },
      ) => {
        const { ice } = await import("./commands/ice.ts");
        process.exitCode = await ice(id, {
          ...options,
          directory: process.cwd(),
          json: options.json === true,
        });
      },
    );
}

function addDemo(program: Command): void {
  program
    .command("demo")
    .description("see a small product being built, with scripted agents: no key, no cost, about a minute")
    .option("--dir <directory>", "where; a new or empty directory, else a temporary one")
    .option("--yes", "say yes to whatever the demo asks")
    .option("--quiet", "only what was asked for and how it ended")
    .action(async (options: DemoCommand) => {
      const { demo } = await import("./commands/demo.ts");
      process.exitCode = await demo(options);
    });
}

function addBattery(program: Command): void {
  program
    .command("battery")
    .description("let simulated agents try known cheats, and their honest twins, against the factory")
    .option("--protocol <name>", "the protocol they are played through; solo unless told")
    .option("--rigor <name>", "lite, standard (unless told) or strict")
    .option("--only <cheats>", "only these, by name, separated by commas")
    .option("--list", "say which cheats there are, and play nothing")
    .option("--all", "every variation instead of one cheat of each kind")
    .option("--seed <number>", "what chance is drawn from; 1 unless told")
    .option("--jobs <number>", "how many at a time; 3 unless told")
    .option("--table <file>", "also write the result as a page of Markdown")
    .option("--without-gates", "the negative control: gates only advise, so cheats must escape")
    .option("--json", "print one JSON document on stdout")
    .addOption(new Option("--worker").hideHelp())
    .addHelpText("after", BATTERY_STATUSES)
    .action(async (options: BatteryCommand) => {
      const { battery } = await import("./commands/battery.ts");
      process.exitCode = await battery(options);
    });
}

function addRun(program: Command): void {
  program
    .command("run")
    .description("work on the product as far as it gets without you; the same command goes on")
    .option("--spec <file>", "in place of SPEC.md: a text, or a finished ProductSpec as .json")
    .option("--resume", "only go on with what was begun")
    .option("--dry-run", "print the plan and what it could cost, and do nothing")
    .option("--max-cost <dollars>", "stop before the run has spent more")
    .option("--max-time <minutes>", "stop after so many minutes")
    .option("--yes", "begin without being asked, and approve whatever specification is complete")
    .option("--no-input", "ask nobody; what needs a person ends with exit status 11")
    .option("--jsonl", "every event as one line of JSON on stdout")
    .option("--quiet", "only how it ended")
    .option(
      "--runtime <name>",
      "what plays every role: model, claude-code, codex, acp, simulator[:agents]; else as cupel.config.json says",
    )
    .option("--model <provider:model>", "the model of every role; else what cupel.config.json says")
    .option("--replay <file>", "play every role from a script: no key, no model, no cost")
    .option("--ignore-input", "with --replay: also when an agent is asked something else than when recorded")
    .option("--unsafe-no-sandbox", "run the code of agents without a sandbox")
    .addHelpText("after", RUN_STATUSES)
    .action(async (options: Omit<RunCommand, "directory">) => {
      const { run } = await import("./commands/run.ts");
      process.exitCode = await run({ ...options, directory: process.cwd() });
    });
}

/** For an option that may be given several times. */
function gather(value: string, before: string[]): string[] {
  return [...before, value];
}
