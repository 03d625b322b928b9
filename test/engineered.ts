// One task through the factory with scripted agents and everything else real; closed when the test is over.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ArtifactType } from "../src/domain/artifact/artifact-type.ts";
import { engineerTask } from "../src/engineering/engineer-task.ts";
import type { TaskOrder } from "../src/engineering/port.ts";
import { openEngineering } from "../src/factory/engineering.ts";
import { openWorks, type Works, type WorksOptions } from "../src/factory/works.ts";
import { sampleProject } from "./git-samples.ts";
import { scriptText } from "./invoice-script.ts";
import { temporaryDirectory } from "./temporary.ts";

export interface ToEngineer {
  lines: Parameters<typeof scriptText>[0];
  order: TaskOrder;
  /** The record that its protocol leaves behind, where it leaves one. */
  report?: ArtifactType;
  jobs?: ReturnType<NonNullable<WorksOptions["jobs"]>>;
  /** Puts something between the factory and whoever it asks. */
  asking?: (works: Works) => Works["ask"];
}

export async function engineered({ lines, order, report, jobs, asking }: ToEngineer) {
  const project = sampleProject({ "README.md": "# Invoices\n" });
  const script = join(temporaryDirectory(), "script.jsonl");
  writeFileSync(script, scriptText(lines));
  const works = await openWorks({
    project,
    runId: "r-1",
    replay: script,
    ignoreInput: true,
    ...(jobs === undefined ? {} : { jobs: () => jobs }),
  });
  const engineering = await openEngineering(works, { ownScripts: true });
  onTestFinished(async () => {
    await engineering.close();
    await works.close();
  });
  const ask = asking === undefined ? works.ask : asking(works);
  const outcome = await engineerTask({ ...engineering.ports, ask }, order);
  const { store } = works;
  const events = await store.journal.read(0, 20_000);
  const nodes = events.flatMap((event) =>
    event.kind === "node_started" && event.graph === order.protocol ? [event.node] : [],
  );
  const [kept] = report === undefined ? [] : await store.artifacts.query({ type: report });
  const text = async (file: string): Promise<string> =>
    (await store.payloads.get(kept?.body[file] ?? "")).toString("utf8");
  return { project, store, engineering, outcome, events, nodes, text };
}
