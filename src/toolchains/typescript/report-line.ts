// The one line by which the runner inside a site reports, signed with a key that nobody else there knows.
import { createHmac, timingSafeEqual } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { WireReport } from "./wire-report.ts";

const MARK = "cupel-report";

export function reportLine(report: WireReport, key: string): string {
  return signedLine(JSON.stringify(report), key);
}

export function reportIn(stdout: string, key: string): WireReport | undefined {
  const text = signedIn(stdout, key);
  return text === undefined ? undefined : JSON.parse(text);
}

export function signedLine(text: string, key: string): string {
  const body = gzipSync(text).toString("base64");
  return `\n${MARK} ${signature(body, key).toString("hex")} ${body}\n`;
}

/** The output may hold imitations; only what was signed with the key is the report. */
export function signedIn(stdout: string, key: string): string | undefined {
  for (const [, signed = "", body = ""] of stdout.matchAll(/^cupel-report ([0-9a-f]{64}) (\S+)$/gm)) {
    if (timingSafeEqual(signature(body, key), Buffer.from(signed, "hex")))
      return gunzipSync(Buffer.from(body, "base64")).toString("utf8");
  }
  return undefined;
}

function signature(body: string, key: string): Buffer {
  return createHmac("sha256", key).update(body).digest();
}
