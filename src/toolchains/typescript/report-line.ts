// The one line by which the runner inside a site reports, signed with a key that nobody else there knows.
import { createHmac, timingSafeEqual } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { WireReport } from "./wire-report.ts";

const MARK = "cupel-report";

export function reportLine(report: WireReport, key: string): string {
  const body = gzipSync(JSON.stringify(report)).toString("base64");
  return `\n${MARK} ${signature(body, key).toString("hex")} ${body}\n`;
}

/** The output may hold imitations; only what was signed with the key is the report. */
export function reportIn(stdout: string, key: string): WireReport | undefined {
  for (const [, signed = "", body = ""] of stdout.matchAll(/^cupel-report ([0-9a-f]{64}) (\S+)$/gm)) {
    if (timingSafeEqual(signature(body, key), Buffer.from(signed, "hex")))
      return JSON.parse(gunzipSync(Buffer.from(body, "base64")).toString("utf8"));
  }
  return undefined;
}

function signature(body: string, key: string): Buffer {
  return createHmac("sha256", key).update(body).digest();
}
