// An arm of a trial by its name: a protocol, how rigorous it is and whether its gates block, unless as usual.
import { CupelError } from "../domain/error.ts";
import { ProtocolName, RigorName } from "../domain/evidence/rigor.ts";
import { nearest } from "../domain/nearest.ts";
import type { TrialArm } from "../domain/trial/trial-protocol.ts";

const SUFFIX = { on: "-with-gates", off: "-without-gates" } as const;

const NAMED = new Map(
  ProtocolName.options.flatMap((protocol) =>
    RigorName.options.flatMap((rigor) =>
      (["on", "off"] as const).map((gates) => {
        const usual = usualIn(protocol);
        const short = rigor === usual.rigor ? protocol : `${protocol}-${rigor}`;
        const name = gates === usual.gates ? short : `${short}${SUFFIX[gates]}`;
        return [name, { name, protocol, rigor, gates } satisfies TrialArm] as const;
      }),
    ),
  ),
);

/** Somebody alone is what others are compared with: a worker and a reviewer, as `lite` asks for, and nothing that could say no. */
function usualIn(protocol: ProtocolName): Pick<TrialArm, "rigor" | "gates"> {
  return protocol === "solo" ? { rigor: "lite", gates: "off" } : { rigor: "standard", gates: "on" };
}

/** Such as `blind`, `blind-strict`, `blind-without-gates`, `solo` or `solo-standard-with-gates`. */
export function armNamed(typed: string): TrialArm {
  const found = NAMED.get(typed) ?? NAMED.get(typed.replace(/-(standard|lite)(?=-|$)/, ""));
  if (found !== undefined) return found;
  const meant = nearest(typed, NAMED.keys());
  throw new CupelError("usage", `there is no arm ${JSON.stringify(typed)}`, {
    expected: `${ProtocolName.options.join(", ")}; with -lite, -standard or -strict for another rigor, with ${SUFFIX.off} for gates that only advise, for solo with ${SUFFIX.on} for gates that block`,
    ...(meant === undefined ? {} : { hint: `did you mean ${meant}?` }),
  });
}
