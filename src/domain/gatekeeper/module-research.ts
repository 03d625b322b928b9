// What is found out about a module before anybody designs it: examples of the ordinary, of the edge and of errors, and what
// goes in and comes out.
import { z } from "zod";
import { ContractInput, ContractOutput } from "../contract/contract.ts";
import { Text } from "../refs.ts";

export const ResearchKind = z.enum(["happy_path", "edge_case", "error_case"]);
export type ResearchKind = z.infer<typeof ResearchKind>;

export const ResearchExample = z.strictObject({
  name: Text.max(120).describe("What it shows, in a few words that no other example has."),
  kind: ResearchKind,
  situation: Text.max(10_000)
    .nullable()
    .describe(
      "What the inputs alone do not say: which function is asked, on which object, after which calls; null where there is nothing to say.",
    ),
  inputs: z
    .array(
      z.strictObject({
        name: Text.describe("As the plan names it."),
        value: Text.describe('As a caller would write it, such as "a b" with its quotes, or [1, 2].'),
      }),
    )
    .describe("One for each input; empty for a module without any."),
  gives: Text.nullable().describe(
    "What comes back, as JSON, or as Node prints it where JSON has no word for it; null for an error.",
  ),
  throws: Text.nullable().describe("Class: message, exactly; null where something comes back."),
  why: Text.describe("Which sentence of the task asks for it."),
});
export type ResearchExample = z.infer<typeof ResearchExample>;

export const ModuleResearch = z.strictObject({
  summary: Text,
  inputs: z.array(ContractInput.omit({ optional: true })),
  outputs: z.array(ContractOutput),
  examples: z.array(ResearchExample).min(1).max(100),
  notes: z
    .array(Text)
    .describe("What whoever designs or tests it should know; empty where there is nothing."),
});
export type ModuleResearch = z.infer<typeof ModuleResearch>;
