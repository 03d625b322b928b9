// Vectors as the index keeps them: of unit length, so that a product is a cosine, and as bytes in the database.
import { types } from "node:util";
import { CupelError } from "../domain/error.ts";
import { damaged } from "../store/local/row.ts";
import type { Place } from "../store/local/row.ts";
import type { Embedder } from "./port.ts";

/** What a model must give to serve the index at all. */
const FEWEST = 256;
const MOST = 1536;

/** So many texts go to the embedder at once. */
const BATCH = 128;

export function assertDimensions({ model, dimensions }: Embedder): void {
  if (Number.isInteger(dimensions) && dimensions >= FEWEST && dimensions <= MOST) return;
  throw new CupelError("invalid_config", `${model} gives vectors of ${dimensions} dimensions`, {
    expected: `${FEWEST} to ${MOST} dimensions`,
    hint: "choose another model under codeIndex.embeddings in cupel.config.json",
  });
}

export async function embedAll(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let from = 0; from < texts.length; from += BATCH) {
    signal?.throwIfAborted();
    const batch = texts.slice(from, from + BATCH);
    const made = await embedder.embed(batch, signal);
    if (made.length !== batch.length) {
      throw unfit(embedder, `gave ${made.length} vectors for ${batch.length} texts`);
    }
    vectors.push(...made.map((vector) => unit(embedder, vector)));
  }
  return vectors;
}

function unit(embedder: Embedder, vector: Float32Array): Float32Array {
  if (vector.length !== embedder.dimensions) {
    throw unfit(embedder, `gave a vector of ${vector.length} dimensions, not ${embedder.dimensions}`);
  }
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!Number.isFinite(length) || length === 0) throw unfit(embedder, "gave a vector without a direction");
  return vector.map((value) => value / length);
}

function unfit({ model }: Embedder, what: string): CupelError {
  return new CupelError("embedding_failed", `the embedding model ${model} ${what}`, {
    expected: "one finite vector a text, of the dimensions that are set",
    hint: "look at codeIndex in cupel.config.json, then run the same command again",
  });
}

export function toBlob(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The driver gives a buffer of its own or a part of one; floats cannot begin just anywhere in it. */
export function fromBlob(blob: unknown, dimensions: number, place: Place): Float32Array {
  const buffer = types.isUint8Array(blob) ? Uint8Array.from(blob).buffer : blob;
  if (types.isArrayBuffer(buffer) && buffer.byteLength === dimensions * 4) return new Float32Array(buffer);
  throw damaged(place, `  its vector is missing or has not ${dimensions} dimensions`);
}
