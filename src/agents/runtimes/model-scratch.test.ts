import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { FilesystemBackend } from "../../store/backends/filesystem.ts";
import { withScratch } from "./model-scratch.ts";

test("large results are kept beside the agent's files and never among them", async () => {
  const inner = new FilesystemBackend(temporaryDirectory());
  const files = new Map<string, string>();
  const room = withScratch(inner, files);
  await room.write("/large_tool_results/a.txt", "one\ntwo\nthree");
  await room.write("/work.txt", "mine");
  expect([...files.keys()]).toEqual(["/large_tool_results/a.txt"]);
  expect((await inner.ls("/")).files?.map(({ path }) => path)).toEqual(["/work.txt"]);
  expect(await room.read("/large_tool_results/a.txt", 1, 1)).toMatchObject({
    content: "two",
    totalLines: 3,
    nextOffset: 2,
  });
  expect(await room.grep("tw", "/large_tool_results")).toMatchObject({ matches: [{ line: 2, text: "two" }] });
  expect(await room.edit("/large_tool_results/a.txt", "two", "2")).toMatchObject({ occurrences: 1 });
  expect((await room.readRaw("/large_tool_results/a.txt")).data?.content).toBe("one\n2\nthree");
  expect(await room.read("/work.txt")).toMatchObject({ content: "mine" });
});

test("without files of its own an agent has only that place, and not without end", async () => {
  const room = withScratch(undefined, new Map());
  expect(await room.read("/work.txt")).toEqual({ error: "'/work.txt' does not exist" });
  expect(await room.write("/work.txt", "x")).toHaveProperty("error");
  expect(await room.read("/conversation_history/none.md")).toHaveProperty("error");
  expect(await room.write("/conversation_history/big.md", "x".repeat(33 * 1024 * 1024))).toHaveProperty(
    "error",
  );
});
