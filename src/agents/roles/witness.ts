// Tells from the journal what happened; every sentence names the events it stands on.
import { WitnessInput, WitnessOutput } from "../../domain/agent/blind-roles.ts";
import { defineRole } from "./define-role.ts";

export const witness = defineRole({
  name: "witness",
  purpose: "tells from the journal how the module came to be, each sentence with the events it stands on",
  input: WitnessInput,
  output: WitnessOutput,
  tools: [],
  tier: "small",
});
