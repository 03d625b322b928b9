// Without a working sandbox nothing runs, unless a person or the nature of the work allows it.
import { expect, test } from "vitest";
import { CupelError } from "../../domain/error.ts";
import { chooseSandbox } from "./choose-sandbox.ts";

const yes = true;
const no = false;

test.each([
  { works: yes, unsafeNoSandbox: no, ownScripts: no, chosen: "bubblewrap" },
  { works: yes, unsafeNoSandbox: yes, ownScripts: yes, chosen: "bubblewrap" },
  { works: no, unsafeNoSandbox: yes, ownScripts: no, chosen: "none" },
  { works: no, unsafeNoSandbox: no, ownScripts: yes, chosen: "none" },
])("works: $works, allowed: $unsafeNoSandbox, own: $ownScripts gives $chosen", ({ chosen, ...choice }) => {
  expect(chooseSandbox(choice).level).toBe(chosen);
});

test("otherwise it refuses and names both ways out", () => {
  expect(neitherAllowed).toThrow(CupelError);
  expect(neitherAllowed).toThrow(
    expect.objectContaining({
      code: "unsafe_without_sandbox",
      hint: expect.stringMatching(/install bubblewrap.*--unsafe-no-sandbox/),
    }),
  );
});

function neitherAllowed() {
  return chooseSandbox({ works: no, unsafeNoSandbox: no, ownScripts: no });
}
