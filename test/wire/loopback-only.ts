// Before every test file: an empty home, no keys, no telemetry, and no connection that leaves this machine.
import { mkdtempSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const KEPT =
  /^(PATH|LANG|LC_.*|TERM|TZ|TMPDIR|NODE_ENV|VITEST.*|TEST|MODE|PROD|DEV|BASE_URL|SSR|CI|CUPEL_.*|FORCE_COLOR|NO_COLOR)$/;

for (const name of Object.keys(process.env)) {
  if (!KEPT.test(name)) delete process.env[name];
}
const home = mkdtempSync(join(tmpdir(), "cupel-home-"));
process.env["HOME"] = home;
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
process.env["DO_NOT_TRACK"] = "1";

const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);
const connect: unknown = Reflect.get(Socket.prototype, "connect");

Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
  const host = hostOf(args);
  if (host !== undefined && !LOOPBACK.has(host)) throw new Error(`a test wanted to connect to ${host}`);
  if (typeof connect === "function") Reflect.apply(connect, this, args);
  return this;
};

/** Undefined for sockets in the file system. */
function hostOf(args: readonly unknown[]): string | undefined {
  const [first, second] = args.flat();
  if (typeof first === "object" && first !== null) {
    const host: unknown = Reflect.get(first, "host");
    const path: unknown = Reflect.get(first, "path");
    if (typeof host === "string") return host;
    return typeof path === "string" && Reflect.get(first, "port") === undefined ? undefined : "localhost";
  }
  if (typeof first === "string" && !/^\d+$/.test(first)) return undefined;
  return typeof second === "string" ? second : "localhost";
}
