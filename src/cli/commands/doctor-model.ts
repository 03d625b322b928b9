// `cupel doctor --try-key`: what is asked before it is asked, and what the answer means for whoever wants to work here.
import { chosenText } from "../../agents/default-models.ts";
import { providerOf } from "../../agents/runtimes/model-providers.ts";
import type { Check } from "../../domain/diagnosis.ts";
import { CupelError } from "../../domain/error.ts";
import { addressVariableOf } from "../../factory/runtimes.ts";
import { type AboutTrial, type TriedModel, tryModel, type Trying } from "../../factory/try-model.ts";
import { oneLine } from "../output.ts";
import { spentText, usd } from "./ask-text.ts";

/** What keeps the call from being made is a finding like any other. */
export async function checkModel(trying: Trying, tell: (line: string) => void): Promise<Check> {
  try {
    const tried = await tryModel(trying, (about) => {
      for (const line of beginning(about)) tell(oneLine(line));
    });
    return checkOf(tried);
  } catch (error) {
    if (!(error instanceof CupelError)) throw error;
    return unfit(error.message, error.hint);
  }
}

function beginning({ runtime, model, chosen, question, limits, mostUsd }: AboutTrial): string[] {
  const most = mostUsd === "unknown" ? "its price is unknown" : `at most ${usd(mostUsd)}`;
  return [
    ...(chosen === undefined ? [] : [chosenText(chosen)]),
    `asking ${model} (runtime ${runtime}): ${JSON.stringify(question)}`,
    `  at most ${limits.maxInputTokens} tokens read and ${limits.maxOutputTokens} written, ${limits.timeoutMs / 1000} s; ${most}`,
  ];
}

function checkOf({ about, answer, ms }: TriedModel): Check {
  const { model, refusedByBudget } = about;
  switch (answer.kind) {
    case "answered":
    case "no-output":
    case "refused": {
      const price = refusedByBudget
        ? `\nits price is unknown: cupel run asks it only with "budget": {"unknownPrices": "allow"} in cupel.config.json`
        : "";
      const found = `${model} answered after ${(ms / 1000).toFixed(1)} s · ${spentText(answer)}${price}`;
      return { ...CHECK, status: "ok", found };
    }
    case "busy": {
      const { why, retryAfterMs } = answer;
      const when = retryAfterMs === undefined ? "later" : `in ${Math.ceil(retryAfterMs / 1000)} s`;
      return unfit(`${model} asks to come back ${when}: ${why}`, `wait, then ${AGAIN}; ${limitsOf(model)}`);
    }
    case "unavailable":
      return unfit(`${model} cannot be reached: ${answer.why}`, reach(model));
    case "silent":
    case "timed-out":
      return unfit(`${model} said nothing for ${answer.afterMs / 1000} s`, reach(model));
    case "too-long":
      return unfit(`${model} can take in too little: ${answer.why}`, OTHER);
    case "failed":
      return unfit(`${model} cannot be asked: ${answer.why}`, answer.hint ?? OTHER);
    case "aborted":
      return unfit(`${model} had not answered yet`, AGAIN);
  }
}

const CHECK = { name: "model", required: true } as const;
const AGAIN = "cupel doctor --try-key";
const OTHER = `${AGAIN} --model PROVIDER:MODEL (tries another one)`;

function unfit(found: string, fix: string | undefined): Check {
  const cost = "no agent can be asked";
  return {
    ...CHECK,
    status: "unfit",
    found: oneLine(found),
    cost,
    ...(fix === undefined ? {} : { fix: oneLine(fix) }),
  };
}

function limitsOf(model: string): string {
  return `if it stays so, look at the limits and the credit of your account with ${providerOf(model)}`;
}

function reach(model: string): string {
  const address = addressVariableOf(providerOf(model));
  const named = address === undefined ? "" : `, and ${address} if you have set it`;
  return `look at the network and HTTPS_PROXY${named}; then ${AGAIN}`;
}
