// Stands before a mock provider on loopback: knows every request that came, adds headers to errors, and changes or ends a
// stream by lines.
import { createServer, type IncomingMessage, request as ask, type ServerResponse } from "node:http";

/** What becomes of a line of an answer; undefined ends the answer there, politely. */
export type Rewrite = (line: string) => string | undefined;

export interface Front {
  url: string;
  port: number;
  requests: string[];
  /** What was sent with them. */
  bodies: string[];
  /** On every answer that is an error. */
  errorHeaders: Record<string, string>;
  close(): Promise<void>;
}

/** `rewriteOf` is asked for every request; an answer that nobody rewrites passes as it comes. */
export async function openFront(
  target: string,
  rewriteOf: () => Rewrite | undefined = () => undefined,
): Promise<Front> {
  const requests: string[] = [];
  const bodies: string[] = [];
  const errorHeaders: Record<string, string> = {};
  const server = createServer((incoming, outgoing) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    let body = "";
    incoming.on("data", (chunk) => (body += String(chunk)));
    incoming.on("end", () => bodies.push(body));
    forward(target, incoming, outgoing, errorHeaders, rewriteOf());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    bodies,
    errorHeaders,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function forward(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  errorHeaders: Readonly<Record<string, string>>,
  rewrite: Rewrite | undefined,
): void {
  const { host: _, connection: __, ...headers } = incoming.headers;
  const onward = ask(`${target}${incoming.url}`, { method: incoming.method ?? "GET", headers }, (answer) => {
    const status = answer.statusCode ?? 502;
    const added = status >= 400 ? errorHeaders : {};
    answer.on("error", () => outgoing.destroy());
    if (rewrite === undefined) {
      outgoing.writeHead(status, { ...answer.headers, ...added });
      answer.pipe(outgoing);
      return;
    }
    const { "content-length": ___, ...kept } = answer.headers;
    outgoing.writeHead(status, { ...kept, ...added });
    let rest = "";
    answer.setEncoding("utf8");
    answer.on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const changed = rewrite(line);
        if (changed === undefined) outgoing.end();
        else if (!outgoing.writableEnded) outgoing.write(`${changed}\n`);
      }
    });
    answer.on("end", () => {
      if (!outgoing.writableEnded) outgoing.end(rest === "" ? "" : (rewrite(rest) ?? ""));
    });
  });
  onward.on("error", () => outgoing.destroy());
  outgoing.on("close", () => onward.destroy());
  incoming.pipe(onward);
}
