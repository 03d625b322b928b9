// `cupel battery`: every known cheat and its honest twin against the factory; exit 13 unless all of both end as they must.
import { writeFile } from "node:fs/promises";
import { environmentError } from "../../domain/environment-error.ts";
import { ProtocolName, RigorName } from "../../domain/evidence/rigor.ts";
import { oneOf } from "../../domain/one-of.ts";
import { type BatteryResult, isPassed } from "../../simulator/battery/result.ts";
import { EXIT } from "../exit-codes.ts";
import { itselfAsWorker } from "../itself-as-worker.ts";
import { usualJobs, whole } from "../numbers.ts";
import { colorsFor, oneLine, printJson, printText } from "../output.ts";
import { batteryLines, playLine } from "./battery-text.ts";

export interface BatteryCommand {
  protocol?: string;
  rigor?: string;
  only?: string;
  all?: boolean;
  seed?: string;
  jobs?: string;
  withoutGates?: boolean;
  table?: string;
  json?: boolean;
  /** Says what there is and plays nothing. */
  list?: boolean;
  /** Plays for another process of the same command. */
  worker?: boolean;
}

export async function battery(command: BatteryCommand): Promise<number> {
  if (command.worker === true) {
    const { serveBattery } = await import("../../factory/battery-worker.ts");
    await serveBattery(process.stdin, process.stdout, process.env);
    return EXIT.ok;
  }
  if (command.list === true) {
    await listCheats(command.json === true);
    return EXIT.ok;
  }
  const settings = {
    protocol: oneOf(ProtocolName.options, command.protocol ?? "solo", "protocol"),
    rigor: oneOf(RigorName.options, command.rigor ?? "standard", "rigor"),
    seed: whole(command.seed, "--seed", 0, 1),
    gates: command.withoutGates === true ? ("off" as const) : ("on" as const),
  };
  const jobs = whole(command.jobs, "--jobs", 1, usualJobs());
  const { playBattery } = await import("../../factory/battery.ts");
  const result = await playBattery({
    settings,
    jobs,
    which: whichOf(command),
    worker: itselfAsWorker("battery", "--worker"),
    onPlayed: (play, left) => process.stderr.write(`${oneLine(playLine(play, left))}\n`),
  });
  if (command.table !== undefined) await writeTable(command.table, result);
  if (command.json === true) printJson(result);
  else printText(batteryLines(result, colorsFor(process.stdout)).map(oneLine).join("\n"));
  return isPassed(result) ? EXIT.ok : EXIT.gatesFailed;
}

async function listCheats(json: boolean): Promise<void> {
  const { EVERY_CHEAT } = await import("../../simulator/cheats/every-cheat.ts");
  const cheats = EVERY_CHEAT.map(({ name, family, does, twinDoes }) => ({ name, family, does, twinDoes }));
  if (json) return printJson(cheats);
  printText(cheats.map(({ name, does }) => oneLine(`${name.padEnd(36)} ${does}`)).join("\n"));
}

async function writeTable(file: string, result: BatteryResult): Promise<void> {
  const { EVERY_CHEAT } = await import("../../simulator/cheats/every-cheat.ts");
  const { batteryPage } = await import("../../simulator/battery/table.ts");
  await writeFile(file, batteryPage(result, EVERY_CHEAT)).catch((cause: unknown) => {
    throw environmentError(file, cause);
  });
}

function whichOf({ only, all }: BatteryCommand): "usual" | "all" | string[] {
  if (only !== undefined) return only.split(",").map((name) => name.trim());
  return all === true ? "all" : "usual";
}
