// Lets the work of many threads through one piece at a time, so that timers and sockets are answered in between: a graph's
// own work never waits for anything real and would otherwise keep the event loop to itself.

export class Turnstile {
  readonly #waiting: (() => void)[] = [];
  #turning = false;

  async pass(): Promise<void> {
    const through = new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (!this.#turning) this.#turn();
    await through;
  }

  /** One in each turn of the event loop. */
  #turn(): void {
    this.#turning = true;
    setImmediate(() => {
      this.#waiting.shift()?.();
      if (this.#waiting.length > 0) this.#turn();
      else this.#turning = false;
    });
  }
}
