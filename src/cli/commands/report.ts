// `cupel report`: one HTML file on what was built, with its evidence, costs and decisions.
import { writeFile } from "node:fs/promises";
import { CupelError } from "../../domain/error.ts";
import { projectAround } from "../../factory/project.ts";
import { reportOn } from "../../factory/report.ts";
import { printText } from "../output.ts";

/** On stdout where no file is named. */
export async function report({ directory, out }: { directory: string; out?: string }): Promise<void> {
  const text = await reportOn(projectAround(directory), process.env);
  if (out === undefined) return printText(text);
  try {
    await writeFile(out, text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CupelError("usage", `${out} cannot be written: ${why}`, { expected: "a file", cause });
  }
  process.stderr.write(`The report is in ${out}; open it in a browser.\n`);
}
