// What an approved change comes to: the contract that was agreed upon, out of the artifact that the request names.
import { MicroModuleContract } from "../../domain/contract/contract.ts";
import { CupelError } from "../../domain/error.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import type { TaskRequest } from "../../domain/people/interface-change.ts";
import { moduleIdOf } from "../../domain/refs.ts";
import { dependencyView } from "../dependency-view.ts";
import type { EngineeringPorts } from "../port.ts";
import { shelfOf } from "../ship/shelf.ts";
import type { ChangedModule } from "./change-task.ts";

export async function changedModule(
  { store }: Pick<EngineeringPorts, "store">,
  request: TaskRequest,
): Promise<ChangedModule> {
  const { from, why } = request;
  // Built with what the version before was built with: whether others would do is another question.
  const refs = (await shelfOf({ store })).get(from).dependencies;
  const dependencies = await Promise.all(refs.map((ref) => dependencyView(store, ref)));
  return { from, why, contract: await agreedContract(store, request), dependencies };
}

export async function agreedContract(
  { artifacts, payloads }: EngineeringPorts["store"],
  { to, contract_ref }: Pick<TaskRequest, "to" | "contract_ref">,
): Promise<MicroModuleContract> {
  const { body, envelope } = await artifacts.get(moduleIdOf(contract_ref));
  const payload = body["contract.json"];
  const text = payload === undefined ? "null" : String(await payloads.get(payload));
  const contract = parseOrThrow(MicroModuleContract, JSON.parse(text), `the contract ${contract_ref}`);
  const { module_id, module_version } = contract;
  if (envelope.artifact_type === "CONTRACT" && `${module_id}@${module_version}` === to) return contract;
  throw new CupelError("invalid_input", `${contract_ref} is a contract of ${module_id}@${module_version}`, {
    expected: `the contract that was agreed upon for ${to}`,
    hint: `cupel store show ${envelope.artifact_id}`,
  });
}
