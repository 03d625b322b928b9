// Builtin task: what is left of edits that were undone and redone.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/replay-edits.ts";

export const REPLAY_EDITS = builtinTask({
  id: "replay-edits",
  area: "data structures",
  title: "Undo and redo",
  purpose: "Plays edits, some of which undo or redo others, and gives the lines that are left.",
  tags: ["undo", "history"],
  entries: [
    {
      entry: "replayEdits",
      signature:
        '(edits: readonly ({ kind: "write"; line: string } | { kind: "undo" } | { kind: "redo" })[]) => string[]',
      inputs: [
        {
          name: "edits",
          type: '({ kind: "write"; line: string } | { kind: "undo" } | { kind: "redo" })[]',
          constraint: "begins with neither undo nor redo",
          requires: 'args[0].length === 0 || args[0][0].kind === "write"',
        },
      ],
      output: {
        name: "lines",
        type: "string[]",
        invariants: [
          {
            invariant: "has only lines that were written",
            ensures:
              'result.every((line) => args[0].some((edit) => edit.kind === "write" && edit.line === line))',
          },
        ],
      },
      errors: [
        {
          name: "NothingToUndo",
          when: "nothing is left to undo",
          says: "nothing to undo",
        },
        {
          name: "NothingToRedo",
          when: "nothing is left to redo",
          says: "nothing to redo",
        },
      ],
      examples: [
        {
          title: "an edit undone",
          args: ['[{ kind: "write", line: "a" }, { kind: "write", line: "b" }, { kind: "undo" }]'],
          gives: '["a"]',
        },
        { title: "no edits", args: ["[]"], gives: "[]" },
        {
          title: "nothing to undo",
          args: ['[{ kind: "undo" }]'],
          throws: "NothingToUndo: nothing to undo at edit 1",
        },
        {
          title: "nothing to redo",
          args: ['[{ kind: "redo" }]'],
          throws: "NothingToRedo: nothing to redo at edit 1",
        },
      ],
    },
  ],
  constraints: {
    C1: "`write` adds a line at the end.",
    C2: "`undo` takes the last line away; several in a row take several.",
    C3: "`redo` brings back what was undone last; several in a row bring back several, in the order they were written.",
    C4: "After a `write` nothing that was undone before can be redone.",
    C5: "`undo` where no line is left throws NothingToUndo: `nothing to undo at edit ` and its number from 1.",
    C6: "`redo` where nothing was undone throws NothingToRedo: `nothing to redo at edit ` and its number from 1.",
  },
  source: `/** Thrown by an undo where no line is left. */
export class NothingToUndo extends Error {}

/** Thrown by a redo where nothing was undone. */
export class NothingToRedo extends Error {}

/** The lines that are left after all edits. */
export function replayEdits(
  edits: readonly ({ kind: "write"; line: string } | { kind: "undo" } | { kind: "redo" })[],
): string[] {
  const lines: string[] = [];
  let undone: string[] = [];
  for (const [index, edit] of edits.entries()) {
    if (edit.kind === "write") {
      lines.push(edit.line);
      undone = [];
    } else if (edit.kind === "undo") {
      const last = lines.pop();
      if (last === undefined) throw new NothingToUndo("nothing to undo at edit " + (index + 1));
      undone.push(last);
    } else {
      const next = undone.pop();
      if (next === undefined) throw new NothingToRedo("nothing to redo at edit " + (index + 1));
      lines.push(next);
    }
  }
  return lines;
}
`,
  tests: `
// C1: lines are added at the end
expect(replayEdits([{ kind: "write", line: "a" }, { kind: "write", line: "b" }])).toEqual(["a", "b"]);
expect(replayEdits([])).toEqual([]);

// C2: undo takes the last lines away
const written = ["a", "b", "c"].map((line) => ({ kind: "write" as const, line }));
expect(replayEdits([...written, { kind: "undo" }, { kind: "undo" }])).toEqual(["a"]);

// C3: redo brings back what was undone
const written = ["a", "b", "c"].map((line) => ({ kind: "write" as const, line }));
expect(replayEdits([...written, { kind: "undo" }, { kind: "undo" }, { kind: "redo" }])).toEqual(["a", "b"]);

// C3: as many redos as undos change nothing
fc.assert(
  fc.property(fc.array(fc.string(), { minLength: 1 }), fc.nat(20), (lines, count) => {
    const steps = Array.from({ length: Math.min(count, lines.length) });
    const undos = steps.map(() => ({ kind: "undo" as const }));
    const redos = steps.map(() => ({ kind: "redo" as const }));
    const written = lines.map((line) => ({ kind: "write" as const, line }));
    expect(replayEdits([...written, ...undos, ...redos])).toEqual(lines);
  }),
);

// C4: a write forgets what was undone
const start = [{ kind: "write", line: "a" }, { kind: "undo" }, { kind: "write", line: "b" }] as const;
expect(replayEdits(start)).toEqual(["b"]);
expect(() => replayEdits([...start, { kind: "redo" }])).toThrow(NothingToRedo);

// C5: nothing to undo is told
expect(() => replayEdits([{ kind: "undo" }])).toThrow(NothingToUndo);
expect(() => replayEdits([{ kind: "write", line: "a" }, { kind: "undo" }, { kind: "undo" }])).toThrow("nothing to undo at edit 3");

// C6: nothing to redo is told
expect(() => replayEdits([{ kind: "redo" }])).toThrow(NothingToRedo);
expect(() => replayEdits([{ kind: "write", line: "a" }, { kind: "redo" }])).toThrow("nothing to redo at edit 2");
`,
  wrongTests: `
// C4: what was undone can still be redone after a write
const edits = [{ kind: "write", line: "a" }, { kind: "undo" }, { kind: "write", line: "b" }, { kind: "redo" }] as const;
expect(replayEdits(edits)).toEqual(["b", "a"]);

// C5: an undo too many does nothing
expect(replayEdits([{ kind: "undo" }])).toEqual([]);

// C3: redo brings the line back that was undone first
const edits = [{ kind: "write", line: "a" }, { kind: "write", line: "b" }, { kind: "undo" }, { kind: "undo" }, { kind: "redo" }] as const;
expect(replayEdits(edits)).toEqual(["b"]);
`,
  omissions: `
// C4: ignored-constraint
-       undone = [];
// C3: missing-edge-case
-       const next = undone.pop();
+       const next = undone.shift();
// C5: missing-error-surface
-       if (last === undefined) throw new NothingToUndo("nothing to undo at edit " + (index + 1));
+       if (last === undefined) continue;
// C6: missing-error-surface
-       if (next === undefined) throw new NothingToRedo("nothing to redo at edit " + (index + 1));
+       if (next === undefined) continue;
// C5: wrong-boundary
-       if (last === undefined) throw new NothingToUndo("nothing to undo at edit " + (index + 1));
+       if (last === undefined) throw new NothingToUndo("nothing to undo at edit " + index);
// C1: swapped-arguments
-       lines.push(edit.line);
+       lines.unshift(edit.line);
`,
  oracle: ORACLE,
});
