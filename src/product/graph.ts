// The product loop as a durable graph: refine until it is complete, show it to a person, do what they decided.
import { defineGraph } from "../graph/define-graph.ts";
import { check } from "./check.ts";
import { decide } from "./decide.ts";
import { present } from "./present.ts";
import { begin, refine } from "./refine.ts";
import { productState } from "./state.ts";

const MINUTE = 60_000;

export const productGraph = defineGraph({
  name: "product",
  version: 1,
  state: productState,
  nodes: {
    begin: {
      run: begin,
      routes: ["refine", "check", "end"],
      timeoutMs: 10 * MINUTE,
      retries: 2,
      lane: "harness",
      does: "takes what the person handed over",
    },
    refine: {
      run: refine,
      routes: ["check", "end"],
      timeoutMs: 240 * MINUTE,
      lane: "product researcher",
      does: "researches and refines the draft",
    },
    check: {
      run: check,
      routes: ["refine", "present", "end"],
      timeoutMs: 10 * MINUTE,
      retries: 2,
      lane: "harness",
      does: "checks that it is complete and every point is answered",
    },
    present: {
      run: present,
      to: ["end"],
      timeoutMs: 10 * MINUTE,
      retries: 2,
      lane: "harness",
      does: "puts the specification before a person",
    },
    decide: {
      run: decide,
      routes: ["begin", "end"],
      timeoutMs: 10 * MINUTE,
      retries: 2,
      lane: "harness",
      does: "carries out what the person decided",
    },
  },
  entries: { start: "begin", decide: "decide" },
});
