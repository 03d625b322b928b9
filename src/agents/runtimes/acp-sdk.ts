// The part of @agentclientprotocol/sdk that the runtime uses; a wire test holds it against the real package.
import type { ReadableStream, WritableStream } from "node:stream/web";

export interface AcpSdk<Stream = unknown> {
  client(options: { name: string }): AcpClient<Stream>;
  ndJsonStream(
    output: WritableStream<Uint8Array>,
    input: ReadableStream<Uint8Array>,
    options: { maxMessageBytes: number },
  ): Stream;
}

/** What the agent asks and tells is read as if nothing were known about it. */
export interface AcpClient<Stream = unknown> {
  onRequest(method: "*", handler: (asked: AcpMessage) => unknown): AcpClient<Stream>;
  onNotification(method: "*", handler: (told: AcpMessage) => void): AcpClient<Stream>;
  connect(stream: Stream): AcpConnection;
}

export interface AcpMessage {
  method: string;
  params: unknown;
}

export interface AcpConnection {
  agent: { request(method: string, params: unknown): Promise<unknown> };
  close(error?: unknown): void;
}
