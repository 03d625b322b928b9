// How a stub is told from any other error, whatever runner or language reports it.

/** Every stub throws an error whose message begins with this and goes on with the name of the function. */
export const STUB_MARK = "cupel:stub";

export function stubMessage(name: string): string {
  return `${STUB_MARK} ${name}`;
}
