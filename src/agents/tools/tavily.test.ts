// A server on loopback stands for Tavily.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { tavilySearch } from "./tavily.ts";

const KEY = "tvly-very-secret-key";
const never = new AbortController().signal;

async function serving(
  handle: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => handle(request, response, body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

test("asks with the key in one header, and gives what was found with its sources", async () => {
  const asked: unknown[] = [];
  const baseUrl = await serving((request, response, body) => {
    asked.push([request.method, request.url, request.headers.authorization, JSON.parse(body)]);
    response.end(
      JSON.stringify({
        answer: null,
        results: [{ url: "https://a.example", title: "A", content: "text", score: 1 }],
      }),
    );
  });
  const found = await tavilySearch({ key: () => KEY, baseUrl }).search("slugs", 3, never);
  expect(found).toEqual({ kind: "found", hits: [{ url: "https://a.example", title: "A", snippet: "text" }] });
  expect(asked).toEqual([
    ["POST", "/search", `Bearer ${KEY}`, { query: "slugs", max_results: 3, search_depth: "basic" }],
  ]);
});

test.each<[string, (response: ServerResponse) => void, string]>([
  [
    "a refused key",
    (response) => response.writeHead(401).end(`bad key ${KEY}`),
    "its key was refused (status 401)",
  ],
  ["too many questions", (response) => response.writeHead(429).end(), "asked too often"],
  ["a plan that is used up", (response) => response.writeHead(432).end(), "its plan is used up"],
  ["an outage", (response) => response.writeHead(503).end(), "status 503"],
  ["an answer that is no JSON", (response) => response.end("<html>"), "no JSON"],
  ["an answer of another form", (response) => response.end('{"results":[{"url":1}]}'), "another form"],
  ["an answer without end", (response) => response.end("x".repeat(3_000_000)), "too large"],
  [
    "a redirect, which would carry the key away",
    (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
    "the connection failed",
  ],
  ["a connection that breaks", (response) => response.destroy(), "the connection failed"],
  ["silence", () => {}, "the connection failed (TimeoutError)"],
])("%s is told in words that hold no key", async (_, reply, why) => {
  const baseUrl = await serving((_request, response) => reply(response));
  const result = await tavilySearch({ key: () => KEY, baseUrl, timeoutMs: 500 }).search("slugs", 3, never);
  expect(result).toEqual({ kind: "unavailable", why: expect.stringContaining(why) });
  expect(JSON.stringify(result)).not.toContain(KEY);
});

test.each([undefined, "", "  "])("without a key (%j) nobody is asked", async (key) => {
  const baseUrl = await serving(() => expect.unreachable());
  expect(await tavilySearch({ key: () => key, baseUrl }).search("slugs", 3, never)).toEqual({
    kind: "unavailable",
    why: "there is no key for it (TAVILY_API_KEY is not set)",
  });
});

test("ends when it is told to", async () => {
  const baseUrl = await serving(() => {});
  const search = tavilySearch({ key: () => KEY, baseUrl }).search("slugs", 3, AbortSignal.timeout(100));
  expect(await search).toMatchObject({ kind: "unavailable" });
});
