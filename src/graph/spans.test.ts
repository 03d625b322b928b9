import { context as contexts, SpanStatusCode, trace } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { afterEach, describe, expect, it } from "vitest";
import type { RoleCallOutcome } from "../domain/agent/role-call-outcome.ts";
import { graph, idle, open } from "./graphs-sample.suite.ts";
import type { Ports } from "./graphs-sample.suite.ts";
import { openTracing } from "./spans-export.ts";
import { traceRoleCall } from "./spans-role-call.ts";
import { tracedGraphs } from "./spans.ts";

const key = { role: "impl", task: "T-a-b-c-001", module: "MM-slug", node: "b", attempt: 2 } as const;
const spent = { usage: { inputTokens: 7, outputTokens: 3 }, costUsd: 0.5 } as const;
const refused: RoleCallOutcome = { kind: "refused", ...spent, asked: 2, transcriptRef: null, why: "SECRET" };

afterEach(() => {
  trace.disable();
  contexts.disable();
});

function tracing() {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
  const tracer = provider.getTracer("test");
  const { graphs } = open();
  const spans = () =>
    exporter.getFinishedSpans().map((span) => ({
      name: span.name,
      attributes: span.attributes,
      failed: span.status.code === SpanStatusCode.ERROR,
      id: span.spanContext().spanId,
      parent: span.parentSpanContext?.spanId,
    }));
  return { tracer, graphs: tracedGraphs(graphs, tracer), spans };
}

describe("spans", () => {
  it("show the thread, under it its nodes, and under them the role calls", async () => {
    const { tracer, graphs, spans } = tracing();
    const ports: Ports = {
      async work(name, context) {
        if (name !== "b") return;
        context.spent(spent);
        context.spent(spent);
        await traceRoleCall(tracer, { key, model: "anthropic:some-model" }, async () => refused);
      },
    };
    expect(await graphs.run(graph, { thread: "t-1", ports })).toMatchObject({ kind: "finished" });
    const all = spans();
    const thread = all.find(({ name }) => name === "invoke_workflow sample");
    expect(thread).toMatchObject({ failed: false, parent: undefined });
    expect(thread?.attributes).toEqual({
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.workflow.name": "sample",
      "gen_ai.conversation.id": "t-1",
      "cupel.graph.version": 1,
      "cupel.thread": "t-1",
      "cupel.outcome": "finished",
    });
    const nodes = all.filter(({ name }) => name.startsWith("run_node "));
    expect(nodes).toHaveLength(10);
    expect(new Set(nodes.map(({ parent }) => parent))).toEqual(new Set([thread?.id]));
    const b = nodes.find(({ name }) => name === "run_node b");
    expect(b?.attributes).toMatchObject({
      "cupel.node": "b",
      "cupel.attempt": 1,
      "gen_ai.usage.input_tokens": 14,
      "cupel.cost_usd": 1,
    });
    const call = all.find(({ name }) => name === "invoke_agent impl");
    expect(call).toMatchObject({ parent: b?.id, failed: true });
    expect(call?.attributes).toEqual({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "impl",
      "gen_ai.provider.name": "anthropic",
      "gen_ai.request.model": "some-model",
      "gen_ai.usage.input_tokens": 7,
      "gen_ai.usage.output_tokens": 3,
      "error.type": "refused",
      "cupel.task": "T-a-b-c-001",
      "cupel.module": "MM-slug",
      "cupel.node": "b",
      "cupel.attempt": 2,
      "cupel.outcome": "refused",
      "cupel.asked": 2,
      "cupel.cost_usd": 0.5,
    });
  });

  it("say that something failed, and never in which words", async () => {
    const { tracer, graphs, spans } = tracing();
    const ports: Ports = {
      async work(name) {
        if (name === "d") throw new TypeError("the key is SECRET");
      },
    };
    await graphs.run(graph, { thread: "t-1", ports });
    const failing = traceRoleCall(tracer, { key, model: "SECRETLESS" }, () =>
      Promise.reject(new Error("SECRET")),
    );
    await expect(failing).rejects.toThrow("SECRET");
    const failed = spans().filter((span) => span.failed);
    expect(failed.map(({ name, attributes }) => [name, attributes["error.type"]])).toEqual([
      ["run_node d", "TypeError"],
      ["invoke_workflow sample", "failed"],
      ["invoke_agent impl", "Error"],
    ]);
    expect(JSON.stringify(spans()).replaceAll("SECRETLESS", "")).not.toContain("SECRET");
  });

  it("end for nodes that never do", async () => {
    const { graphs, spans } = tracing();
    const ports: Ports = {
      async work(name) {
        if (name !== "d") return undefined;
        setTimeout(() => graphs.abort("t-1"), 5);
        return new Promise(() => undefined);
      },
    };
    expect(await graphs.run(graph, { thread: "t-1", ports })).toMatchObject({ kind: "aborted" });
    expect(spans().find(({ name }) => name === "run_node d")?.attributes["error.type"]).toBe("aborted");
  });

  it("do not stand in the way of resuming and of what is refused", async () => {
    const { graphs, spans } = tracing();
    await graphs.run(graph, { thread: "t-1", ports: idle });
    await expect(graphs.run(graph, { thread: "t-1", ports: idle })).rejects.toThrow("already");
    expect(await graphs.resume(graph, { thread: "t-1", ports: idle })).toMatchObject({ kind: "finished" });
    expect(spans().filter(({ failed }) => failed)).toMatchObject([
      { attributes: { "error.type": "already_exists" } },
    ]);
  });
});

const nothingThere = async (name: string) => Promise.reject(new Error(`Cannot find package '${name}'`));
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };

describe("sending spans", () => {
  it.each([
    ["nothing is set", {}],
    ["the endpoint is empty", { OTEL_EXPORTER_OTLP_ENDPOINT: "" }],
    ["it is switched off", { ...endpoint, OTEL_SDK_DISABLED: "true" }],
    ["traces go nowhere", { ...endpoint, OTEL_TRACES_EXPORTER: "none" }],
  ])("loads nothing when %s", async (_, env) => {
    const loaded: string[] = [];
    const load = async (name: string) => loaded.push(name);
    expect(await openTracing({ env, load })).toBeUndefined();
    expect(loaded).toEqual([]);
  });

  it("says what to install where a package is missing", async () => {
    const told: string[] = [];
    const tell = (what: string) => told.push(what);
    expect(await openTracing({ env: endpoint, load: nothingThere, tell })).toBeUndefined();
    expect(told).toEqual([expect.stringMatching(/Cannot find package.*npm install @opentelemetry/)]);
  });

  it("hands them to the exporter, at the latest in the end", async () => {
    const sent: InMemorySpanExporter[] = [];
    class OTLPTraceExporter extends InMemorySpanExporter {
      constructor() {
        super();
        sent.push(this);
      }
      override export(...[spans, done]: Parameters<InMemorySpanExporter["export"]>): void {
        names.push(
          ...spans.map(({ name, resource }) => `${name} of ${String(resource.attributes["service.name"])}`),
        );
        super.export(spans, done);
      }
    }
    const names: string[] = [];
    const load = async (name: string): Promise<unknown> =>
      name.includes("exporter") ? { OTLPTraceExporter } : import(name);
    const opened = await openTracing({ env: endpoint, load });
    opened?.tracer.startSpan("x").end();
    await opened?.close();
    expect(sent).toHaveLength(1);
    expect(names).toEqual(["x of cupel"]);
  });
});
