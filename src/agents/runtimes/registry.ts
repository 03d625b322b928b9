// Runtimes by name, loaded when first asked for; a package that is not installed is named with the command that installs it.
import { resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { hasCode } from "../../domain/environment-error.ts";
import { CupelError } from "../../domain/error.ts";
import type { Runtime, RuntimeName } from "../port.ts";

/** Packages that Cupel does not bring, and the versions it was tested with. */
const OPTIONAL: Readonly<Record<string, string>> = {
  "@anthropic-ai/claude-agent-sdk": "0.3.325",
  "@openai/codex-sdk": "0.163.0",
  "@agentclientprotocol/sdk": "2.4.0",
  "@langchain/anthropic": "1.5.11",
  "@langchain/openai": "1.5.8",
  "@langchain/google-genai": "2.3.2",
  "@langchain/ollama": "1.3.0",
};

export type RuntimeLoaders = Readonly<Partial<Record<RuntimeName, () => Promise<Runtime>>>>;

export interface RuntimeRegistry {
  /** The same one every time. */
  get(name: RuntimeName): Promise<Runtime>;
  /** Closes those that were loaded. */
  close(): Promise<void>;
}

export function runtimeRegistry(loaders: RuntimeLoaders): RuntimeRegistry {
  const loaded = new Map<RuntimeName, Promise<Runtime>>();
  return {
    async get(name) {
      const load = loaders[name];
      if (load === undefined) {
        throw new CupelError("not_found", `there is no runtime ${name} here`, {
          expected: `one of ${Object.keys(loaders).join(", ")}`,
          hint: "name another one under runtime or roles in cupel.config.json",
        });
      }
      const runtime =
        loaded.get(name) ??
        load().catch((cause: unknown) => {
          // Whoever installs it does not have to start again.
          loaded.delete(name);
          throw explained(name, cause);
        });
      loaded.set(name, runtime);
      return runtime;
    },
    async close() {
      const runtimes = await Promise.allSettled(loaded.values());
      loaded.clear();
      for (const result of runtimes) if (result.status === "fulfilled") await result.value.close();
    },
  };
}

/** Also for runtimes that load a provider's package only when a model of that provider is asked. */
export function explained(name: RuntimeName, cause: unknown): unknown {
  if (!(cause instanceof Error) || !hasCode(cause, "ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND")) return cause;
  const missing = /Cannot find (?:package|module) '([^']+)'/.exec(cause.message)?.[1] ?? "";
  const known = Object.keys(OPTIONAL).find(
    (option) => missing === option || missing.startsWith(`${option}/`),
  );
  if (known === undefined) return cause;
  return new CupelError(
    "not_found",
    `the runtime ${name} needs the package ${known}, which is not installed`,
    {
      hint: `npm install ${known}@${OPTIONAL[known]}${wherePackagesLie()}`,
      cause,
    },
  );
}

/** Node looks for a package from where Cupel lies, not from where somebody works. */
export function wherePackagesLie(
  cupel: string = fileURLToPath(new URL("../../../", import.meta.url)),
  here: string = process.cwd(),
): string {
  const among = cupel.lastIndexOf(`${sep}node_modules${sep}`);
  const place = resolve(among === -1 ? cupel : cupel.slice(0, among));
  if (place === resolve(here)) return "";
  return among === -1 ? ` --no-save --prefix ${place}` : ` --prefix ${place}`;
}
