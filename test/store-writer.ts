// A process that writes to a store as fast as it can and prints each thing only after it was acknowledged.
import { leased, newContract, taskStarted } from "./store-samples.ts";

const project = process.argv[2] ?? "";
const { store, fence } = await leased(project);

for (let n = 0; ; n++) {
  const { artifact_id: id } = await store.artifacts.create(fence, newContract(`${process.pid}-${n}`));
  acknowledge({ artifact: id, status: "DRAFT", text: `${process.pid}-${n}` });
  await store.artifacts.transition(fence, id, "CHALLENGED");
  acknowledge({ artifact: id, status: "CHALLENGED" });
  const [event] = await store.journal.append(fence, [taskStarted(id)]);
  acknowledge({ event: event?.seq });
  if (n % 5 === 0) {
    await store.modules.record(fence, `MM-p${process.pid}@1.0.${n}`, {
      "contract.json": `${n}`,
      "implementation/a.ts": id,
    });
    await store.modules.seal(fence, `MM-p${process.pid}@1.0.${n}`);
    acknowledge({ module: `MM-p${process.pid}@1.0.${n}` });
  }
}

function acknowledge(thing: object): void {
  process.stdout.write(`${JSON.stringify(thing)}\n`);
}
