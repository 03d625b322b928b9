// Stands before the mock provider on loopback: adds what the mock leaves out, and knows every request that came.
import { createServer, request as ask } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createInterface } from "node:readline";

export interface Front {
  url: string;
  port: number;
  paths: string[];
  /** On every answer that is an error. */
  errorHeaders: Record<string, string>;
  close(): Promise<void>;
}

export async function openFront(target: string, rewrite?: (line: string) => string): Promise<Front> {
  const front: Omit<Front, "url" | "port" | "close"> = { paths: [], errorHeaders: {} };
  const server = createServer((incoming, outgoing) => {
    front.paths.push(`${incoming.method} ${incoming.url}`);
    forward(target, incoming, outgoing, front.errorHeaders, rewrite);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return Object.assign(front, {
    port,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

function forward(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  errorHeaders: Readonly<Record<string, string>>,
  rewrite?: (line: string) => string,
): void {
  const { host: _, connection: __, ...headers } = incoming.headers;
  const onward = ask(`${target}${incoming.url}`, { method: incoming.method ?? "GET", headers }, (answer) => {
    const status = answer.statusCode ?? 502;
    outgoing.writeHead(status, { ...answer.headers, ...(status >= 400 ? errorHeaders : {}) });
    answer.on("error", () => outgoing.destroy());
    answer.on("aborted", () => outgoing.destroy());
    if (rewrite === undefined) answer.pipe(outgoing);
    else {
      const lines = createInterface({ input: answer, crlfDelay: Infinity });
      lines.on("line", (line) => outgoing.write(`${rewrite(line)}\n`));
      lines.on("close", () => outgoing.end());
      lines.on("error", () => outgoing.destroy());
    }
  });
  onward.on("error", () => outgoing.destroy());
  outgoing.on("close", () => onward.destroy());
  incoming.pipe(onward);
}
