// The modules of the demo as its scripted agents promise them: what the planner, and then the contract, says of each.
import { ContractDraft } from "../src/domain/contract/contract-draft.ts";
import { contractOf, type ModuleSketch } from "../src/simulator/cases/module-sketch.ts";

export interface DemoModule {
  /** The folder below demo/modules; also the end of its id, with underscores. */
  name: string;
  purpose: string;
  task: string;
  /** Modules that it builds on. */
  uses: readonly string[];
  /** What the Code Index offers while it is planned, and why that will not do. */
  considered?: { refs: readonly string[]; why: string };
  contract: ContractDraft;
}

interface Sketch extends Omit<DemoModule, "contract" | "uses">, ModuleSketch {
  uses?: readonly string[];
}

export const PARSE_DURATION = demoModule({
  name: "parse-duration",
  purpose: "Reads how long something takes, written like 1h30m, and gives it in minutes.",
  task: "T-agenda-day-times-001",
  tags: ["time", "duration", "parse"],
  entry: "parseDuration",
  signature: "(text: string) => number",
  inputs: [
    {
      name: "text",
      type: "string",
      constraint: "is hours, minutes or both, such as 1h30m, 45m or 2h",
      requires: String.raw`args[0] !== "" && /^(\d{1,2}h)?([0-5]?\dm)?$/.test(args[0])`,
    },
  ],
  output: {
    name: "minutes",
    type: "number",
    invariant: "is a whole number that is not negative",
    ensures: "Number.isInteger(result) && result >= 0",
  },
  error: {
    name: "BadDuration",
    when: "the text is no duration",
    throws: 'error.message.startsWith("no duration")',
  },
});

export const CLOCK_TIME = demoModule({
  name: "clock-time",
  purpose: "Writes a minute of the day as a time of day such as 09:05.",
  task: "T-agenda-day-times-002",
  tags: ["time", "clock", "text"],
  entry: "clockTime",
  signature: "(minutes: number) => string",
  inputs: [
    {
      name: "minutes",
      type: "number",
      constraint: "is a whole number from 0 to 1440",
      requires: "Number.isInteger(args[0]) && args[0] >= 0 && args[0] <= 1440",
    },
  ],
  output: {
    name: "time",
    type: "string",
    invariant: "has two digits for the hours and two for the minutes",
    ensures: String.raw`/^\d\d:\d\d$/.test(result)`,
  },
  error: {
    name: "OffTheClock",
    when: "the minutes are no time of a day",
    throws: 'error.message.startsWith("not on the clock")',
  },
  considered: {
    refs: ["MM-parse_duration@1.0.0"],
    why: "MM-parse_duration reads durations; nothing in the Code Index writes times of day.",
  },
});

export const DAY_PLAN = demoModule({
  name: "day-plan",
  purpose: "Gives each duration its slot of the day, one after the other.",
  task: "T-agenda-day-plan-001",
  uses: ["parse-duration"],
  tags: ["time", "plan", "slots"],
  entry: "dayPlan",
  signature: "(start: number, durations: readonly string[]) => { from: number; to: number }[]",
  inputs: [
    { name: "start", type: "number" },
    { name: "durations", type: "readonly string[]" },
  ],
  output: {
    name: "slots",
    type: "{ from: number; to: number }[]",
    invariant: "has one slot for each duration, and no slot ends before it begins",
    ensures: "result.length === args[1].length && result.every((slot) => slot.to >= slot.from)",
  },
  error: {
    name: "DayTooShort",
    when: "the plan would run past midnight",
    throws: 'error.message.startsWith("past midnight")',
  },
  considered: {
    refs: ["MM-parse_duration@1.0.0", "MM-clock_time@1.0.0"],
    why: "Both know single times; none of them lays durations out one after the other.",
  },
});

export const AGENDA = demoModule({
  name: "agenda",
  purpose: "Writes the agenda of a day with one line for each item and the total below.",
  task: "T-agenda-day-plan-002",
  uses: ["clock-time", "day-plan", "parse-duration"],
  tags: ["agenda", "text"],
  entry: "agenda",
  signature: "(start: number, items: readonly { title: string; takes: string }[]) => string",
  inputs: [
    { name: "start", type: "number" },
    {
      name: "items",
      type: "readonly { title: string; takes: string }[]",
      constraint: "is not empty",
      requires: "args[1].length > 0",
    },
  ],
  output: {
    name: "text",
    type: "string",
    invariant: "ends with the total of minutes",
    ensures: String.raw`/total \d+ minutes$/.test(result)`,
  },
  error: {
    name: "NothingToDo",
    when: "there are no items",
    throws: 'error.message === "an agenda needs something to do"',
  },
  considered: {
    refs: ["MM-day_plan@1.0.0", "MM-clock_time@1.0.0", "MM-parse_duration@1.0.0"],
    why: "It builds on all three; none of them writes an agenda.",
  },
});

function demoModule({ uses = [], ...sketch }: Sketch): DemoModule {
  const { name, purpose, task, considered } = sketch;
  const contract = ContractDraft.parse(contractOf(sketch, uses));
  return { name, purpose, task, uses, contract, ...(considered === undefined ? {} : { considered }) };
}
