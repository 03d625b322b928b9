// Chat models by `provider:model`. A provider's package is loaded when a model of it is first asked for, never before.
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { CupelError } from "../../domain/error.ts";
import { tameGemini } from "./model-gemini.ts";
import { explained } from "./registry.ts";

export interface ProviderOptions {
  /** Asked for at every call and not kept; undefined where there is none. */
  key: (provider: ProviderName) => string | undefined;
  /** Where a provider is reached, if not where its package would look; needed for openai-compatible. */
  baseUrl?: (provider: ProviderName) => string | undefined;
  load?: (packageName: string) => Promise<unknown>;
}

export type ProviderName = "anthropic" | "openai" | "openai-compatible" | "google-genai" | "ollama";

/** A model that writes at most so many tokens in one turn; made anew for each, because what is left gets less. */
export type MakeModel = (maxOutputTokens: number) => BaseChatModel;

interface Provider {
  package: string;
  className: string;
  /** Where people keep its key; undefined where none is needed. */
  keyVariable: string | undefined;
  settings(given: Given): Record<string, unknown>;
  /** Closes what a package leaves open. */
  tame?: (model: object) => void;
}

interface Given {
  key: string | undefined;
  baseUrl: string | undefined;
  maxOutputTokens: number;
  signal: AbortSignal;
}

const PROVIDERS: Readonly<Record<ProviderName, Provider>> = {
  anthropic: {
    package: "@langchain/anthropic",
    className: "ChatAnthropic",
    keyVariable: "ANTHROPIC_API_KEY",
    settings: ({ key, baseUrl, maxOutputTokens }) => ({
      apiKey: key,
      maxTokens: maxOutputTokens,
      clientOptions: { maxRetries: 0 },
      ...(baseUrl === undefined ? {} : { anthropicApiUrl: baseUrl }),
    }),
  },
  openai: openai({ keyVariable: "OPENAI_API_KEY", settings: {} }),
  /** Any server that speaks the older of OpenAI's interfaces, which is what such servers speak. */
  "openai-compatible": openai({ keyVariable: undefined, settings: { useResponsesApi: false } }),
  "google-genai": {
    package: "@langchain/google-genai",
    className: "ChatGoogleGenerativeAI",
    keyVariable: "GEMINI_API_KEY",
    settings: ({ key, baseUrl, maxOutputTokens }) => ({
      apiKey: key,
      maxOutputTokens,
      ...(baseUrl === undefined ? {} : { baseUrl }),
    }),
    tame: tameGemini,
  },
  ollama: {
    package: "@langchain/ollama",
    className: "ChatOllama",
    keyVariable: undefined,
    settings: ({ baseUrl, maxOutputTokens, signal }) => ({
      numPredict: maxOutputTokens,
      // Its client ends no request before the first word has come, and keeps nothing of an error but its text.
      fetch: async (input: string | URL | Request, init: RequestInit = {}) => {
        const own = init.signal ?? undefined;
        const response = await fetch(input, {
          ...init,
          signal: AbortSignal.any(own ? [signal, own] : [signal]),
        });
        if (response.ok) return response;
        const { status, headers } = response;
        throw Object.assign(new Error((await response.text()).slice(0, 2000)), { status, headers });
      },
      ...(baseUrl === undefined ? {} : { baseUrl }),
    }),
  },
};

function openai(kind: { keyVariable: string | undefined; settings: Record<string, unknown> }): Provider {
  return {
    package: "@langchain/openai",
    className: "ChatOpenAI",
    keyVariable: kind.keyVariable,
    settings: ({ key, baseUrl, maxOutputTokens }) => ({
      // The package wants one also where the server wants none.
      apiKey: key ?? "none",
      maxTokens: maxOutputTokens,
      streamUsage: true,
      configuration: { maxRetries: 0, ...(baseUrl === undefined ? {} : { baseURL: baseUrl }) },
      ...kind.settings,
    }),
  };
}

export function providerOf(model: string): string {
  return model.slice(0, Math.max(0, model.indexOf(":")));
}

/** Whether the tokens written are told anew with each piece, all that came before included. */
export function countsOn(model: string): boolean {
  return providerOf(model) === "anthropic";
}

/** Where the key of a provider is kept, for errors about keys. */
export function keyVariableOf(provider: string): string | undefined {
  return isProvider(provider) ? PROVIDERS[provider].keyVariable : undefined;
}

/** Throws what a person can do something about: an unknown provider, no key, a package that is not installed. */
export async function modelMaker(
  model: string,
  options: ProviderOptions,
  signal: AbortSignal,
): Promise<MakeModel> {
  const name = providerOf(model);
  if (!isProvider(name)) {
    throw new CupelError("not_found", `there is no provider ${JSON.stringify(name)} for the model ${model}`, {
      expected: `provider:model with one of ${Object.keys(PROVIDERS).join(", ")}`,
      hint: "write it as anthropic:… or openai:… under models in cupel.config.json",
    });
  }
  const provider = PROVIDERS[name];
  const key = options.key(name);
  const baseUrl = options.baseUrl?.(name);
  refuseIncomplete(name, provider, key, baseUrl);
  const load = options.load ?? ((packageName: string): Promise<unknown> => import(packageName));
  const loaded = await load(provider.package).catch((cause: unknown) => {
    throw explained("model", cause);
  });
  const make = (maxOutputTokens: number): BaseChatModel =>
    construct(loaded, provider, {
      model: model.slice(name.length + 1),
      // Whoever called waits and asks again; two who do so would wait for each other's sake.
      maxRetries: 0,
      ...provider.settings({ key, baseUrl, maxOutputTokens, signal }),
    });
  return (wanted) => {
    const made = make(wanted);
    const most = made.profile.maxOutputTokens;
    return most === undefined || most >= wanted ? made : make(most);
  };
}

function isProvider(name: string): name is ProviderName {
  return Object.hasOwn(PROVIDERS, name);
}

function refuseIncomplete(
  name: ProviderName,
  { keyVariable }: Provider,
  key: string | undefined,
  baseUrl: string | undefined,
): void {
  if (keyVariable !== undefined && (key ?? "").trim() === "") {
    throw new CupelError("not_found", `there is no key for ${name}`, { hint: `export ${keyVariable}=…` });
  }
  if (name === "openai-compatible" && baseUrl === undefined) {
    throw new CupelError("not_found", "openai-compatible needs the address of the server", {
      hint: "export OPENAI_COMPATIBLE_BASE_URL=http://127.0.0.1:8080/v1",
    });
  }
}

function construct(
  loaded: unknown,
  { package: packageName, className, tame }: Provider,
  settings: object,
): BaseChatModel {
  const Model: unknown =
    typeof loaded === "object" && loaded !== null ? Reflect.get(loaded, className) : undefined;
  const made: unknown = typeof Model === "function" ? Reflect.construct(Model, [settings]) : undefined;
  if (isChatModel(made)) {
    tame?.(made);
    return made;
  }
  throw new CupelError("not_found", `${packageName} holds no chat model ${className}`, {
    hint: "install the version that Cupel was tested with",
  });
}

/** By what it can do: its class can come from another copy of LangChain's core. */
function isChatModel(value: unknown): value is BaseChatModel {
  return (
    typeof value === "object" &&
    value !== null &&
    "bindTools" in value &&
    typeof value.bindTools === "function" &&
    "invoke" in value &&
    typeof value.invoke === "function"
  );
}
