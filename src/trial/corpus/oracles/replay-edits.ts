// The hidden oracle of replay-edits: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// a longer story
const write = (line: string) => ({ kind: "write" as const, line });
const undo = { kind: "undo" as const };
const redo = { kind: "redo" as const };
expect(replayEdits([write("1"), write("2"), undo, undo, redo, write("3"), undo, redo])).toEqual(["1", "3"]);
expect(replayEdits([write("1"), undo, redo, undo, redo])).toEqual(["1"]);
expect(replayEdits([write(""), write("")])).toEqual(["", ""]);

// the same as a list with a place in it
const edit = fc.oneof(fc.record({ kind: fc.constant("write" as const), line: fc.string() }), fc.constantFrom({ kind: "undo" as const }, { kind: "redo" as const }));
fc.assert(
  fc.property(fc.array(edit), (edits) => {
    let all: string[] = [];
    let place = 0;
    const possible = edits.filter((each) => {
      if (each.kind === "write") all = [...all.slice(0, place), each.line];
      const next = each.kind === "undo" ? place - 1 : place + 1;
      if (next < 0 || next > all.length) return false;
      place = next;
      return true;
    });
    expect(replayEdits(possible)).toEqual(all.slice(0, place));
  }),
);

// too many undos and redos
const write = { kind: "write" as const, line: "x" };
expect(() => replayEdits([write, { kind: "undo" }, { kind: "undo" }])).toThrow(NothingToUndo);
expect(() => replayEdits([write, write, { kind: "undo" }, { kind: "undo" }, { kind: "undo" }])).toThrow("nothing to undo at edit 5");
expect(() => replayEdits([write, { kind: "undo" }, write, { kind: "redo" }])).toThrow(NothingToRedo);
expect(() => replayEdits([write, { kind: "undo" }, { kind: "redo" }, { kind: "redo" }])).toThrow("nothing to redo at edit 4");
`;
