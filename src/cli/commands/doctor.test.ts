// How doctor's findings read.
import { expect, test } from "vitest";
import { diagnose } from "../../domain/diagnosis.ts";
import type { Check } from "../../domain/diagnosis.ts";
import { colorsFor } from "../output.ts";
import { render } from "./doctor.ts";

const plain = colorsFor({ isTTY: false }, {});
const doors = [
  { attack: "reads the home directory", door: "every file of the machine can be read" },
  { attack: "reads another workspace", door: "every file of the machine can be read" },
  { attack: "calls out", door: "the network is open" },
];

function rendered(status: Check["status"]): string {
  const sandbox: Check = {
    name: "sandbox",
    status,
    required: false,
    found: "bubblewrap",
    cost: "much",
    fix: "get it",
  };
  return render(diagnose("1.0.0", [sandbox], doors), plain);
}

test("without a sandbox each open door is named once", () => {
  expect(rendered("absent")).toContain(
    [
      "Without a sandbox this stays open:",
      "  · every file of the machine can be read",
      "  · the network is open",
      "Ready.",
    ].join("\n"),
  );
});

test("with one there is nothing to warn of", () => {
  expect(rendered("ok")).not.toMatch(/open|without it|to get it/);
});
