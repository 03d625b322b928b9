// Lets the work of many threads through one piece at a time, so that timers and sockets are answered in between: a graph's
// own work never waits for anything real and would otherwise keep the event loop to itself.

export class Turnstile {
  readonly #begun: (() => void)[] = [];
  readonly #waiting: (() => void)[] = [];
  #turning = false;

  /** Where a thread comes back from outside. */
  async pass(): Promise<void> {
    await this.#through(this.#waiting);
  }

  /** Before all others, for a thread between two nodes: it goes outside again, and its next wait begins the sooner. */
  async passFirst(): Promise<void> {
    await this.#through(this.#begun);
  }

  async #through(queue: (() => void)[]): Promise<void> {
    const through = new Promise<void>((resolve) => queue.push(resolve));
    if (!this.#turning) this.#turn();
    await through;
  }

  /** One in each turn of the event loop. */
  #turn(): void {
    this.#turning = true;
    setImmediate(() => {
      const next = this.#begun.shift() ?? this.#waiting.shift();
      next?.();
      if (this.#begun.length + this.#waiting.length > 0) this.#turn();
      else this.#turning = false;
    });
  }
}
