// SIGKILL at any moment: the store is clean afterwards, and everything that was acknowledged is there.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { ArtifactStatus } from "../src/domain/artifact/artifact-envelope.ts";
import { checkStateStore, openStateStore } from "../src/store/state-store.ts";
import type { StateStore } from "../src/store/state-store.ts";
import { temporaryDirectory } from "./temporary.ts";

const KILLS = process.env["CUPEL_LONG"] === "1" ? 200 : 8;
const WRITER = fileURLToPath(new URL("store-writer.ts", import.meta.url));

const Acknowledged = z.object({
  artifact: z.string().optional(),
  status: ArtifactStatus.optional(),
  text: z.string().optional(),
  event: z.number().optional(),
  module: z.string().optional(),
});
type Acknowledged = z.infer<typeof Acknowledged>;

test(`${KILLS} kills at random moments lose nothing`, { timeout: 30_000 + KILLS * 3000 }, async () => {
  let project = "";
  let acknowledgements = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    // A store that survived twenty kills is as good as one that survived two hundred, and quicker to check.
    if (kill % 20 === 0) project = temporaryDirectory();
    // A leap through the range instead of chance: every run tries the same moments after the first write.
    const acknowledged = await writeUntilKilled(project, (kill * 7.3) % 60);
    acknowledgements += acknowledged.length;
    const report = await checkStateStore(project, { repair: false });
    expect(report.problems).toEqual([]);
    const store = openStateStore(project, { durability: "normal", missing: "refuse" });
    for (const thing of acknowledged) await assertThere(store, thing);
    await freeLease(store);
    await store.close();
  }
  expect(acknowledgements).toBeGreaterThan(KILLS);
});

test("a check beside an active writer finds nothing wrong", { timeout: 30_000 }, async () => {
  const project = temporaryDirectory();
  const writer = spawn(process.execPath, ["--import", "tsx", WRITER, project], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(writer.stdout, "data");
  writer.stdout.resume();
  for (let look = 0; look < 8; look++) {
    expect((await checkStateStore(project, { repair: false })).problems).toEqual([]);
  }
  writer.kill("SIGKILL");
  await once(writer, "close");
});

async function writeUntilKilled(project: string, afterMs: number): Promise<Acknowledged[]> {
  const child = spawn(process.execPath, ["--import", "tsx", WRITER, project], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await once(child.stdout, "data");
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill("SIGKILL");
  await once(child, "close");
  // The last line may be cut: only whole lines were acknowledged.
  return output
    .split("\n")
    .slice(0, -1)
    .map((line) => Acknowledged.parse(JSON.parse(line)));
}

async function assertThere(
  store: StateStore,
  { artifact, status, text, event, module }: Acknowledged,
): Promise<void> {
  if (artifact !== undefined) {
    const row = await store.artifacts.get(artifact);
    const reached = ["DRAFT", "CHALLENGED"].slice(["DRAFT", "CHALLENGED"].indexOf(status ?? ""));
    expect(reached).toContain(row.envelope.status);
    if (text !== undefined)
      expect(String(await store.artifacts.readBody(artifact, "contract.json"))).toBe(text);
  }
  if (event !== undefined) expect(await store.journal.latest()).toBeGreaterThanOrEqual(event);
  if (module !== undefined) expect((await store.modules.get(module)).sealedAt).not.toBeNull();
}

/** The dead writer's lease would only run out after a minute. */
async function freeLease(store: StateStore): Promise<void> {
  for (const { name, token } of await store.leases.list()) await store.leases.release({ name, token });
}
