// Under which policy a task is made: fixed when it is dispatched, whatever the configuration says afterwards.
import { z } from "zod";
import { BlindSettings } from "../blind/settings.ts";
import { canonicalJson } from "../canonical.ts";
import { FractalSettings } from "../fractal/settings.ts";
import { ProtocolName, type Rigor, resolveRigor, RigorSetting } from "../evidence/rigor.ts";

/** Every value of the rigor is spelled out, so that a preset that changes later changes nothing here. */
export const TaskPolicy = z.strictObject({
  rigor: RigorSetting,
  protocol: ProtocolName,
  blind: BlindSettings.optional(),
  fractal: FractalSettings.optional(),
});
export type TaskPolicy = z.infer<typeof TaskPolicy>;

/** What a configuration asks for now. */
export interface PolicyNow {
  rigor: Rigor;
  protocol: ProtocolName;
  blind?: BlindSettings;
  fractal?: FractalSettings;
}

export function fixedPolicy({ rigor, ...ways }: PolicyNow): TaskPolicy {
  const { overridden: _, ...setting } = rigor;
  return { rigor: setting, ...waysOf(ways) };
}

export function policyIn({ rigor, ...ways }: TaskPolicy): PolicyNow {
  return { rigor: resolveRigor(rigor), ...waysOf(ways) };
}

/** What is not set is absent. */
function waysOf({ protocol, blind, fractal }: Omit<TaskPolicy, "rigor">): Omit<PolicyNow, "rigor"> {
  return {
    protocol,
    ...(blind === undefined ? {} : { blind }),
    ...(fractal === undefined ? {} : { fractal }),
  };
}

/** The rigor that the task was dispatched under, in a word, where the configuration asks for another by now. */
export function otherRigor(policy: TaskPolicy | null, now: Rigor): string | null {
  if (policy === null) return null;
  const then = resolveRigor(policy.rigor);
  if (canonicalJson(then) === canonicalJson(now)) return null;
  return then.overridden.length === 0 ? then.base : `${then.base}, adjusted`;
}
