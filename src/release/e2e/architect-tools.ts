// The tools of the architect in its workspace: files of e2e/, modules as their contracts open them, and runs of the tests.
import { join } from "node:path";
import type { AgentTool } from "../../agents/port.ts";
import { fileTools } from "../../agents/tools/file-tools.ts";
import { runTestsTool, type WorkshopFunctions } from "../../agents/tools/workshop-tools.ts";
import { builtPackages } from "../../engineering/module-ports/built-packages.ts";
import { testText, withoutSealed } from "../../engineering/module-ports/workshop-runs.ts";
import { type NoteAccess, workspaceView } from "../../engineering/module-ports/workspace-view.ts";
import { sealedProvision } from "../../engineering/provisions.ts";
import { CompositeBackend } from "../../store/backends/composite.ts";
import { FilesystemBackend } from "../../store/backends/filesystem.ts";
import type { Files } from "../../toolchains/port.ts";
import type { E2eWork } from "./port.ts";
import { inPlace, isTestFile, openSuite, runSuite } from "./suite-site.ts";

/** No module has such a name. */
const OWN = "(e2e)";

export function architectTools(work: E2eWork, tree: string, pack: string): AgentTool[] {
  const { store, fence, now } = work.ports;
  const note: NoteAccess = (operation, path, granted, reason) =>
    store.packAudit.append(fence, [
      { packId: pack, at: now().toISOString(), operation, path, granted, reason },
    ]);
  const own = new FilesystemBackend(join(tree, "e2e"));
  const modules = work.product.placed.map(({ name }) => name);
  const files = new CompositeBackend({
    [`/${OWN}`]: own,
    ...Object.fromEntries(
      modules.map((name) => [`/${name}`, new FilesystemBackend(join(tree, "modules", name))]),
    ),
  });
  const view = workspaceView(files, { own: OWN, dependencies: modules, ownAs: "e2e" }, note);
  return [...fileTools(view), runTestsTool({ runTests: runTests(work, own, note) })];
}

function runTests(
  { ports, product }: E2eWork,
  own: FilesystemBackend,
  note: NoteAccess,
): WorkshopFunctions["runTests"] {
  return async (selection, signal) => {
    const files = await filesIn(own);
    const wanted = selection.files.map((file) => file.replace(/^\/*(?:e2e\/)?/, ""));
    const tests = Object.keys(files).filter(isTestFile);
    const chosen = wanted.length === 0 ? tests : tests.filter((path) => wanted.includes(path));
    if (chosen.length === 0) return `No test file fits. There are: ${tests.join(", ") || "none"}.`;
    return inPlace(ports, async (place) => {
      const around = product.placed.map((each) => sealedProvision(ports.store, each));
      const built = await builtPackages(around, join(place, "packages"));
      const site = await openSuite(ports, place, files, built);
      const some = { ...site, layout: { ...site.layout, tests: chosen } };
      const report = testText(await runSuite(ports, some, "record", signal), selection.name);
      const opened = await Promise.all(around.map((each) => each.open()));
      const open = [files, ...opened].flatMap((each) => Object.values(each));
      return withoutSealed(report, { built, open, operation: "run_tests", note });
    });
  };
}

/** What the agent has written so far, without following a link. */
async function filesIn(own: FilesystemBackend): Promise<Files> {
  const { files = [] } = await own.glob("**/*");
  const texts = await Promise.all(
    files
      .filter(({ is_dir }) => is_dir !== true)
      .map(async ({ path }) => {
        const { data } = await own.readRaw(path);
        return typeof data?.content === "string" ? [[path.replace(/^\//, ""), data.content] as const] : [];
      }),
  );
  return Object.fromEntries(texts.flat());
}
