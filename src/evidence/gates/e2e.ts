// The product's own test command ends well in a clean copy with this module, and not with one that is broken.
import type { Files } from "../../toolchains/port.ts";
import { endOf, saidBy } from "../command-end.ts";
import type { Facts } from "../facts.ts";
import type { GateDefinition } from "../port.ts";

export const e2e: GateDefinition = {
  name: "e2e",
  look: async (facts) => {
    const { product } = facts.module;
    if (product === undefined) return { kind: "error", message: "no product was handed in" };
    if (product === "unfinished")
      return { kind: "not-applicable", derivedFrom: "not every task of the product has shipped" };
    const words = [product.command, ...product.args].join(" ");
    const place = await product.open(sourcesOf(facts));
    try {
      const { timeoutMs, signal } = facts.module;
      const { command, args } = product;
      const result = await place.run({ command, args, timeoutMs, signal });
      if (result.kind === "cancelled") return { kind: "error", message: `${words} was stopped` };
      const isWell = result.kind === "exited" && result.code === 0;
      return {
        kind: "looked",
        looked: 1,
        summary: `${words} in a clean copy ${endOf(result)}`,
        findings: isWell
          ? []
          : [{ rule: "product", message: `${words} ${endOf(result)}: ${saidBy(result)}` }],
        evidence: result,
      };
    } finally {
      await place.remove();
    }
  },
  // A command that fails with it has really used this module.
  plant: async (facts) => ({
    kind: "planted",
    what: "functions of this module that throw",
    facts: await facts.skeleton(),
  }),
};

function sourcesOf({ module: { site } }: Facts): Files {
  const files = site.files();
  return Object.fromEntries(site.layout.sources.map((path) => [path, files[path] ?? ""]));
}
