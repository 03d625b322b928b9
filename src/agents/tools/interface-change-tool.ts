// Asking for another contract of a module one depends on; who raises it and where it is kept is the harness's business.
import type { z } from "zod";
import { InterfaceChangeException } from "../../domain/people/interface-change.ts";
import type { AgentTool } from "../port.ts";
import { defineTool } from "./define-tool.ts";

const Request = InterfaceChangeException.omit({ exception_id: true, raised_by: true });
export type InterfaceChangeRequest = z.infer<typeof Request>;

/** A refusal says what the agent should do instead; it is no error. */
export type RaiseInterfaceChange = (
  request: InterfaceChangeRequest,
  signal: AbortSignal,
) => Promise<{ kind: "raised"; exceptionId: string } | { kind: "refused"; why: string }>;

export function interfaceChangeTool(raise: RaiseInterfaceChange): AgentTool {
  return defineTool({
    name: "raise_interface_change_exception",
    description:
      "Asks a person to change the contract of a shipped module that you depend on. Only when that contract cannot " +
      "support, leaves open or lacks what your own contract needs, and no other module and no other use of it helps: it " +
      "stops the task until a person decides. Say concretely what fails (evidence) and the smallest change that would do.",
    input: Request,
    narrow: "",
    async run(request, signal) {
      const result = await raise(request, signal);
      if (result.kind === "refused") return `Not raised: ${result.why}`;
      return (
        `Raised as ${result.exceptionId}. The task halts until a person has decided. Do nothing more: answer now with a ` +
        `blocker that names ${result.exceptionId}.`
      );
    },
  });
}
