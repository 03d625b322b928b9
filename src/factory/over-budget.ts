// Notices when a cap of the budget keeps a call from starting: a run ends differently then than with a provider that is away.
import type { AskRole } from "../engineering/port.ts";

export function watched(ask: AskRole): { ask: AskRole; budget: { readonly over: boolean } } {
  const budget = { over: false };
  return {
    budget,
    ask: async (role, call) => {
      const outcome = await ask(role, call);
      if (outcome.kind === "over-budget") budget.over = true;
      return outcome;
    },
  };
}
