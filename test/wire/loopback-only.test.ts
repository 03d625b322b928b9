import { expect, test } from "vitest";

test.each(["http://192.0.2.1/", "http://[2001:db8::1]/", "https://api.openai.com/v1/models"])(
  "nothing can be reached beyond this machine: %s",
  async (url) => {
    await expect(fetch(url)).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining("a test wanted to connect to") }),
    });
  },
);

test("no key and no home of anybody is in the environment", () => {
  expect(Object.keys(process.env).filter((name) => /key|token|secret/i.test(name))).toEqual([]);
  expect(process.env["HOME"]).toContain("cupel-home-");
});
