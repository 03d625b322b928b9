// The commands at the end of a product: release it, report on it, give up what should no longer be used.
import type { Command } from "commander";

interface ReleaseFlags {
  partial?: string[];
  junit?: string;
  sarif?: string;
  prBody?: string;
  unsafeNoSandbox?: boolean;
  json?: boolean;
}

const RELEASE_STATUSES = `
Exit status:
  0    released, or the same as before
  10   tasks halted: cupel resolve TASK
  11   tasks are not done yet
  13   a gate refused; the report says which module and what to type next
  130  stopped by Ctrl-C; nothing was released`;

export function addReleaseCommands(program: Command): void {
  program
    .command("release")
    .description("release what has shipped: gates over the whole, a manifest, a tag")
    .option("--partial <tasks...>", "only these tasks, and whatever their modules build on")
    .option("--junit <file>", "write the result as JUnit XML")
    .option("--sarif <file>", "write what was refused as SARIF")
    .option("--pr-body <file>", "write a text for a pull request")
    .option("--unsafe-no-sandbox", "run the product's tests without a sandbox")
    .option("--json", "print one JSON document on stdout")
    .addHelpText("after", RELEASE_STATUSES)
    .action(async (options: ReleaseFlags) => {
      const { release } = await import("./commands/release.ts");
      const { partial, junit, sarif, prBody } = options;
      process.exitCode = await release({
        directory: process.cwd(),
        json: options.json === true,
        unsafeNoSandbox: options.unsafeNoSandbox === true,
        ...(partial === undefined ? {} : { partial }),
        ...(junit === undefined ? {} : { junit }),
        ...(sarif === undefined ? {} : { sarif }),
        ...(prBody === undefined ? {} : { prBody }),
      });
    });

  program
    .command("regress <module>")
    .description("run the tests that earlier versions of a module were shipped with on its newest one")
    .option("--against <folder>", "on work in this folder instead; then those of the newest version, too")
    .option("--json", "print one JSON document on stdout")
    .action(async (module: string, options: { against?: string; json?: boolean }) => {
      const { regress } = await import("./commands/regress.ts");
      const { against } = options;
      process.exitCode = await regress({
        directory: process.cwd(),
        json: options.json === true,
        module,
        ...(against === undefined ? {} : { against }),
      });
    });

  program
    .command("deprecate <module>")
    .description("give up a version of a module, such as MM-slug@1.0.0, and list what builds on it")
    .requiredOption("--reason <text>", "why, and what to do instead; stays in the Code Index for ever")
    .option("--replacement <module>", "the version that takes its place")
    .option("--json", "print one JSON document on stdout")
    .action(async (module: string, options: { reason: string; replacement?: string; json?: boolean }) => {
      const { deprecate } = await import("./commands/deprecate.ts");
      const { reason, replacement } = options;
      await deprecate({
        directory: process.cwd(),
        json: options.json === true,
        module,
        reason,
        ...(replacement === undefined ? {} : { replacement }),
      });
    });

  program
    .command("report")
    .description("write one HTML page on what was built: evidence, costs, decisions")
    .option("--out <file>", "the file to write; stdout unless told")
    .action(async ({ out }: { out?: string }) => {
      const { report } = await import("./commands/report.ts");
      await report({ directory: process.cwd(), ...(out === undefined ? {} : { out }) });
    });
}
