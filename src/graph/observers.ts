// Shows updates to observers: as frozen copies, after they were kept; an observer that throws or dawdles harms nobody.
import { thrownText } from "../domain/thrown.ts";
import type { Observer, Update } from "./port.ts";
import { freeze } from "./state.ts";

export function show(observers: readonly Observer[], update: Update): void {
  for (const observer of observers) {
    const copy = copied(update);
    if (copy !== undefined) void observer(copy);
  }
}

/** Undefined for what cannot be copied: what a node did is kept already, and must not fail because of those who look on. */
function copied(update: Update): Update | undefined {
  try {
    return freeze(structuredClone(update));
  } catch {
    return undefined;
  }
}

export interface QueueOptions {
  /** So many updates wait for an observer that is slow; it misses what comes on top. */
  most?: number;
  /** Hears of errors and of missed updates, once each. */
  tell?: (what: string) => void;
}

/** An observer that gets one update at a time, in turns of the event loop of its own. */
export function queued(observer: Observer, { most = 1000, tell = warn }: QueueOptions = {}): Observer {
  const waiting: Update[] = [];
  const told = new Set<string>();
  let busy = false;
  const tellOnce = (topic: string, what: string): void => {
    if (told.has(topic)) return;
    told.add(topic);
    try {
      tell(what);
    } catch {
      // Whoever cannot be told of it must not break the graph either.
    }
  };
  const work = async (): Promise<void> => {
    busy = true;
    for (let update = waiting.shift(); update !== undefined; update = waiting.shift()) {
      await new Promise((resolve) => setImmediate(resolve));
      try {
        await observer(update);
      } catch (cause) {
        tellOnce("error", `an observer failed, and the graph went on: ${thrownText(cause, 500)}`);
      }
    }
    busy = false;
  };
  return (update) => {
    if (waiting.length >= most) {
      tellOnce(
        "missed",
        `an observer is ${most} updates behind and misses what comes until it has caught up`,
      );
      return;
    }
    waiting.push(update);
    if (!busy) void work();
  };
}

function warn(what: string): void {
  process.emitWarning(what, "CupelObserver");
}
