// Runs inside a site: finds entry points whose errors tell one caller what others have asked before.
import type { AloneOrder, RecordedCall } from "../alone/alone-order.ts";
import type { Outcome } from "./call-watch.ts";
import { picture } from "./picture.ts";

/** Taken before foreign code can put others in their place. */
const { apply } = Reflect;
const begins: (this: string, start: string) => boolean = Reflect.get(String.prototype, "startsWith");

const MOST_REFUSED = 3;

type Make = (call: RecordedCall) => Promise<Outcome | undefined>;

/** Calls that the tests saw refused are made twice, one after the other. */
export async function tellingErrors(
  { again, steady }: Pick<AloneOrder, "again" | "steady">,
  make: Make,
  isLate: () => boolean,
): Promise<string[]> {
  const found: string[] = [];
  for (const entry of steady) {
    const refused = again.flat().filter((each) => each.entry === entry && isRefused(each));
    for (const call of refused.slice(0, MOST_REFUSED)) {
      if (isLate()) return found;
      const [one, other] = [errorOf(await make(call)), errorOf(await make(call))];
      if (one !== undefined && other !== undefined && one !== other) found[found.length] = entry;
    }
  }
  return found;
}

function isRefused({ outcome }: RecordedCall): boolean {
  return outcome !== null && apply(begins, outcome, ["threw "]);
}

/** With its message and its fields; undefined where it cannot be shown. */
function errorOf(outcome: Outcome | undefined): string | undefined {
  try {
    return outcome?.kind === "threw" ? picture(outcome.error) : undefined;
  } catch {
    return undefined;
  }
}
