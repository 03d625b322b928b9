// Opens the runner of graphs on the store's own database.
import type { Graphs, GraphsOptions } from "./graphs-port.ts";
import { LocalGraphs } from "./local-graphs.ts";
import { queued } from "./observers.ts";

export function openGraphs(options: GraphsOptions): Graphs {
  const { observers = [] } = options;
  keepToOurselves();
  return new LocalGraphs({ ...options, observers: observers.map((observer) => queued(observer)) });
}

/** The engine would send states to a service by itself, for whoever has these set for other work. */
function keepToOurselves(): void {
  for (const library of ["LANGSMITH", "LANGCHAIN"])
    for (const name of [`${library}_TRACING`, `${library}_TRACING_V2`]) delete process.env[name];
}
