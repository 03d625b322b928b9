// What was opened, closed in the opposite order: once, and all of it even when a part of it fails.

export interface Closing {
  add(close: () => void | Promise<void>): void;
  /** The same end for whoever asks again; the first error is told when everything was tried. */
  close(): Promise<void>;
}

export function closing(): Closing {
  const open: (() => void | Promise<void>)[] = [];
  let closed: Promise<void> | undefined;
  return {
    add: (close) => void open.push(close),
    close: () => (closed ??= closeAll(open.toReversed())),
  };
}

async function closeAll(steps: readonly (() => void | Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
