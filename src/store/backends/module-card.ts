// What can be told of a module without showing its files: a summary made from its contract, and its bare metadata.
import type { ArtifactStatus } from "../../domain/artifact/artifact-envelope.ts";
import { MicroModuleContract } from "../../domain/contract/contract.ts";
import { parse } from "../../domain/parse.ts";

export const SUMMARY = "summary.md";
export const METADATA = "metadata.json";

/** Undefined when the contract is not one. */
export function summaryOf(contractJson: string): string | undefined {
  const contract = contractIn(contractJson);
  if (contract === undefined) return undefined;
  const { inputs, outputs, error_surfaces: errors, effects, modes } = contract;
  const kinds = [...(modes.sync ? ["sync"] : []), ...(modes.async ? ["async"] : [])];
  return [
    `# ${contract.name} (${contract.module_id}@${contract.module_version})`,
    "",
    contract.purpose,
    "",
    `- Inputs: ${list(inputs.map((input) => `${input.name}: ${input.type}`))}`,
    `- Outputs: ${list(outputs.map((output) => `${output.name}: ${output.type}`))}`,
    `- Errors: ${list(errors.map((error) => `${error.name} when ${error.when}`))}`,
    `- Effects: ${list(effects.map((effect) => `${effect.type} ${effect.target}`))}`,
    `- Modes: ${list(kinds)}`,
    "",
  ].join("\n");
}

export function metadataOf(moduleId: string, version: string, status: ArtifactStatus): string {
  return `${JSON.stringify({ id: moduleId, version, status }, null, 2)}\n`;
}

function contractIn(text: string): MicroModuleContract | undefined {
  try {
    const parsed = parse(MicroModuleContract, JSON.parse(text));
    return parsed.kind === "ok" ? parsed.value : undefined;
  } catch {
    return undefined;
  }
}

function list(items: string[]): string {
  return items.length === 0 ? "none" : items.join("; ");
}
