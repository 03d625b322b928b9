import { describe, expect, it } from "vitest";
import { promisesObservableBehavior } from "./observable-behavior.ts";

describe("promisesObservableBehavior", () => {
  it.each(["returns", "displays", "raises", "writes", "emits", "rejects", "validates"])(
    "knows %s",
    (verb) => {
      expect(promisesObservableBehavior(`The parser ${verb} something`)).toBe(true);
    },
  );

  it.each([
    "Return 404 for an unknown id",
    "An empty title is rejected",
    "No mail was sent",
    "The file is written once",
    "An error is thrown for a negative amount",
    "The user can log out",
    "The server must not log passwords",
    "List every note in order",
    "Copies the file",
    "copied to the clipboard",
    "The value equals 3",
    "It stopped after three tries",
    "Writing a file twice",
    "Submitting twice creates one order",
    "RETURNS NULL",
    "Then `parse()` throws.",
  ])("sees a promise in %j", (text) => {
    expect(promisesObservableBehavior(text)).toBe(true);
  });

  it.each([
    "",
    "...",
    "The code is clean",
    "Good performance",
    "Works as expected",
    "A user-friendly error format",
    "The output log",
    "High quality",
    "Supports many users well",
    "Correct handling of errors",
    "constructor __proto__",
  ])("sees none in %j", (text) => {
    expect(promisesObservableBehavior(text)).toBe(false);
  });
});
