// A sweep: the same trial several times with one parameter of the simulated workers at different values.
import { CupelError } from "../domain/error.ts";
import { oneOf } from "../domain/one-of.ts";
import { type TrialProtocol, WorkerParameters } from "../domain/trial/trial-protocol.ts";

export interface Swept {
  /** Such as `defect-0.2`. */
  folder: string;
  protocol: TrialProtocol;
}

/** `text` is such as `defect=0.2,0.6`. */
export function sweptProtocols(protocol: TrialProtocol, text: string): Swept[] {
  const { workers, name } = protocol;
  if (workers.kind !== "simulated")
    throw new CupelError("usage", "only the parameters of simulated workers can be swept", {
      expected: "--sweep without --runtime and --model",
    });
  const [typed = "", list = ""] = text.split("=");
  const parameter = oneOf(
    WorkerParameters.keyof().options,
    typed.trim().replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    "parameter of simulated workers",
  );
  const values = list.split(",").map((value) => valueOf(value.trim(), text));
  if (new Set(values).size !== values.length) throw wrongSweep(text);
  return values.map((value) => {
    const parameters = { ...workers.parameters, [parameter]: value };
    const swept = { ...protocol, name: `${name}, ${parameter} ${value}` };
    return {
      folder: `${typed.trim()}-${value}`,
      protocol: { ...swept, workers: { kind: "simulated", parameters } },
    };
  });
}

function valueOf(typed: string, text: string): number {
  const value = Number(typed);
  if (typed === "" || !Number.isFinite(value) || value < 0 || value > 1) throw wrongSweep(text);
  return value;
}

function wrongSweep(text: string): CupelError {
  return new CupelError("usage", `--sweep is ${JSON.stringify(text)}`, {
    expected: "a parameter and different values from 0 to 1, such as defect=0.2,0.4,0.6",
  });
}
