// An arm of a trial by its name: a protocol, how rigorous it is unless as usual, and whether its gates only advise.
import { CupelError } from "../domain/error.ts";
import { ProtocolName, RigorName } from "../domain/evidence/rigor.ts";
import { nearest } from "../domain/nearest.ts";
import type { TrialArm } from "../domain/trial/trial-protocol.ts";

const WITHOUT_GATES = "-without-gates";

const NAMED = new Map(
  ProtocolName.options.flatMap((protocol) =>
    RigorName.options.flatMap((rigor) =>
      (["on", "off"] as const).map((gates) => {
        const short = rigor === usualRigor(protocol) ? protocol : `${protocol}-${rigor}`;
        const name = gates === "on" ? short : `${short}${WITHOUT_GATES}`;
        return [name, { name, protocol, rigor, gates } satisfies TrialArm] as const;
      }),
    ),
  ),
);

/** The rigor that a protocol belongs to: nobody works alone where more than `lite` is asked. */
function usualRigor(protocol: ProtocolName): RigorName {
  return protocol === "solo" ? "lite" : "standard";
}

/** Such as `blind`, `blind-strict`, `solo` (which is lite), `solo-standard` or `blind-without-gates`. */
export function armNamed(typed: string): TrialArm {
  const found = NAMED.get(typed) ?? NAMED.get(typed.replace(/-(standard|lite)(?=-|$)/, ""));
  if (found !== undefined) return found;
  const meant = nearest(typed, NAMED.keys());
  throw new CupelError("usage", `there is no arm ${JSON.stringify(typed)}`, {
    expected: `${ProtocolName.options.join(", ")}; with -lite, -standard or -strict for another rigor, with ${WITHOUT_GATES} for gates that only advise`,
    ...(meant === undefined ? {} : { hint: `did you mean ${meant}?` }),
  });
}
