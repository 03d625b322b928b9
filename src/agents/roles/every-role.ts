// Every role that an agent can be asked to play, by name.
import type { RoleDefinition } from "../port.ts";
import { arbiter } from "./arbiter.ts";
import { challenger } from "./challenger.ts";
import { proposer } from "./proposer.ts";

export const EVERY_ROLE: readonly RoleDefinition[] = [arbiter, challenger, proposer];
