// Where tests listen for what nobody caught, vitest takes it that they deal with it and says nothing. A failed assertion that
// nobody waited for is told all the same: that somebody heard of it does not make it hold.

const EVENTS = ["unhandledRejection", "uncaughtException"] as const;
type Event = (typeof EVENTS)[number];

/** Taken before any foreign code. */
const on: (event: string, listener: (...given: unknown[]) => void) => unknown = process.on.bind(process);
const countOf: (event: string) => number = process.listenerCount.bind(process);

export class StrayAssertions {
  readonly #heard = new Set<Event>();
  #tell: ((error: unknown, type: string) => unknown) | undefined;

  /** Nobody is listened to before somebody else listens, so that vitest goes on as ever. */
  watch(): void {
    on("newListener", (name) => {
      const event = EVENTS.find((each) => each === name);
      if (event === undefined || this.#heard.has(event)) return;
      this.#heard.add(event);
      on(event, (error) => this.#hear(event, error));
    });
  }

  /** Before a file is loaded: whom to tell is kept where it cannot be reached from there. */
  begin(): void {
    const rpc = fieldOf(fieldOf(globalThis, "__vitest_worker__"), "rpc");
    const tell = fieldOf(rpc, "onUnhandledError");
    this.#tell = typeof tell === "function" ? (...given) => Reflect.apply(tell, rpc, given) : undefined;
  }

  #hear(event: Event, error: unknown): void {
    // With vitest's own listener and this one alone, vitest is quiet only because of this one.
    const isForeign = countOf(event) > 2;
    if (isForeign && !isFailedAssertion(error)) return;
    const plain = Object.fromEntries(["name", "message", "stack"].map((key) => [key, fieldOf(error, key)]));
    this.#tell?.(error instanceof Error ? plain : error, "Unhandled Error");
  }
}

function isFailedAssertion(error: unknown): boolean {
  return (
    fieldOf(error, "name") === "AssertionError" ||
    String(fieldOf(error, "message")).startsWith("Property failed after")
  );
}

function fieldOf(value: unknown, name: string): unknown {
  return (typeof value === "object" && value !== null) || typeof value === "function"
    ? Reflect.get(value, name)
    : undefined;
}
