// Embeddings from a server that speaks OpenAI's /embeddings: which server, which key, and one vector a text.
import { z } from "zod";
import { CupelError } from "../domain/error.ts";
import { parse } from "../domain/parse.ts";
import { postJson } from "./embed-http.ts";
import type { Patience } from "./embed-http.ts";
import type { Embedder } from "./port.ts";

type Environment = Readonly<Record<string, string | undefined>>;

interface Provider {
  baseVariable: string;
  base: string | undefined;
  keyVariable: string | undefined;
  keyNeeded: boolean;
}

const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: {
    baseVariable: "OPENAI_BASE_URL",
    base: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
    keyNeeded: true,
  },
  "openai-compatible": {
    baseVariable: "OPENAI_COMPATIBLE_BASE_URL",
    base: undefined,
    keyVariable: "OPENAI_COMPATIBLE_API_KEY",
    keyNeeded: false,
  },
  ollama: {
    baseVariable: "OLLAMA_BASE_URL",
    base: "http://127.0.0.1:11434/v1",
    keyVariable: undefined,
    keyNeeded: false,
  },
};

export interface HostedOptions {
  /** `provider:model`. */
  model: string;
  dimensions: number;
  env: Environment;
  patience?: Partial<Patience>;
}

const Answer = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()) })),
});

/** A token is at least one byte, and models with a bound read 8,192 tokens at most. */
const MOST_TEXT_BYTES = 8000;
/** Digits of a number in JSON, generously. */
const BYTES_PER_NUMBER = 32;

/** Nothing is asked of the server, and no key is needed, until the first text is embedded. */
export function hostedEmbedder({ model, dimensions, env, patience = {} }: HostedOptions): Embedder {
  const { provider, name } = providerOf(model);
  return {
    model,
    dimensions,
    embed: async (texts, signal) => {
      if (texts.length === 0) return [];
      const { url, key } = reached(model, provider, env);
      const answer = await postJson({
        url,
        key,
        body: {
          model: name,
          input: texts.map(cut),
          encoding_format: "float",
          // Only these can be asked for fewer dimensions than they have.
          ...(name.startsWith("text-embedding-3") ? { dimensions } : {}),
        },
        mostBytes: 100_000 + texts.length * dimensions * BYTES_PER_NUMBER,
        ...(signal === undefined ? {} : { signal }),
        patience,
      });
      return vectorsIn(answer, texts.length, model);
    },
  };
}

function providerOf(model: string): { provider: Provider; name: string } {
  const [prefix = "", ...rest] = model.split(":");
  const provider = Object.hasOwn(PROVIDERS, prefix) ? PROVIDERS[prefix] : undefined;
  if (provider !== undefined) return { provider, name: rest.join(":") };
  throw new CupelError("invalid_config", `there is no provider of embeddings ${JSON.stringify(prefix)}`, {
    expected: `local, or provider:model with one of ${Object.keys(PROVIDERS).join(", ")}`,
    hint: "change codeIndex.embeddings in cupel.config.json",
  });
}

function reached(model: string, provider: Provider, env: Environment): { url: URL; key: string | undefined } {
  const base = set(env[provider.baseVariable]) ?? provider.base;
  const key = provider.keyVariable === undefined ? undefined : set(env[provider.keyVariable]);
  if (base === undefined || !URL.canParse(base)) {
    throw new CupelError("invalid_config", `${model} needs the address of its server`, {
      hint: `export ${provider.baseVariable}=http://127.0.0.1:8080/v1`,
    });
  }
  if (key === undefined && provider.keyNeeded) {
    throw new CupelError("invalid_config", `${model} needs a key`, {
      hint: `export ${provider.keyVariable ?? ""}=…, or set codeIndex.embeddings to local`,
    });
  }
  return { url: new URL(`${base.replace(/\/+$/, "")}/embeddings`), key };
}

function set(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value.trim();
}

/** At a whole character. */
function cut(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= MOST_TEXT_BYTES
    ? bytes.toString()
    : bytes
        .subarray(0, MOST_TEXT_BYTES)
        .toString()
        .replace(/\uFFFD$/, "");
}

function vectorsIn(answer: unknown, count: number, model: string): Float32Array[] {
  const parsed = parse(Answer, answer);
  const data = parsed.kind === "ok" ? parsed.value.data : [];
  const vectors = new Map(data.map(({ index, embedding }) => [index, Float32Array.from(embedding)]));
  const ordered = Array.from({ length: count }, (_, index) => vectors.get(index));
  const whole = ordered.filter((vector) => vector !== undefined);
  if (whole.length === count && data.length === count) return whole;
  throw new CupelError(
    "embedding_failed",
    `${model} did not answer with one vector for each of ${count} texts`,
    {
      expected: "an answer of OpenAI's /embeddings",
      hint: "check that the address is that of an embeddings server",
    },
  );
}
