// As much of the Agent Client Protocol's package as the runtime uses, for tests where the real one is not installed.
import { createInterface } from "node:readline";
import { Readable, Writable } from "node:stream";
import type { ReadableStream, WritableStream } from "node:stream/web";
import { z } from "zod";
import type { AcpClient, AcpConnection, AcpSdk } from "../src/agents/runtimes/acp-sdk.ts";

interface Pipes {
  output: WritableStream<Uint8Array>;
  input: ReadableStream<Uint8Array>;
}

const Answer = z.looseObject({ id: z.int(), result: z.unknown() });

/** Asks and is answered; an agent that asks or tells is not heard. */
export const smallAcpSdk: AcpSdk<Pipes> = {
  ndJsonStream: (output, input) => ({ output, input }),
  client: () => {
    const client: AcpClient<Pipes> = {
      onRequest: () => client,
      onNotification: () => client,
      connect,
    };
    return client;
  },
};

function connect({ output, input }: Pipes): AcpConnection {
  const waiting = new Map<number, (result: unknown) => void>();
  const to = Writable.fromWeb(output).on("error", () => undefined);
  const from = Readable.fromWeb(input).on("error", () => undefined);
  createInterface({ input: from }).on("line", (line) => {
    const answer = Answer.parse(JSON.parse(line));
    waiting.get(answer.id)?.(answer.result);
  });
  return {
    agent: {
      request: (method, params) =>
        new Promise((resolve) => {
          const id = waiting.size + 1;
          waiting.set(id, resolve);
          to.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
        }),
    },
    close: () => void to.destroy(),
  };
}
