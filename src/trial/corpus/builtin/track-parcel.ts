// Builtin task: where a parcel is after all that happened to it.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/track-parcel.ts";

const EVENT = '"pack" | "send" | "deliver" | "miss" | "return" | "cancel"';
const STATE = '"ordered" | "packed" | "on the way" | "delivered" | "waiting" | "returned" | "cancelled"';

export const TRACK_PARCEL = builtinTask({
  id: "track-parcel",
  area: "state machines",
  title: "Track a parcel",
  purpose: "Follows a parcel through what happens to it, and says in which state it is.",
  tags: ["states", "parcel"],
  entries: [
    {
      entry: "trackParcel",
      signature: `(events: readonly (${EVENT})[]) => ${STATE}`,
      inputs: [
        {
          name: "events",
          type: `readonly (${EVENT})[]`,
          constraint: "begins with pack or cancel, if with anything",
          requires: 'args[0].length === 0 || args[0][0] === "pack" || args[0][0] === "cancel"',
        },
      ],
      output: {
        name: "state",
        type: STATE,
        invariants: [
          {
            invariant: "is ordered only before anything has happened",
            ensures: '(result === "ordered") === (args[0].length === 0)',
          },
        ],
      },
      errors: [
        {
          name: "CannotHappen",
          when: "something cannot happen in the state before it",
          says: "cannot ",
        },
      ],
      examples: [
        { title: "all goes well", args: ['["pack", "send", "deliver"]'], gives: '"delivered"' },
        { title: "nothing yet", args: ["[]"], gives: '"ordered"' },
        {
          title: "sent before it was packed",
          args: ['["send"]'],
          throws: "CannotHappen: cannot send what is ordered (event 1)",
        },
      ],
    },
  ],
  constraints: {
    C1: "A parcel begins as `ordered`; `pack` makes it `packed`, `send` then `on the way`, `deliver` then `delivered`.",
    C2: "`miss` makes a parcel on the way `waiting`; from there `deliver` makes it `delivered` and `return` makes it `returned`.",
    C3: "The third `miss` in a row, with `send` between them, makes it `returned` at once; from `waiting`, `send` brings it on the way again.",
    C4: "`cancel` makes it `cancelled`, but only while it is ordered or packed.",
    C5: "Nothing can happen to a parcel that is delivered, returned or cancelled.",
    C6: "What cannot happen throws CannotHappen: `cannot `, the event, ` what is `, the state, ` (event `, its number from 1 and `)`.",
  },
  source: `/** Thrown when something cannot happen in the state before it. */
export class CannotHappen extends Error {}

type Event = ${EVENT};
type State = ${STATE};

const MOVES: Readonly<Record<State, Partial<Record<Event, State>>>> = {
  ordered: { pack: "packed", cancel: "cancelled" },
  packed: { send: "on the way", cancel: "cancelled" },
  "on the way": { deliver: "delivered", miss: "waiting" },
  waiting: { send: "on the way", deliver: "delivered", return: "returned" },
  delivered: {},
  returned: {},
  cancelled: {},
};

/** The state of a parcel after all that happened to it. */
export function trackParcel(events: readonly Event[]): State {
  let state: State = "ordered";
  let missed = 0;
  for (const [index, event] of events.entries()) {
    const next: State | undefined = MOVES[state][event];
    if (next === undefined) {
      throw new CannotHappen("cannot " + event + " what is " + state + " (event " + (index + 1) + ")");
    }
    if (event === "miss") missed += 1;
    state = missed === 3 ? "returned" : next;
  }
  return state;
}
`,
  tests: `
// C1: a parcel on its way
expect(trackParcel([])).toBe("ordered");
expect(trackParcel(["pack"])).toBe("packed");
expect(trackParcel(["pack", "send"])).toBe("on the way");
expect(trackParcel(["pack", "send", "deliver"])).toBe("delivered");

// C2: nobody at home
expect(trackParcel(["pack", "send", "miss"])).toBe("waiting");
expect(trackParcel(["pack", "send", "miss", "deliver"])).toBe("delivered");
expect(trackParcel(["pack", "send", "miss", "return"])).toBe("returned");

// C3: the third miss returns it
expect(trackParcel(["pack", "send", "miss", "send"])).toBe("on the way");
expect(trackParcel(["pack", "send", "miss", "send", "miss"])).toBe("waiting");
expect(trackParcel(["pack", "send", "miss", "send", "miss", "send", "miss"])).toBe("returned");
expect(trackParcel(["pack", "send", "miss", "send", "miss", "send", "deliver"])).toBe("delivered");

// C4: what is not sent can be cancelled
expect(trackParcel(["cancel"])).toBe("cancelled");
expect(trackParcel(["pack", "cancel"])).toBe("cancelled");
expect(() => trackParcel(["pack", "send", "cancel"])).toThrow(CannotHappen);
expect(() => trackParcel(["pack", "send", "miss", "cancel"])).toThrow(CannotHappen);

// C5: nothing happens after the end
const event = fc.constantFrom("pack" as const, "send" as const, "deliver" as const, "miss" as const, "return" as const, "cancel" as const);
const ended = fc.constantFrom(["pack", "send", "deliver"] as const, ["cancel"] as const, ["pack", "send", "miss", "return"] as const);
fc.assert(
  fc.property(ended, event, (events, more) => {
    expect(trackParcel(events)).toMatch(/^(delivered|cancelled|returned)$/);
    expect(() => trackParcel([...events, more])).toThrow(CannotHappen);
  }),
);

// C6: what cannot happen is told
expect(() => trackParcel(["send"])).toThrow("cannot send what is ordered (event 1)");
expect(() => trackParcel(["pack", "send", "return"])).toThrow("cannot return what is on the way (event 3)");
for (const events of [["miss"], ["pack", "pack"], ["deliver"], ["return"], ["pack", "send", "miss", "miss"]] as const) {
  expect(() => trackParcel(events)).toThrow(CannotHappen);
}
`,
  wrongTests: `
// C3: the second miss returns it
expect(trackParcel(["pack", "send", "miss", "send", "miss"])).toBe("returned");

// C4: a parcel can be cancelled on its way
expect(trackParcel(["pack", "send", "cancel"])).toBe("cancelled");

// C5: what has ended stays as it is
expect(trackParcel(["cancel", "pack"])).toBe("cancelled");
`,
  omissions: `
// C3: wrong-boundary
-     state = missed === 3 ? "returned" : next;
+     state = missed === 4 ? "returned" : next;
// C3: ignored-constraint
-     state = missed === 3 ? "returned" : next;
+     state = next;
// C6: missing-error-surface
-     const next: State | undefined = MOVES[state][event];
+     const next: State | undefined = MOVES[state][event];
+     if (next === undefined) return state;
// C4: missing-edge-case
-   packed: { send: "on the way", cancel: "cancelled" },
+   packed: { send: "on the way" },
// C2: missing-edge-case
-   waiting: { send: "on the way", deliver: "delivered", return: "returned" },
+   waiting: { send: "on the way", return: "returned" },
// C2: swapped-arguments
-   "on the way": { deliver: "delivered", miss: "waiting" },
+   "on the way": { deliver: "waiting", miss: "delivered" },
// C6: wrong-boundary
-       throw new CannotHappen("cannot " + event + " what is " + state + " (event " + (index + 1) + ")");
+       throw new CannotHappen("cannot " + event + " what is " + state + " (event " + index + ")");
`,
  oracle: ORACLE,
});
