// Sends spans away when the environment names where to, and the optional packages for it are there.
import { trace } from "@opentelemetry/api";
import type { Tracer } from "@opentelemetry/api";

export interface Tracing {
  tracer: Tracer;
  /** Sends what is left; nothing is traced afterwards. */
  close(): Promise<void>;
}

export interface TracingOptions {
  env?: Readonly<Record<string, string | undefined>>;
  load?: (name: string) => Promise<unknown>;
  tell?: (what: string) => void;
}

const SDK = "@opentelemetry/sdk-trace-node";
const EXPORTER = "@opentelemetry/exporter-trace-otlp-http";
const RESOURCES = "@opentelemetry/resources";
const ENDPOINTS = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];
/** A collector that is gone must not hold up the end of a command. */
const CLOSE_MS = 5000;

/** Undefined when nobody asked for spans; then nothing is even loaded. */
export async function openTracing(options: TracingOptions = {}): Promise<Tracing | undefined> {
  const { env = process.env, load = (name) => import(name), tell = warn } = options;
  if (!isWanted(env)) return undefined;
  try {
    const sdk = await load(SDK);
    const exporter = make(await load(EXPORTER), "OTLPTraceExporter");
    const processor = make(sdk, "BatchSpanProcessor", exporter);
    const resource = resourceOf(await load(RESOURCES), env["OTEL_SERVICE_NAME"] ?? "cupel");
    const provider = make(sdk, "NodeTracerProvider", { spanProcessors: [processor], resource });
    // Also makes spans find their parents across awaits.
    await call(provider, "register");
    return { tracer: trace.getTracer("cupel"), close: () => close(provider) };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    tell(
      `no spans are sent although OTEL_EXPORTER_OTLP_ENDPOINT is set: ${why}; npm install ${SDK} ${EXPORTER}`,
    );
    return undefined;
  }
}

function isWanted(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" || env["OTEL_TRACES_EXPORTER"] === "none")
    return false;
  return ENDPOINTS.some((name) => (env[name] ?? "") !== "");
}

/** The packages may be absent, so nothing here knows their types. */
function make(module: unknown, name: string, ...given: unknown[]): object {
  const constructor: unknown = Reflect.get(Object(module), name);
  if (typeof constructor !== "function") throw new Error(`${name} is not there`);
  return Object(Reflect.construct(constructor, given));
}

async function call(target: object, name: string, ...given: unknown[]): Promise<unknown> {
  const method: unknown = Reflect.get(target, name);
  if (typeof method !== "function") throw new Error(`${name} is not there`);
  return Reflect.apply(method, target, given);
}

function resourceOf(module: unknown, service: string): unknown {
  const from: unknown = Reflect.get(Object(module), "resourceFromAttributes");
  if (typeof from !== "function") throw new Error("resourceFromAttributes is not there");
  return Reflect.apply(from, undefined, [{ "service.name": service }]);
}

async function close(provider: object): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_MS)));
  try {
    await Promise.race([call(provider, "shutdown"), late]);
  } catch {
    // What could not be sent is lost, and the work is not.
  } finally {
    clearTimeout(timer);
    trace.disable();
  }
}

function warn(what: string): void {
  process.emitWarning(what, "CupelTracing");
}
