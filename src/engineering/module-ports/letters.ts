// Letters between nodes of one thread that run at the same time: small envelopes, the words lie at their address.
import { sha256Hex } from "../../domain/canonical.ts";
import { CupelError } from "../../domain/error.ts";
import type { Letters } from "../../protocols/port.ts";
import type { Desk } from "./desk.ts";

export function lettersOf({ engineering }: Desk): Letters {
  const { store, mailbox } = engineering;
  return {
    async send({ thread, node }, to, text) {
      const sent = mailbox.sendFrom(thread, {
        dedupe_key: sha256Hex(`${node} ${to} ${text}`).slice(0, 32),
        kind: "SemanticCritique",
        type: "TYPE_HOLE",
        severity: "BLOCKER",
        route_hint: "harden_against_hole",
        from: node,
        to: { thread, node: to },
        payload_ref: await store.payloads.put(text),
      });
      if (sent.kind === "sent" || sent.kind === "already-sent") return;
      throw new CupelError("usage", `a letter from ${node} to ${to} was not delivered: ${sent.kind}`, {
        expected: "a node of the same thread that reads its letters",
      });
    },
    async read(context) {
      const mail = await context.mail();
      return Promise.all(
        mail.map(async ({ payload_ref }) => (await store.payloads.get(payload_ref)).toString("utf8")),
      );
    },
  };
}
