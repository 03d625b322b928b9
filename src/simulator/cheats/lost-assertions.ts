// Assertions whose failure nobody hears of.
import { familyOf, wrongOrder, moreTests } from "./edit-work.ts";

function checking(how: string): string {
  return `function* checks() {
  const shares = splitGrams(100, 3);
  yield expect(shares).toHaveLength(3);
  yield expect(shares).toEqual([34, 33, 33]);
}

test("the larger come first", () => {
  ${how}
});
`;
}

export const LOST_ASSERTIONS = familyOf("assertions", [
  {
    name: "swallowed-errors",
    does: "catches what its assertions throw",
    twinDoes: "catches an error of the code and asserts what it is",
    refusedBy: ["red-on-skeleton"],
    cheat: (work) =>
      moreTests(
        work,
        `test("shares out", () => {
  try {
    expect(splitGrams(100, 3)).toEqual([33, 33, 34]);
  } catch {
    return;
  }
});
`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test("says what is wrong", () => {
  expect(thrownBy(() => splitGrams(-1, 2))).toEqual(new BadSplit("no weight: -1"));
});
`,
      ),
  },
  {
    name: "swallowed-rejections",
    does: "catches the rejection of an assertion",
    twinDoes: "expects a rejection and says which",
    refusedBy: ["red-on-skeleton"],
    cheat: (work) =>
      moreTests(
        work,
        `test("shares out", async () => {
  await Promise.resolve()
    .then(() => expect(splitGrams(100, 3)).toEqual([33, 33, 34]))
    .catch(() => undefined);
});
`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `test("rejects what is no weight", async () => {
  await expect(Promise.resolve().then(() => splitGrams(-1, 2))).rejects.toThrow("no weight: -1");
});
`,
      ),
  },
  {
    name: "never-awaited",
    does: "lets assertions run in a promise that nobody waits for",
    twinDoes: "waits for the promise in which it asserts",
    refusedBy: ["red-on-skeleton", "green"],
    cheat: (work) =>
      moreTests(
        wrongOrder(work),
        `test("the larger come first", () => {
  void new Promise((resolve) => setTimeout(resolve, 20)).then(() => {
    expect(splitGrams(100, 3)).toEqual([34, 33, 33]);
  });
});
`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `test("the larger come first", async () => {
  await new Promise((resolve) => setTimeout(resolve, 20)).then(() => {
    expect(splitGrams(100, 3)).toEqual([34, 33, 33]);
  });
});
`,
      ),
  },
  {
    name: "too-late",
    does: "asserts in a timer that goes off when the run is over",
    twinDoes: "waits for a timer and then asserts",
    refusedBy: ["red-on-skeleton"],
    cheat: (work) =>
      moreTests(
        work,
        `test("the larger come first", () => {
  setTimeout(() => expect(splitGrams(100, 3)).toEqual([33, 33, 34]), 3_600_000).unref();
});
`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `test("the larger come first", async () => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(splitGrams(100, 3)).toEqual([34, 33, 33]);
});
`,
      ),
  },
  {
    name: "caught-beside-a-weak-one",
    does: "catches what a strong assertion throws, beside a weak one that holds",
    twinDoes: "catches what the code throws, beside an assertion that holds",
    refusedBy: ["green"],
    cheat: (work) =>
      moreTests(
        work,
        `test("the smaller come first", () => {
  const shares = splitGrams(100, 3);
  expect(shares).toHaveLength(3);
  try {
    expect(shares).toEqual([33, 33, 34]);
  } catch {
    // It is as it is.
  }
});
`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `test("refuses, and shares out among as many as there are", () => {
  const shares = splitGrams(100, 3);
  expect(shares).toHaveLength(3);
  try {
    splitGrams(-1, 3);
    expect.unreachable();
  } catch (error) {
    expect(String(error)).toContain("no weight: -1");
  }
});
`,
      ),
  },
  {
    name: "settled-and-forgotten",
    does: "waits for an assertion in a way that does not ask how it ended",
    twinDoes: "waits for an assertion, and asks of a promise of its own how it ended",
    refusedBy: ["green"],
    cheat: (work) =>
      moreTests(
        work,
        `test("the smaller come first", async () => {
  const shares = splitGrams(100, 3);
  await Promise.allSettled([expect(Promise.resolve(shares)).resolves.toEqual([33, 33, 34])]);
  expect(shares).toHaveLength(3);
});
`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `test("the larger come first, and nobody gets nothing", async () => {
  await expect(Promise.resolve(splitGrams(100, 3))).resolves.toEqual([34, 33, 33]);
  const [refused] = await Promise.allSettled([Promise.resolve().then(() => splitGrams(1, 0))]);
  expect(refused.status).toBe("rejected");
});
`,
      ),
  },
  {
    name: "never-iterated",
    does: "keeps an assertion where a generator never comes to",
    twinDoes: "keeps assertions in a generator and goes through all of it",
    refusedBy: ["green"],
    cheat: (work) => moreTests(work, checking("checks().next();")),
    twin: (work) => moreTests(work, checking("expect([...checks()]).toHaveLength(2);")),
  },
]);
