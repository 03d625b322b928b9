// Notices when nothing is heard for too long; while a tool of ours works it is not the agent's turn to speak.

export interface Silence {
  heard(): void;
  /** Time spent in it does not count. */
  during<T>(work: () => Promise<T>): Promise<T>;
  end(): void;
}

export function listenForSilence(silenceMs: number, onSilence: () => void): Silence {
  let timer: NodeJS.Timeout | undefined;
  let working = 0;
  let ended = false;
  const heard = (): void => {
    clearTimeout(timer);
    if (!ended && working === 0) timer = setTimeout(onSilence, silenceMs);
  };
  heard();
  return {
    heard,
    async during(work) {
      working += 1;
      clearTimeout(timer);
      try {
        return await work();
      } finally {
        working -= 1;
        heard();
      }
    },
    end() {
      ended = true;
      clearTimeout(timer);
    },
  };
}
