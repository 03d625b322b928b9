// The commands of clinical trials: which protocol ships fewer defects, and at what price.
import type { Command } from "commander";
import type { TrialInitCommand } from "./commands/trial-init.ts";
import type { TrialRunCommand } from "./commands/trial-run.ts";

const RUN_STATUSES = `
Exit status:
  0    every run has a row, and nothing speaks against believing them
  2    nothing was played: there is no such trial, or it was changed after it had begun
  12   stopped by its stopping rule: --max-runs, --max-tokens or --max-cost of cupel trial init
  13   every run has a row, and the figures are not to be believed; doubts come first
  14   another process works on it
  27   every run crashed, so it shows nothing; the rows say why
  130  stopped by Ctrl-C; no row is lost
Whatever it was: cupel trial resume DIR goes on from there.`;

interface AuditFlags {
  rigor: string;
  only?: string;
  json?: boolean;
}

const AUDIT_STATUSES = `
Exit status:
  0    every module passed
  2    there is no code, or the command is wrong
  13   a module was refused, could not be looked at, or has no tests
  130  stopped by Ctrl-C`;

export function addTrialCommands(program: Command): void {
  const trial = program.command("trial").description("compare protocols on tasks with hidden oracles");
  addInit(trial);
  addRun(trial);
  addLooks(trial);

  trial
    .command("resume <directory>")
    .description("go on with a trial that was begun; what was played is not played again")
    .option("--jobs <number>", "how many runs at a time; 3 unless told")
    .option("--json", "print one JSON document on stdout")
    .addHelpText("after", RUN_STATUSES)
    .action(async (directory: string, options: TrialRunCommand) => {
      const { resumeTrial } = await import("./commands/trial-run.ts");
      process.exitCode = await resumeTrial(directory, options);
    });

  trial
    .command("report <directory>")
    .description("say what the rows of a trial show so far; nothing is played")
    .option("--json", "print one JSON document on stdout")
    .action(async (directory: string, options: { json?: boolean }) => {
      const { trialReport } = await import("./commands/trial-report.ts");
      await trialReport(directory, options.json === true);
    });

  // Plays for another process of the same command.
  trial.command("worker", { hidden: true }).action(async () => {
    const { serveTrial } = await import("../factory/trial-worker.ts");
    await serveTrial(process.stdin, process.stdout, process.env);
  });
}

function addInit(trial: Command): void {
  trial
    .command("init <directory>")
    .description("register a trial: what is compared, on what and how, before the first run")
    .option("--preset <name>", "short (unless told), full, or control; the rest changes it")
    .option("--name <text>", "what to call it; as the preset unless told")
    .option("--corpus <name>", "builtin (unless told), exercism:PATH or polyglot:PATH")
    .option("--tasks <number|ids>", "so many from every area, or these, separated by commas")
    .option("--seeds <number>", "how often each task is played in each arm")
    .option(
      "--arms <names>",
      "protocols, separated by commas; -lite or -strict for another rigor, -without-gates or -with-gates",
    )
    .option("--control <arm>", "the arm that the others are compared with; solo unless told")
    .option("--primary <outcome>", "escaped (unless told), correctness, falseRejections or crashRate")
    .option("--runtime <name>", "real agents instead of simulated ones, as for cupel run")
    .option("--model <provider:model>", "the model of real agents")
    .option("--defect <share>", "how likely a first solution has a defect; 0.4 unless told")
    .option("--coverage <share>", "how likely tests show each constraint; 0.7 unless told")
    .option("--wrong-test <share>", "how likely each test is wrong; 0.05 unless told")
    .option("--sensitivity <share>", "how likely a reviewer sees what is wrong; 0.6 unless told")
    .option("--specificity <share>", "how likely a reviewer lets pass what is right; 0.9 unless told")
    .option("--sweep <values>", "one trial for each value of a parameter, such as defect=0.2,0.4,0.6")
    .option("--max-runs <number>", "begin no further block of runs after so many")
    .option("--max-tokens <number>", "the same by tokens")
    .option("--max-cost <dollars>", "the same by money; 10 for real agents unless told")
    .option("--json", "print one JSON document on stdout")
    .action(async (directory: string, options: TrialInitCommand) => {
      const { trialInit } = await import("./commands/trial-init.ts");
      await trialInit(directory, options);
    });
}

function addRun(trial: Command): void {
  trial
    .command("run [directory]")
    .description("play a registered trial, or all that are registered below a directory")
    .option("--preset <name>", "register short, full or control first, in a new folder unless one is named")
    .option("--jobs <number>", "how many runs at a time; 3 unless told")
    .option("--json", "print one JSON document on stdout")
    .addHelpText("after", RUN_STATUSES)
    .action(async (directory: string | undefined, options: TrialRunCommand) => {
      const { runTrials } = await import("./commands/trial-run.ts");
      process.exitCode = await runTrials(directory, options);
    });
}

function addLooks(trial: Command): void {
  trial
    .command("audit <dir>")
    .description("run the gates over code that is already there, and count what each gate says")
    .option("--rigor <name>", "lite, standard or strict", "standard")
    .option("--only <gates>", "only these gates, separated by commas")
    .option("--json", "print one JSON document on stdout")
    .addHelpText("after", AUDIT_STATUSES)
    .action(async (folder: string, { rigor, only, json }: AuditFlags) => {
      const { trialAudit } = await import("./commands/trial-audit.ts");
      process.exitCode = await trialAudit({
        directory: process.cwd(),
        folder,
        rigor,
        json: json === true,
        ...(only === undefined ? {} : { only: only.split(",") }),
      });
    });

  trial
    .command("corpus <corpus>")
    .description("list the tasks of builtin, exercism:PATH or polyglot:PATH, and what is left out and why")
    .option("--json", "print one JSON document on stdout")
    .action(async (corpus: string, { json }: { json?: boolean }) => {
      const { trialCorpus } = await import("./commands/trial-corpus.ts");
      await trialCorpus(corpus, json === true);
    });
}
