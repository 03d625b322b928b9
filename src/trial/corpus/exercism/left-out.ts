// An exercise that cannot be a task of a trial is left out, and whoever reads the corpus hears why.
import { CupelError } from "../../../domain/error.ts";

export interface LeftOut {
  exercise: string;
  why: string;
}

/** Caught where the exercise is read. */
export function leaveOut(why: string): never {
  throw new CupelError("invalid_input", why);
}

/** What came of it, or why it is left out; everything else is a bug or the machine's fault. */
export async function unlessLeftOut<T>(exercise: string, make: () => Promise<T>): Promise<T | LeftOut> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof CupelError && error.code === "invalid_input")
      return { exercise, why: error.message };
    throw error;
  }
}

export function isLeftOut(made: object): made is LeftOut {
  return "why" in made;
}
