// What travels between nodes: a small envelope that says who runs next; the content waits at its address.
import { z } from "zod";
import { form, PayloadRef } from "../refs.ts";

/** What comes first in a full mailbox comes first here. */
export const MessageKind = z.enum(["ContextShift", "SemanticCritique", "TestChallenge", "StatusQuery"]);
export type MessageKind = z.infer<typeof MessageKind>;

/** Short, so that nobody sends content in an envelope. */
const Label = form(/^[\w.:@/-]{1,200}$/, "a short label without spaces");

export const Message = z.strictObject({
  id: Label,
  /** Delivered once, however often it is sent. */
  dedupe_key: Label,
  /** The place in the order of arrival. */
  seq: z.int().nonnegative(),
  kind: MessageKind,
  /** What happened, such as BLOCKED_DEPENDENCY. */
  type: form(/^[A-Z][A-Z0-9_]{0,63}$/, "a type such as BLOCKED_DEPENDENCY"),
  severity: z.enum(["INFO", "WARNING", "BLOCKER"]),
  /** What the receiver should look into, such as check_sibling_exports. */
  route_hint: form(/^[a-z][a-z0-9_]{0,63}$/, "a hint such as check_sibling_exports"),
  from: Label,
  to: Label,
  payload_ref: PayloadRef,
});
export type Message = z.infer<typeof Message>;

/** For sorting a mailbox: by kind, then by arrival. */
export function byPriority(a: Pick<Message, "kind" | "seq">, b: Pick<Message, "kind" | "seq">): number {
  return rank(a.kind) - rank(b.kind) || a.seq - b.seq;
}

function rank(kind: MessageKind): number {
  return MessageKind.options.indexOf(kind);
}
