// Every name that our spans carry. Those of the GenAI conventions (as of version 1.41) still move: this is the one place
// to follow them. Names, numbers and kinds only; what agents are told or say has no name here, and errors no text.

export const OPERATION = "gen_ai.operation.name";
export const WORKFLOW = "gen_ai.workflow.name";
export const AGENT = "gen_ai.agent.name";
export const PROVIDER = "gen_ai.provider.name";
export const MODEL = "gen_ai.request.model";
export const CONVERSATION = "gen_ai.conversation.id";
export const INPUT_TOKENS = "gen_ai.usage.input_tokens";
export const CACHED_TOKENS = "gen_ai.usage.cache_read.input_tokens";
export const OUTPUT_TOKENS = "gen_ai.usage.output_tokens";
export const ERROR = "error.type";

export const THREAD = "cupel.thread";
export const GRAPH_VERSION = "cupel.graph.version";
export const NODE = "cupel.node";
export const LANE = "cupel.lane";
export const ATTEMPT = "cupel.attempt";
export const TASK = "cupel.task";
export const MODULE = "cupel.module";
export const OUTCOME = "cupel.outcome";
export const ASKED = "cupel.asked";
/** In US dollars; absent where it is unknown. */
export const COST = "cupel.cost_usd";

export const OPERATIONS = { workflow: "invoke_workflow", node: "run_node", agent: "invoke_agent" } as const;
