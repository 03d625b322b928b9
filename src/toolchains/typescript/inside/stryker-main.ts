// The main program of StrykerJS inside a site: its report never lies in a file that foreign code could write, and is
// signed with a key that came on stdin. StrykerJS runs the module and its tests in other processes.
import { readFileSync } from "node:fs";
import { Stryker } from "@stryker-mutator/core";
import { signedLine } from "../report-line.ts";
import type { StrykerOrder } from "../wire-report.ts";
import { insistOnShield } from "./insist-on-shield.ts";
import { putWhole } from "./put-whole.ts";

const LEFT_MS = 3_000;

const { key, options, ...order }: StrykerOrder = JSON.parse(readFileSync(0, "utf8"));
insistOnShield(order);
// A worker could otherwise open this process's debugger with a signal.
process.on("SIGUSR1", () => undefined);
let report: string | undefined;
// For the reporter, which StrykerJS loads by its path.
Reflect.set(globalThis, Symbol.for("cupel.stryker"), (found: unknown) => {
  report = JSON.stringify(found);
});
await new Stryker(options).runMutationTest();
if (report !== undefined) putWhole(signedLine(report, key));
process.exitCode = report === undefined ? 1 : 0;
// Its workers end with it; one that does not is not waited for.
setTimeout(() => process.exit(), LEFT_MS).unref();
