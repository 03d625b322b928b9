// A small checkout in the layout of an Exercism track, with exercises of our own.
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Files } from "../src/toolchains/port.ts";
import { writeFiles } from "../src/evidence/neighbours.ts";
import { temporaryDirectory } from "./temporary.ts";

export interface SampleExercise {
  kind?: "practice" | "concept";
  exemplar: string;
  tests: string;
  /** Instead of what follows from the name. */
  files?: object;
  more?: Files;
}

/** The folder of a track with these exercises. */
export function trackOf(
  exercises: Readonly<Record<string, SampleExercise>>,
  root = temporaryDirectory(),
): string {
  for (const [slug, exercise] of Object.entries(exercises)) {
    const { kind = "practice", exemplar, tests, files = {}, more = {} } = exercise;
    const key = kind === "practice" ? "example" : "exemplar";
    const path = kind === "practice" ? ".meta/proof.ci.ts" : ".meta/exemplar.ts";
    const named = { solution: [`${slug}.ts`], test: [`${slug}.test.ts`], [key]: [path], ...files };
    writeFiles(join(root, "exercises", kind, slug), {
      ".meta/config.json": JSON.stringify({ authors: ["a"], files: named, blurb: `About the ${slug}.` }),
      ".docs/instructions.md": `# Instructions\n\nDo what the ${slug} asks for.\n`,
      [`${slug}.ts`]: "export {};\n",
      [path]: exemplar,
      [`${slug}.test.ts`]: tests,
      ...more,
    });
  }
  return root;
}

export function linkInto(root: string, path: string, target: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  symlinkSync(target, join(root, path));
}

const JEST = "import { describe, it, expect, xit, xdescribe, beforeEach, jest } from '@jest/globals'";

/** A function with an error, told in the manner of tracks. */
export const TIDE_LABEL: SampleExercise = {
  exemplar: `export const tideLabel = (metres: number): string => {
  if (metres < 0) {
    throw new Error('Below the sea floor')
  }
  if (metres < 2) {
    return 'low'
  }
  return metres < 5 ? 'mid' : 'high'
}

export function ownBusiness(): number {
  return 1
}
`,
  tests: `${JEST}
import { tideLabel } from './tide-label.ts'

describe('Tide label', () => {
  it('nothing is low', () => {
    expect(tideLabel(0)).toEqual('low')
  })

  xit('just under two is low', () => {
    const expected = 'low'
    expect(tideLabel(1.9)).toEqual(expected)
  })

  xdescribe('between', () => {
    xit('two is mid', () => {
      expect(tideLabel(2)).toBe('mid')
    })

    it.skip('just under five is mid', () => {
      expect(tideLabel(4.9)).toBe('mid')
    })
  })

  xit('five is high', () => {
    expect(tideLabel(5)).toBe('high')
  })

  xit('less than nothing', () => {
    expect(() => tideLabel(-1)).toThrow('Below the sea floor')
  })

  xit('the floor itself is no error', () => {
    expect(() => tideLabel(0)).not.toThrow()
  })
})
`,
};

/** A class, hooks and code around the tests. */
export const FERRY_QUEUE: SampleExercise = {
  exemplar: `export class FerryQueue {
  private readonly cars: string[] = []

  public join(plate: string): number {
    this.cars.push(plate)
    return this.cars.length
  }

  public board(places: number): string[] {
    return this.cars.splice(0, places)
  }

  public unheardOf(): void {
    this.cars.length = 0
  }
}
`,
  tests: `${JEST}
import { FerryQueue } from './ferry-queue'

const PLATE = 'AB 1'

describe('FerryQueue', () => {
  let queue: FerryQueue

  beforeEach(() => {
    queue = new FerryQueue()
  })

  it('counts who joins', () => {
    expect(queue.join(PLATE)).toBe(1)
    expect(queue.join('CD 2')).toBe(2)
  })

  xit('boards in order', () => {
    queue.join(PLATE)
    queue.join('CD 2')
    expect(queue.board(1)).toEqual([PLATE])
    expect(queue.board(5)).toEqual(['CD 2'])
  })

  xit('tells who listens', () => {
    const listen = jest.fn()
    queue.board(1).forEach(listen)
    expect(listen).not.toHaveBeenCalled()
  })
})
`,
};

/** Tables, and a concept exercise with a type test beside its tests. */
export const KNOT_SPEED: SampleExercise = {
  kind: "concept",
  files: { test: ["__typetests__/knot-speed.tst.ts", "knot-speed.test.ts"], editor: ["chart.ts"] },
  exemplar: `export function knots(miles: number, hours: number): number {
  return miles / hours
}
`,
  tests: `${JEST}
import { knots } from "./knot-speed";

it.each([
  [10, 2, 5],
  [9, 3, 3],
])('%d miles in %d hours', (miles: number, hours: number, expected: number) => {
  expect(knots(miles, hours)).toBe(expected)
})

it.todo('standing still')

it('half a knot', () => expect(knots(1, 2)).toBe(0.5))
`,
  more: {
    ".docs/introduction.md": "# Introduction\n\nA knot is a mile in an hour.\n",
    "chart.ts": "export {};\n",
  },
};
