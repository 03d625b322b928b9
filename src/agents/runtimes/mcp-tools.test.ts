import { expect, test } from "vitest";
import { z } from "zod";
import type { AgentTool, TranscriptEntry } from "../port.ts";
import { mcpServer, offered } from "./mcp-tools.ts";
import { keepVigil } from "./vigil.ts";

const tool: AgentTool = {
  name: "read",
  description: "Reads.",
  input: z.looseObject({}),
  run: async () => "y".repeat(100_000),
};

test("an agent that uses tools without end, or with endless input, fills no memory", async () => {
  const transcript: TranscriptEntry[] = [];
  const { signal } = new AbortController();
  const vigil = keepVigil(1000, signal);
  const answer = mcpServer(offered([tool], transcript, signal, vigil));
  let deep: unknown = 1;
  for (let depth = 0; depth < 20_000; depth++) deep = [deep];
  for (const input of [
    { a: 1 },
    { deep },
    { long: "x".repeat(5_000_000) },
    ...Array.from({ length: 60 }, () => ({})),
  ]) {
    const params = { name: "read", arguments: input };
    expect(await answer({ jsonrpc: "2.0", id: 1, method: "tools/call", params })).toMatchObject({
      result: { isError: false },
    });
  }
  vigil.close();
  expect(transcript[0]).toEqual({ kind: "tool-call", tool: "read", input: { a: 1 } });
  expect(transcript).toHaveLength(126);
  expect(JSON.stringify(transcript).length).toBeLessThan(4_100_000);
});
