// The contract of every sandbox; what one does not keep is listed, and then checked to be really open.
import { describe, expect, test } from "vitest";
import { BARRIERS } from "./sandbox-barriers.suite.ts";
import { COMMANDS } from "./sandbox-commands.suite.ts";
import { newWorld } from "./sandbox-world.suite.ts";
import type { Promises } from "./sandbox-world.suite.ts";
import type { Sandbox } from "./port.ts";

/** `open` holds the titles of promises that this sandbox does not keep on this machine. */
export function sandboxSuite(name: string, make: () => Sandbox, open: readonly string[] = []): void {
  const promises: Promises = { ...COMMANDS, ...BARRIERS };
  const kept = Object.keys(promises).filter((title) => !open.includes(title));

  test.each(kept)(`${name}: %s`, async (title) => {
    const world = await newWorld(make());
    await expect(promises[title]?.(world)).resolves.toBeUndefined();
  });

  describe.runIf(open.length > 0)(`${name} does not keep, as its list says`, () => {
    test.each(open)("%s", async (title) => {
      const world = await newWorld(make());
      await expect(promises[title]?.(world)).rejects.toMatchObject({ name: "AssertionError" });
    });
  });
}
