// Web search by Tavily's HTTP interface. The key is asked for at each call, goes into one header and nowhere else.
import { z } from "zod";
import { parse } from "../../domain/parse.ts";
import type { SearchResult, WebSearch } from "./web-search.ts";

export interface TavilyOptions {
  key: () => string | undefined;
  baseUrl?: string;
  timeoutMs?: number;
}

const BASE_URL = "https://api.tavily.com";
const TIMEOUT_MS = 20_000;
/** Far more than twenty passages need. */
const MAX_BYTES = 2 * 1024 * 1024;

const Answer = z.object({
  results: z.array(z.object({ url: z.string(), title: z.string(), content: z.string() })),
});

export function tavilySearch(options: TavilyOptions): WebSearch {
  return { about: "the web", search: (query, most, signal) => search(options, query, most, signal) };
}

async function search(
  { key, baseUrl = BASE_URL, timeoutMs = TIMEOUT_MS }: TavilyOptions,
  query: string,
  maxResults: number,
  signal: AbortSignal,
): Promise<SearchResult> {
  const secret = key();
  if (secret === undefined || secret.trim() === "")
    return unavailable("there is no key for it (TAVILY_API_KEY is not set)");
  try {
    const response = await fetch(new URL("search", baseUrl.endsWith("/") ? baseUrl : `${baseUrl}/`), {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ query, max_results: maxResults, search_depth: "basic" }),
      // A redirect would carry the key to whoever it names.
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return unavailable(refusalOf(response.status));
    }
    const text = await limited(response, MAX_BYTES);
    return text === undefined ? unavailable("its answer is too large") : hitsOf(text);
  } catch (error) {
    // Messages of the network can hold what was sent; its name and code cannot.
    return unavailable(`the connection failed (${nameOf(error)})`);
  }
}

function unavailable(why: string): SearchResult {
  return { kind: "unavailable", why };
}

function refusalOf(status: number): string {
  if (status === 401 || status === 403) return `its key was refused (status ${status})`;
  if (status === 429) return "it is asked too often at the moment (status 429)";
  if (status === 432 || status === 433) return `its plan is used up (status ${status})`;
  return `it answered with status ${status}`;
}

async function limited(response: Response, most: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > most) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function hitsOf(text: string): SearchResult {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return unavailable("its answer is no JSON");
  }
  const parsed = parse(Answer, json);
  if (parsed.kind === "invalid") return unavailable("its answer has another form than expected");
  const hits = parsed.value.results.map(({ url, title, content }) => ({ url, title, snippet: content }));
  return { kind: "found", hits };
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.name;
}
