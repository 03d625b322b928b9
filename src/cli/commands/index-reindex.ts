// `cupel index reindex`: embeds every module anew, and adds those that shipped but are missing.
import { reindexCodeIndex } from "../../factory/code-index.ts";
import { EXIT } from "../exit-codes.ts";
import { colorsFor, count, oneLine, printJson, printText } from "../output.ts";

export async function reindex({ directory, json }: { directory: string; json: boolean }): Promise<number> {
  const result = await reindexCodeIndex({ directory, env: process.env }, { onProgress });
  const { entries, model, dimensions, appended, refused } = result;
  if (json) printJson(result);
  else {
    const colors = colorsFor(process.stdout);
    printText(
      [
        `${count(entries, "module")} in the Code Index, embedded by ${model} (${dimensions} dimensions).`,
        ...appended.map((ref) => `  ${colors.green("+")} ${ref} was sealed and missing`),
        ...refused.map(({ ref, why }) => `  ${colors.red("✕")} ${ref} cannot be indexed: ${oneLine(why)}`),
      ].join("\n"),
    );
  }
  return refused.length === 0 ? EXIT.ok : EXIT.gatesFailed;
}

function onProgress(done: number, total: number): void {
  process.stderr.write(`  ${done} of ${count(total, "module")}\n`);
}
