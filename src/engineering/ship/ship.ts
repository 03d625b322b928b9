// The one door: judges a candidate by every gate of its protocol, and seals it in one moment, or says what is wrong.
import { CupelError } from "../../domain/error.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { Candidate } from "../../protocols/outcome.ts";
import type { ShipAnswer } from "../../protocols/port.ts";
import { tipOf } from "../../workshop/git/refs.ts";
import { assertApproved } from "./approval.ts";
import { openBench } from "./bench.ts";
import { finishShips } from "./finish.ts";
import { judgeCandidate } from "./judgement.ts";
import type { Refusal } from "./judgement.ts";
import { moduleFilesAt } from "./module-files.ts";
import type { ShipOrder, ShipPorts } from "./port.ts";
import { prepareShip } from "./prepare.ts";
import { assertReadableProduct } from "./product-tree.ts";
import { seal } from "./seal.ts";
import { isSealedAlike } from "./sealed-alike.ts";
import { type Barred, situationOf } from "./situation.ts";
import { tellRefusal } from "./verdict-events.ts";

/**
 * Shipping the same again is the same ship; a refusal says what to change, a bar that nothing would help. Anything else that
 * is wrong is thrown.
 */
export async function ship(ports: ShipPorts, order: ShipOrder, given: Candidate): Promise<ShipAnswer> {
  const candidate = parseOrThrow(Candidate, given, "the candidate");
  await finishShips(ports);
  const before = await shippedBefore(ports, order, candidate);
  if (before !== undefined)
    return before.kind === "barred" ? barred(ports, order, candidate, before) : before;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const answer = await tryToShip(ports, order, candidate);
    if (answer.kind !== "overtaken") return answer;
  }
  throw new CupelError("store_busy", `what ${candidate.contract.module_id} works with keeps changing`, {
    hint: "run the same command again when nothing else ships",
  });
}

/** How often others may ship something that this module works with while it is being judged. */
const ATTEMPTS = 5;

async function tryToShip(
  ports: ShipPorts,
  order: ShipOrder,
  candidate: Candidate,
): Promise<ShipAnswer | { kind: "overtaken" }> {
  const situation = await situationOf(ports, order, candidate);
  if (situation.kind === "barred") return barred(ports, order, candidate, situation);
  const { shelf } = situation;
  const approval = await assertApproved(ports.store, order, candidate);
  await assertReadableProduct(ports, await tipOf(ports.hub.gitDir, ports.hub.branch));
  ports.onStep?.("checked");
  const bench = await openBench(ports, order, candidate, shelf);
  if (bench.kind === "refused") return refused(ports, order, candidate, { findings: bench.problems });
  try {
    ports.onStep?.("opened");
    const judgement = await judgeCandidate(ports, order, {
      candidate,
      approval,
      bench,
      before: situation.before,
    });
    if (judgement.kind === "refused") return await refused(ports, order, candidate, judgement);
    const prepared = await prepareShip(ports, order, judgement);
    ports.onStep?.("recorded");
    const isUnchanged = async () => {
      const now = await situationOf(ports, order, candidate);
      return now.kind === "open" && now.key === situation.key;
    };
    return await seal(ports, prepared, isUnchanged);
  } finally {
    await bench.remove();
  }
}

/** After a crash, or asked for twice. */
async function shippedBefore(
  ports: ShipPorts,
  { assignment }: ShipOrder,
  { contract, commit }: Candidate,
): Promise<(ShipAnswer & { kind: "shipped" }) | Barred | undefined> {
  const module = `${contract.module_id}@${contract.module_version}`;
  const before = await ports.store.ships.get(module);
  if (before === undefined || before.commit === null) return undefined;
  const { record } = before;
  const found = await moduleFilesAt(ports.hub, commit, assignment.folder, contract);
  if (found.kind === "module" && (await isSealedAlike(ports, module, found.files)))
    return { kind: "shipped", shipped: { module, shipId: record.shipId, commit: before.commit } };
  return { kind: "barred", why: `${module} has shipped with other content, and stays as it is` };
}

async function barred(
  ports: ShipPorts,
  order: ShipOrder,
  { contract }: Candidate,
  bar: Barred,
): Promise<Barred> {
  await tellRefusal(ports, order, { contract, during: "ship", findings: [bar.why] });
  return bar;
}

async function refused(
  ports: ShipPorts,
  order: ShipOrder,
  { contract }: Candidate,
  { findings, mismatch, executionLogRef }: Refusal,
): Promise<ShipAnswer> {
  await tellRefusal(ports, order, { contract, during: "ship", findings });
  return {
    kind: "refused",
    findings,
    ...(mismatch === undefined ? {} : { mismatch }),
    ...(executionLogRef === undefined ? {} : { executionLogRef }),
  };
}
