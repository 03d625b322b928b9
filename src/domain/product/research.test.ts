import { expect, test } from "vitest";
import { exampleSpec } from "../../../test/arbitraries/product-spec.ts";
import { unseenAddresses } from "./research.ts";

function unseen(description: string, urls: string[] = [], people: string[] = []): string[] {
  return unseenAddresses(
    { ...exampleSpec(), description },
    [{ query: "q", urls, unavailable: null }],
    people,
  );
}

test("an address that nobody gave is told, once", () => {
  expect(unseen("See https://made.up/rfc. And (https://made.up/rfc)!")).toEqual(["https://made.up/rfc"]);
});

test("what a search gave or a person wrote is no invention, however it is spelled", () => {
  expect(unseen("See http://www.A.example/x/#top, please.", ["https://a.example/x"])).toEqual([]);
  expect(unseen("See https://b.example.", [], ["as in https://b.example/ it says"])).toEqual([]);
  expect(unseen("See https://a.example/y", ["https://a.example/x"])).toEqual(["https://a.example/y"]);
});
