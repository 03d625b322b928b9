// What the sample product of tests of the whole factory is made from: how a module of it is told, and the task.
import type { ContractDraft } from "../src/domain/contract/contract-draft.ts";
import { PlannedModule } from "../src/domain/plan/micro-plan.ts";
import { TaskFile } from "../src/domain/task/task-file.ts";
import { contractOf, idOf, ioContractOf, type ModuleSketch } from "../src/simulator/cases/module-sketch.ts";

export interface SampleModule {
  /** Also the end of its id, with underscores. */
  name: string;
  purpose: string;
  dependsOn: readonly string[];
  contract: ContractDraft;
  files: Readonly<Record<string, string>>;
}

interface Sketch extends Pick<SampleModule, "name" | "purpose" | "files">, ModuleSketch {
  dependsOn?: readonly string[];
}

export function sample(sketch: Sketch): SampleModule {
  const { name, purpose, dependsOn = [], files } = sketch;
  return { name, purpose, dependsOn, files, contract: contractOf(sketch, dependsOn) };
}

export function plannedModule({ name, purpose, dependsOn, contract }: SampleModule): PlannedModule {
  return PlannedModule.parse({
    module_id: idOf(name),
    name,
    purpose,
    io_contract: ioContractOf(contract),
    error_cases: contract.error_cases,
    depends_on: dependsOn.map((each) => `${idOf(each)}@1.0.0`),
    reuse_candidate_refs: [],
    reuse_decision: "CREATE_NEW",
    reuse_justification: "The Code Index holds nothing that reads or writes invoices.",
  });
}

export const INVOICE_TASK = TaskFile.parse({
  task_name: "Lines of an invoice",
  task_id: "T-billing-invoices-lines-001",
  context: {
    pillar: { name: "Billing", description: "Everything about money." },
    epic: { name: "Invoices", description: "What customers get." },
    story: { name: "Lines", description: "One line for each thing that was sold." },
  },
  description: "Write the lines of an invoice from titles and amounts, and the initials of who wrote it.",
  subtasks: ["read amounts", "add them up", "give the tax", "write a line", "give initials"],
  acceptance_criteria: [
    "a line shows the title, the net sum and the tax",
    "an amount that is none is refused",
    "initials are capital letters",
  ],
  micro_module_contract: {
    inputs: "titles, amounts and percentages",
    outputs: "lines of text",
    error_surfaces: "amounts, rates and titles that are none",
    effects: "none",
    modes: "sync",
  },
  dependency_contracts: [],
  error_cases: ["an amount that is none"],
});
