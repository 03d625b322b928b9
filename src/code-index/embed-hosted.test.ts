// Hosted embeddings against a real server on this machine that behaves as badly as servers do.
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { hostedEmbedder } from "./embed-hosted.ts";
import type { Embedder } from "./port.ts";

const KEY = "test-key-0123456789";
const DIMENSIONS = 256;

interface Asked {
  path: string;
  authorization: string | undefined;
  body: { model: string; input: string[]; dimensions?: number };
}

type Behave = (request: IncomingMessage, response: ServerResponse, asked: Asked, times: number) => void;

test("one vector a text, in the order of the texts, whatever the order of the answer", async () => {
  const { embedder, asked } = await served((_request, response, { body }) => {
    const data = body.input.map((text, index) => ({ index, embedding: vector(text.length) }));
    answer(response, { data: data.toReversed() });
  });
  const vectors = await embedder.embed(["a", "bbb"]);
  expect(vectors.map(([first]) => first)).toEqual([1, 3]);
  expect(asked).toEqual([
    {
      path: "/v1/embeddings",
      authorization: `Bearer ${KEY}`,
      body: { model: "m:small", input: ["a", "bbb"], encoding_format: "float" },
    },
  ]);
});

test("a busy server is waited for as long as it says", async () => {
  const times: number[] = [];
  const { embedder } = await served((_request, response, { body }, time) => {
    times.push(performance.now());
    if (time === 1) response.writeHead(429, { "retry-after": "0.2" }).end("slow down");
    else if (time === 2) response.writeHead(503).end();
    else good(response, body);
  });
  expect(await embedder.embed(["a"])).toHaveLength(1);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(190);
  expect(times).toHaveLength(3);
});

test("it gives up, and never tells the key", async () => {
  const { embedder, asked } = await served((_request, response) => {
    response.writeHead(429).end(`you, ${KEY}, ask too much`);
  });
  await expect(embedder.embed(["a"])).rejects.toMatchObject({
    code: "embedding_failed",
    message: expect.stringMatching(/\(3 tries\): status 429: you, \[key\], ask too much$/),
  });
  expect(asked).toHaveLength(3);
});

test.each<[string, Behave, RegExp, number]>([
  ["a refusal", (_, response) => response.writeHead(401).end(`bad ${KEY}`), /status 401: bad \[key\]$/, 1],
  ["no JSON", (_, response) => response.end("<html>"), /not JSON/, 1],
  ["too few vectors", (_, response) => answer(response, { data: [] }), /one vector for each of 1 texts/, 1],
  ["an answer without end", endless, /longer than \d+ bytes/, 1],
  ["silence", () => undefined, /no answer within 300 ms/, 3],
  ["a redirection", (_, response) => response.writeHead(302, { location: "/other" }).end(), /./, 3],
  ["a broken line", (request) => request.socket.destroy(), /./, 3],
])("%s is an error that says so", async (_name, behave, message, tries) => {
  const { embedder, asked } = await served(behave);
  const error: unknown = await embedder.embed(["a"]).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ code: "embedding_failed", message: expect.stringMatching(message) });
  expect(JSON.stringify([error, String(error), Object(error).cause])).not.toContain(KEY);
  expect(asked).toHaveLength(tries);
});

test("long texts are cut at a whole character", async () => {
  const { embedder, asked } = await served((_request, response, { body }) => good(response, body));
  await embedder.embed(["€".repeat(5000)]);
  expect(asked[0]?.body.input).toEqual(["€".repeat(2666)]);
});

test("a wait can be ended", async () => {
  const { embedder } = await served((_request, response) => {
    response.writeHead(429, { "retry-after": "60" }).end();
  });
  const begin = performance.now();
  await expect(embedder.embed(["a"], AbortSignal.timeout(100))).rejects.toThrow(/abort/i);
  expect(performance.now() - begin).toBeLessThan(2000);
});

test("what is missing or odd is said before anything is sent", async () => {
  await expect(of("openai:x", {}).embed(["a"])).rejects.toMatchObject({
    hint: expect.stringMatching(/^export OPENAI_API_KEY=…/),
  });
  await expect(of("openai-compatible:x", {}).embed(["a"])).rejects.toMatchObject({
    hint: expect.stringMatching(/OPENAI_COMPATIBLE_BASE_URL/),
  });
  expect(() => of("nobody:x", {})).toThrow(/no provider of embeddings "nobody"/);
  const base = "http://127.0.0.1:9/v1";
  const odd = of("openai:x", { OPENAI_BASE_URL: base, OPENAI_API_KEY: "se\ncret-0123" });
  await expect(odd.embed(["a"])).rejects.toMatchObject({ message: expect.not.stringMatching(/cret-0123/) });
  const inside = of("openai:x", { OPENAI_BASE_URL: "http://me:hidden@127.0.0.1:9", OPENAI_API_KEY: "k" });
  await expect(inside.embed(["a"])).rejects.toMatchObject({ message: expect.not.stringMatching(/hidden/) });
});

function of(model: string, env: Record<string, string>): Embedder {
  return hostedEmbedder({ model, dimensions: DIMENSIONS, env });
}

async function served(behave: Behave): Promise<{ embedder: Embedder; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url: path = "", headers } = request;
      const body: Asked["body"] = JSON.parse(Buffer.concat(chunks).toString());
      const one = { path, authorization: headers.authorization, body };
      asked.push(one);
      behave(request, response, one, asked.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const env = {
    OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${portOf(server.address())}/v1/`,
    OPENAI_COMPATIBLE_API_KEY: KEY,
  };
  const patience = { timeoutMs: 300, tries: 3, firstMs: 1, mostMs: 60_000 };
  return {
    embedder: hostedEmbedder({ model: "openai-compatible:m:small", dimensions: DIMENSIONS, env, patience }),
    asked,
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

function good(response: ServerResponse, { input }: Asked["body"]): void {
  answer(response, { data: input.map((_, index) => ({ index, embedding: vector(1) })) });
}

function answer(response: ServerResponse, body: unknown): void {
  response.setHeader("content-type", "application/json").end(JSON.stringify(body));
}

function endless(_request: IncomingMessage, response: ServerResponse): void {
  const write = (): void => {
    while (!response.destroyed && response.write("0".repeat(65_536)));
    if (!response.destroyed) response.once("drain", write);
  };
  response.on("error", () => undefined);
  write();
}

function vector(first: number): number[] {
  return [first, ...Array.from({ length: DIMENSIONS - 1 }, () => 0)];
}
