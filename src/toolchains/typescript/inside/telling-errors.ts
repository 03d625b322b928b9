// Runs inside a site: finds entry points whose errors tell one caller what others have asked before.
import type { AloneOrder, RecordedCall } from "../alone/alone-order.ts";
import type { Outcome } from "./call-watch.ts";
import { picture } from "./picture.ts";

/** Taken before foreign code can put others in their place. */
const { apply } = Reflect;
const begins: (this: string, start: string) => boolean = Reflect.get(String.prototype, "startsWith");

const MOST_REFUSED = 3;

type Make = (call: Pick<RecordedCall, "entry" | "args">) => Promise<Outcome | undefined>;

/** Calls that the tests saw refused are made twice, and another one that gave a result between them. */
export async function tellingErrors(
  { again, fresh, steady }: Pick<AloneOrder, "again" | "fresh" | "steady">,
  make: Make,
  isLate: () => boolean,
): Promise<string[]> {
  const found: string[] = [];
  for (const entry of steady) {
    const refused = again.flat().filter((each) => each.entry === entry && isRefused(each));
    const others = fresh.filter((each) => each.entry === entry);
    for (const [at, call] of refused.slice(0, MOST_REFUSED).entries()) {
      if (isLate()) return found;
      const one = errorOf(await make(call));
      for (const between of others.slice(at, at + 1)) await make(between);
      const other = errorOf(await make(call));
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
