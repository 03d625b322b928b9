// Who sits at this terminal, as far as the system knows.
import { userInfo } from "node:os";

export function nameOfPerson(): string {
  try {
    return userInfo().username;
  } catch {
    return process.env["USER"] ?? "somebody";
  }
}
