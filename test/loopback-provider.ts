// Plays a provider on loopback: every request gets the same reply, or none at all.
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export const KEY = "dummy-key-of-the-test";
export const STAND_IN = fileURLToPath(new URL("stand-in-anthropic.mjs", import.meta.url));

export interface Heard {
  key: unknown;
  body: string;
}

export interface Reply {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

/** An answer of Anthropic's Messages to doctor's question. */
export const REACHED: Reply = {
  status: 200,
  body: {
    content: [{ type: "tool_use", id: "t-1", name: "reached", input: { reached: true } }],
    stop_reason: "tool_use",
    usage: { input_tokens: 400, output_tokens: 20 },
  },
};

export function refusal(status: number, type: string, message: string): Reply {
  return { status, body: { type: "error", error: { type, message } }, headers: { "retry-after": "7" } };
}

/** Undefined: it takes the request and never answers. */
export async function provider(
  reply: Reply | undefined,
): Promise<{ env: Record<string, string>; heard: Heard[]; close: () => void }> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      heard.push({ key: request.headers["x-api-key"], body });
      if (reply === undefined) return;
      response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
      response.end(JSON.stringify(reply.body));
    });
  });
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(close);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  return { env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url }, heard, close };
}
