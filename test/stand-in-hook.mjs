// For `node --import`: the packages of providers that Cupel does not bring are the stand-ins of its tests.
import { register } from "node:module";

const ANTHROPIC = new URL("stand-in-anthropic.mjs", import.meta.url).href;

register(
  `data:text/javascript,${encodeURIComponent(`
    export function resolve(specifier, context, next) {
      return specifier === "@langchain/anthropic"
        ? { url: ${JSON.stringify(ANTHROPIC)}, shortCircuit: true }
        : next(specifier, context);
    }
  `)}`,
);
