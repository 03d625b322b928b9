// The compiled package of a module: bundled code and declarations, made from the files that the compiler is shown and nothing else.
import { buildReport } from "./build.ts";
import { type Bundled, bundled } from "./bundle.ts";
import { declarations } from "./declaration-files.ts";
import type { ModuleView } from "./module-view.ts";
import { withProgram } from "./program.ts";

export async function compile(
  view: ModuleView,
  parts: "code and types" | "code" = "code and types",
): Promise<Bundled> {
  const { report, texts } = withProgram(view, (program) => ({
    report: buildReport(program),
    texts: program.texts,
  }));
  if (report.kind === "broken") return { kind: "broken", errors: report.errors };
  const code = await bundled(view.layout.entry, texts);
  if (code.kind === "broken" || parts === "code") return code;
  const types = await declarations(view, texts);
  if (types.kind === "broken") return types;
  return { kind: "compiled", files: { ...code.files, ...types.files } };
}
