// What the TypeScript toolchain is given once, for all modules it works on.
import type { Sandbox } from "../../workshop/sandbox/port.ts";

export interface ToolchainContext {
  sandbox: Sandbox;
  /** Installed packages that modules see as node_modules; without it the module's own or Cupel's are used. */
  packages?: string;
}
