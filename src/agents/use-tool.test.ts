import { getEventListeners } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { AgentTool } from "./port.ts";
import { useTool } from "./use-tool.ts";

const SIGNAL = new AbortController().signal;

function toolThat(run: AgentTool["run"]): AgentTool {
  return { name: "grep", description: "", input: z.strictObject({ pattern: z.string().min(1) }), run };
}

describe("what an agent hears of a tool", () => {
  test.each<[string, string, unknown, AgentTool["run"], object]>([
    ["its result", "grep", { pattern: "a" }, async () => "3 hits", { text: "3 hits", failed: false }],
    [
      "that there is no such tool",
      "rm",
      {},
      async () => "",
      { text: "There is no tool rm. You have: grep.", failed: true },
    ],
    [
      "why its input does not fit",
      "grep",
      { pattern: "" },
      async () => "",
      { text: expect.stringContaining("$.pattern: expected at least 1 character"), failed: true },
    ],
    [
      "why it failed",
      "grep",
      { pattern: "a" },
      () => Promise.reject(new Error("no such folder")),
      { text: "grep failed: no such folder", failed: true },
    ],
    [
      "that it threw something odd",
      "grep",
      { pattern: "a" },
      () => Promise.reject("x"),
      { text: "grep failed: x", failed: true },
    ],
    [
      "that it threw what has no words",
      "grep",
      { pattern: "a" },
      () => Promise.reject(Object.create(null)),
      { text: "grep failed: something that cannot be put into words", failed: true },
    ],
  ])("%s", async (_, name, input, run, result) => {
    expect(await useTool([toolThat(run)], name, input, SIGNAL)).toEqual(result);
  });

  test("at most so much", async () => {
    const { text } = await useTool(
      [toolThat(async () => "x".repeat(300_000))],
      "grep",
      { pattern: "a" },
      SIGNAL,
    );
    expect(text).toHaveLength(200_000 + "\n… 100000 characters left out; ask for less.".length);
  });

  test("without a listener left for each of its uses", async () => {
    const { signal } = new AbortController();
    for (let use = 0; use < 20; use++)
      await useTool([toolThat(async () => "")], "grep", { pattern: "a" }, signal);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("without a word of Node about leaks when many are used at the same time", async () => {
    const warnings: unknown[] = [];
    const warned = (warning: unknown): void => void warnings.push(warning);
    process.on("warning", warned);
    onTestFinished(() => void process.off("warning", warned));
    const { signal } = new AbortController();
    const slow = toolThat(() => new Promise((resolve) => setTimeout(() => resolve("done"), 5)));
    const uses = Array.from({ length: 20 }, () => useTool([slow], "grep", { pattern: "a" }, signal));
    expect(await Promise.all(uses)).toHaveLength(20);
    expect(warnings).toEqual([]);
  });

  test("that it was stopped, also when it does not listen", async () => {
    const deaf = toolThat(() => new Promise(() => {}));
    expect(await useTool([deaf], "grep", { pattern: "a" }, AbortSignal.timeout(20))).toEqual({
      text: "grep was stopped",
      failed: true,
    });
  });
});
