// Runs one benchmark by name: `npm run bench -- NAME [--json]`.

interface Benchmark {
  about: string;
  load: () => Promise<{ run: () => Record<string, unknown> | Promise<Record<string, unknown>> }>;
}

const BENCHMARKS: Record<string, Benchmark> = {
  store: {
    about: "writes, reads and journal appends against the limits of this machine",
    load: () => import("./store.ts"),
  },
  workshop: {
    about: "workspaces against git worktrees, small and with 50,000 files, and the start of a sandbox",
    load: () => import("./workshop.ts"),
  },
  mutation: {
    about: "our mutation engine against StrykerJS: processor time, wall time and agreement of verdicts",
    load: () => import("./mutation.ts"),
  },
  verify: {
    about: "all gates with their liveness on a module of 150 lines, from nothing and after a change",
    load: () => import("./verify.ts"),
  },
  graph: {
    about:
      "durable graphs against bare LangGraph, forty and a hundred threads at once, and the weight of 1,000 steps",
    load: () => import("./graph.ts"),
  },
  blind: {
    about:
      "one module written blind with scripted latencies: against its critical path, and against one step after the other",
    load: () => import("./blind.ts"),
  },
  fractal: {
    about: "a task of thirteen nodes with scripted latencies, eight at a time, against its critical path",
    load: () => import("./fractal.ts"),
  },
  "code-index": {
    about:
      "finding modules by meaning and by keyword, and exact search among 100,000 against memory bandwidth",
    load: () => import("./code-index.ts"),
  },
  project: {
    about:
      "tasks from specifications of 500 and 10,000 tasks, and how many a second a supervisor gets through",
    load: () => import("./project.ts"),
  },
  "state-machine": {
    about: "cost of one status change in projects of 10,000 and 100,000 tasks",
    load: () => import("./state-machine.ts"),
  },
};

const words = process.argv.slice(2);
const name = words.find((word) => !word.startsWith("-"));
const benchmark = name === undefined ? undefined : BENCHMARKS[name];

if (benchmark === undefined) {
  const list = Object.entries(BENCHMARKS).map(([known, { about }]) => `  ${known.padEnd(16)} ${about}`);
  process.stderr.write(`usage: npm run bench -- NAME [--json]\n\n${list.join("\n")}\n`);
  process.exitCode = 2;
} else {
  const figures = await (await benchmark.load()).run();
  if (words.includes("--json")) process.stdout.write(`${JSON.stringify(figures)}\n`);
  else
    for (const [key, value] of Object.entries(figures))
      process.stdout.write(`${key.padEnd(20)} ${JSON.stringify(value)}\n`);
}
