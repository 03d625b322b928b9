// Where a cheat copies the canary of its workspace: known only when it is played, so cheats write a mark in its place.
import type { ScriptFile } from "../../domain/agent/script-line.ts";
import type { ModuleWork } from "./port.ts";

export const CANARY = "{{canary}}";
export const CANARY_IN_BASE64 = "{{canary in base64}}";
export const CANARY_BACKWARDS = "{{canary backwards}}";

/** `token` is what stands in the workspace of whoever plays it. */
export function withCanary(work: ModuleWork, token: string): ModuleWork {
  const told = (text: string) =>
    text
      .replaceAll(CANARY, token)
      .replaceAll(CANARY_IN_BASE64, Buffer.from(token).toString("base64"))
      .replaceAll(CANARY_BACKWARDS, token.split("").toReversed().join(""));
  const inFile = (file: ScriptFile) => (typeof file === "string" ? told(file) : file);
  return {
    ...work,
    files: Object.fromEntries(Object.entries(work.files).map(([path, file]) => [told(path), inFile(file)])),
    ...(work.said === undefined ? {} : { said: told(work.said) }),
    ...(work.claims === undefined ? {} : { claims: JSON.parse(told(JSON.stringify(work.claims))) }),
  };
}
