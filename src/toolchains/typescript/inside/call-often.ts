// Runs inside a site: makes one call again and again, so that whatever counts its calls gets far beyond those of any test.

/** Some times what a suite with properties makes. */
const MOST_CALLS = 20_000;
const MOST_MS = 100;

/** Resolves when it was made often enough, however these calls ended. */
export async function callOften(call: () => Promise<void> | undefined, now: () => number): Promise<void> {
  const begun = now();
  for (let made = 0; made < MOST_CALLS && now() - begun < MOST_MS; made += 1) {
    try {
      const waiting = call();
      if (waiting !== undefined) await waiting;
    } catch {
      // How it ends is for others to compare.
    }
  }
}
