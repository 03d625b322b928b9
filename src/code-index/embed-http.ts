// One JSON request with a key: time-outs, patience with a busy server, a bound on the answer, and no key in any error.
import { setTimeout as sleep } from "node:timers/promises";
import { CupelError } from "../domain/error.ts";

export interface Patience {
  /** For one try. */
  timeoutMs: number;
  tries: number;
  /** Before the second try; doubles with each. */
  firstMs: number;
  /** Also what a server's own wish is held to. */
  mostMs: number;
}

const PATIENCE: Patience = { timeoutMs: 60_000, tries: 5, firstMs: 500, mostMs: 60_000 };

export interface JsonRequest {
  url: URL;
  key: string | undefined;
  body: unknown;
  mostBytes: number;
  signal?: AbortSignal;
  patience: Partial<Patience>;
}

type Attempt =
  | { kind: "ok"; answer: unknown }
  | { kind: "failed"; why: string; again: boolean; afterMs?: number };

export async function postJson(request: JsonRequest): Promise<unknown> {
  const { signal } = request;
  const patience = { ...PATIENCE, ...request.patience };
  assertSendable(request);
  for (let tried = 1; ; tried++) {
    signal?.throwIfAborted();
    const attempt = await post(request, patience.timeoutMs);
    signal?.throwIfAborted();
    if (attempt.kind === "ok") return attempt.answer;
    if (!attempt.again || tried >= patience.tries) throw failed(request, attempt.why, tried);
    const wished = attempt.afterMs ?? patience.firstMs * 2 ** (tried - 1);
    await sleep(Math.min(wished, patience.mostMs), undefined, signal === undefined ? {} : { signal });
  }
}

/** The client would tell about either by printing it. */
function assertSendable({ url, key }: JsonRequest): void {
  const unfit = key !== undefined && !/^[\x21-\x7e]+$/.test(key);
  if (!unfit && url.username === "" && url.password === "") return;
  throw new CupelError(
    "invalid_config",
    unfit
      ? "the key of the embeddings server holds characters that no key has"
      : `the address of the embeddings server ${url.host} holds a password`,
    { expected: "a plain address and a key in its own variable", hint: "export both again, without quotes" },
  );
}

async function post({ url, key, body, mostBytes, signal }: JsonRequest, timeoutMs: number): Promise<Attempt> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
      // Elsewhere the key has no business.
      redirect: "error",
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    });
    const text = await readBounded(response, mostBytes);
    if (response.ok) return parsed(text, mostBytes);
    const { status, headers } = response;
    const afterMs = waitOf(headers.get("retry-after"));
    return {
      kind: "failed",
      why: `status ${status}: ${(text ?? "an endless answer").slice(0, 300)}`,
      again: status === 429 || status === 408 || status >= 500,
      ...(afterMs === undefined ? {} : { afterMs }),
    };
  } catch (cause) {
    const why = timeout.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(cause);
    return { kind: "failed", why, again: true };
  }
}

function parsed(text: string | undefined, mostBytes: number): Attempt {
  if (text === undefined) {
    return { kind: "failed", why: `its answer is longer than ${mostBytes} bytes`, again: false };
  }
  try {
    return { kind: "ok", answer: JSON.parse(text) };
  } catch {
    return { kind: "failed", why: "its answer is not JSON", again: false };
  }
}

/** Undefined when it is longer than that; the rest is not waited for. */
async function readBounded({ body }: Response, mostBytes: number): Promise<string | undefined> {
  if (body === null) return "";
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Seconds, or the time of day when to come back. */
function waitOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** The client says no more than "fetch failed"; why is in what caused it. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { cause: inner } = cause;
  return inner instanceof Error ? inner.message : cause.message;
}

/** Without the cause: it may hold the headers. */
function failed({ url, key }: JsonRequest, why: string, tries: number): CupelError {
  const told = key === undefined ? why : why.replaceAll(key, "[key]");
  const times = tries === 1 ? "" : ` (${tries} tries)`;
  return new CupelError(
    "embedding_failed",
    `${url.origin}${url.pathname} gave no embeddings${times}: ${told}`,
    {
      expected: "an answer of OpenAI's /embeddings",
      hint: "run the same command again when the server answers, or set codeIndex.embeddings to local",
    },
  );
}
