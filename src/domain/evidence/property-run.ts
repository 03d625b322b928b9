// How much a property test has to try before it has shown anything, and before it counts as a property of the module.

/** What was counted while a property ran. */
export interface Tried {
  runs: number;
  discarded: number;
  distinctInputs: number;
  /** Runs in which an entry point of the module was called, and whether those calls were not all the same. */
  reaching: number;
  varied: boolean;
}

const FEWEST_RUNS = 50;
const FEWEST_DISTINCT = 2;
/** For each input that was really tried. */
const MOST_IDLE = 4;

/** Why it has shown almost nothing, whatever it is about; undefined when it tried enough. */
export function tooFewTries({ runs, discarded, distinctInputs }: Tried): string | undefined {
  if (runs < FEWEST_RUNS) return `tried only ${runs} inputs, fewer than ${FEWEST_RUNS}`;
  if (distinctInputs < FEWEST_DISTINCT) return `tried only ${distinctInputs} different inputs`;
  if (discarded > runs * MOST_IDLE) return `discarded ${discarded} inputs and tried ${runs}`;
  return undefined;
}

/** Why it is no property of the module; undefined when it is one. */
export function notOfTheModule(tried: Tried): string | undefined {
  const { runs, reaching, varied } = tried;
  const lazy = tooFewTries(tried);
  if (lazy !== undefined) return lazy;
  if (reaching === 0) return "never calls the module within its property";
  if (runs - reaching > reaching * MOST_IDLE)
    return `calls the module for only ${reaching} of ${runs} inputs`;
  return varied ? undefined : "calls the module with the same arguments for every input";
}
