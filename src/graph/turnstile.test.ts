import { expect, test } from "vitest";
import { Turnstile } from "./turnstile.ts";

test("one goes through in each turn of the event loop, those between two nodes first", async () => {
  const turnstile = new Turnstile();
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  const back = ["a", "b", "c"].map((name) => turnstile.pass().then(note(name)));
  const between = turnstile.passFirst().then(note("between"));
  let turns = 0;
  const count = (): void => {
    order.push(`turn ${++turns}`);
    if (turns < 3) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all([...back, between]);
  expect(order).toEqual(["between", "turn 1", "a", "turn 2", "b", "turn 3", "c"]);
});

test("whoever comes later, when nobody waits, goes through as well", async () => {
  const turnstile = new Turnstile();
  await turnstile.pass();
  await turnstile.passFirst();
  await expect(turnstile.pass()).resolves.toBeUndefined();
});
