import { describe, expect, test } from "vitest";
import type { Runtime } from "../port.ts";
import { wherePackagesLie, runtimeRegistry } from "./registry.ts";
import { scriptedRuntime } from "./scripted.ts";

function absent(name: string): Promise<Runtime> {
  return Promise.reject(
    Object.assign(new Error(`Cannot find package '${name}' imported from /x/y.js`), {
      code: "ERR_MODULE_NOT_FOUND",
    }),
  );
}

describe("runtimes", () => {
  test("are loaded when first asked for, once, and closed with the registry", async () => {
    const seen: string[] = [];
    const registry = runtimeRegistry({
      scripted: async () => {
        seen.push("loaded");
        return { ...scriptedRuntime([]), close: async () => void seen.push("closed") };
      },
      codex: () => absent("@openai/codex-sdk"),
    });
    expect(seen).toEqual([]);
    expect(await registry.get("scripted")).toBe(await registry.get("scripted"));
    await expect(registry.get("codex")).rejects.toThrow("@openai/codex-sdk");
    await registry.close();
    expect(seen).toEqual(["loaded", "closed"]);
  });

  test.each([
    ["claude-code", "@anthropic-ai/claude-agent-sdk", "npm install @anthropic-ai/claude-agent-sdk@0.3.325"],
    ["codex", "@openai/codex-sdk", "npm install @openai/codex-sdk@0.163.0"],
    ["acp", "@agentclientprotocol/sdk/dist/x.js", "npm install @agentclientprotocol/sdk@2.4.0"],
    ["model", "@langchain/openai", "npm install @langchain/openai@1.5.8"],
  ] as const)("that lack a package say what to install: %s", async (name, missing, hint) => {
    const registry = runtimeRegistry({ [name]: () => absent(missing) });
    await expect(registry.get(name)).rejects.toMatchObject({ code: "not_found", hint });
  });

  test("that break otherwise break as they do", async () => {
    const registry = runtimeRegistry({
      acp: () => absent("left-pad"),
      model: () => Promise.reject(new TypeError("bug")),
    });
    await expect(registry.get("acp")).rejects.toThrow("Cannot find package 'left-pad'");
    await expect(registry.get("model")).rejects.toThrow(TypeError);
  });

  test("can be had after their package was installed", async () => {
    let installed = false;
    const registry = runtimeRegistry({
      codex: async () => (installed ? scriptedRuntime([]) : absent("@openai/codex-sdk")),
    });
    await expect(registry.get("codex")).rejects.toThrow("is not installed");
    installed = true;
    expect((await registry.get("codex")).name).toBe("scripted");
  });

  test("that nobody brought are not there", async () => {
    await expect(
      runtimeRegistry({ scripted: async () => scriptedRuntime([]) }).get("codex"),
    ).rejects.toMatchObject({
      code: "not_found",
      expected: "one of scripted",
    });
  });
});

test.each([
  ["in the project that has it", "/home/a/shop/node_modules/cupel/", "/home/a/shop", ""],
  ["for another project", "/usr/lib/node_modules/cupel/", "/home/a/shop", " --prefix /usr/lib"],
  ["beside a clone, whose manifest stays", "/opt/cupel/", "/home/a", " --no-save --prefix /opt/cupel"],
  ["in the clone itself", "/opt/cupel/", "/opt/cupel", ""],
])("a package goes where Cupel finds it: %s", (_, cupel, here, told) => {
  expect(wherePackagesLie(cupel, here)).toBe(told);
});
