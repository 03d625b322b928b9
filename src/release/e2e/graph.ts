// The making of end-to-end tests as a durable graph: look at what is there, write, examine, and accept or ask a person.
import { defineGraph } from "../../graph/define-graph.ts";
import { accept } from "./accept.ts";
import { halt } from "./halt.ts";
import { examine, look } from "./look.ts";
import { e2eState } from "./state.ts";
import { writeTests } from "./write-tests.ts";

const MINUTE = 60_000;

export const e2eGraph = defineGraph({
  name: "e2e",
  version: 1,
  state: e2eState,
  nodes: {
    look: {
      run: look,
      routes: ["write_e2e", "accept"],
      timeoutMs: 60 * MINUTE,
      retries: 2,
      lane: "harness",
      does: "looks whether the product has tests already that count",
    },
    write_e2e: {
      run: writeTests,
      routes: ["examine", "halt"],
      timeoutMs: 240 * MINUTE,
      lane: "architect",
      does: "writes end-to-end tests from the acceptance criteria",
    },
    examine: {
      run: examine,
      routes: ["accept", "write_e2e", "halt"],
      timeoutMs: 60 * MINUTE,
      retries: 2,
      lane: "harness",
      does: "runs them on the product, and where it does not work",
    },
    accept: {
      run: accept,
      to: ["end"],
      timeoutMs: 10 * MINUTE,
      retries: 2,
      lane: "harness",
      does: "keeps them and commits them to the product",
    },
    halt: {
      run: halt,
      to: ["end"],
      timeoutMs: 10 * MINUTE,
      retries: 2,
      lane: "harness",
      does: "puts it before a person",
    },
  },
  entries: { start: "look" },
});
