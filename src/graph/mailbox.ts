// Messages to nodes, in the store's own database: sent by whoever holds a lease, delivered by urgency, gone when handled.
import { z } from "zod";
import { CupelError } from "../domain/error.ts";
import { nearest } from "../domain/nearest.ts";
import { parseOrThrow, preview } from "../domain/parse.ts";
import { byPriority, Message } from "../domain/run/message.ts";
import { fenced } from "../store/local/fence.ts";
import { readJson, readRow } from "../store/local/row.ts";
import type { Fence } from "../store/port.ts";
import type { Row, Sql } from "../store/sql.ts";
import { ownFence } from "./own-fence.ts";
import type { Mailbox } from "./port.ts";
import { Structure } from "./structure.ts";
import { noteEvent } from "./thread-events.ts";

/** Of each kind, so that a flood of questions cannot keep out a shift of context. */
export const MOST_WAITING = 500;

export interface Address {
  thread: string;
  node: string;
}

/** A message before it has arrived. Whoever may run again sends it with the same `dedupe_key`. */
export type Letter = Omit<Message, "id" | "seq" | "to"> & { to: Address };

export type Sent =
  | { kind: "sent"; message: Message }
  /** The receiver has it, or has handled it. */
  | { kind: "already-sent" }
  /** The receiver does not come to reading; try again when it has. */
  | { kind: "full"; waiting: number }
  /** Nobody will ever read it: the thread was never begun, or has been put away. */
  | { kind: "no-receiver" };

export interface MailboxOptions {
  /** Of each kind for one node. */
  most?: number;
  now?: () => number;
}

const MailRow = z.strictObject({ seq: z.int().positive(), message: z.string() });
const Envelope = Message.omit({ id: true, seq: true });

export class LocalMailbox implements Mailbox {
  readonly #sql: Sql;
  readonly #holder: string;
  readonly #most: number;
  readonly #now: () => number;

  /** `holder` is the one that runs graphs in this process. */
  constructor(sql: Sql, holder: string, { most = MOST_WAITING, now = Date.now }: MailboxOptions = {}) {
    this.#now = now;
    this.#sql = sql;
    this.#holder = holder;
    this.#most = most;
  }

  /** With the fence of the sender: one that lost its lease can send nothing any more. */
  send(fence: Fence, letter: Letter): Sent {
    const { thread, node } = letter.to;
    const envelope = parseOrThrow(Envelope, { ...letter, to: node }, "the message");
    return fenced(this.#sql, fence, () => {
      const nodes = this.#nodesOf(thread);
      if (nodes === undefined) return { kind: "no-receiver" };
      checkNode(thread, node, nodes);
      const { dedupe_key: key, kind } = envelope;
      if (this.#arrived(letter.to, key)) return { kind: "already-sent" };
      const waiting = this.#count(letter.to, kind);
      if (waiting >= this.#most) return { kind: "full", waiting };
      const seq = this.#sql.insert(
        "INSERT INTO graph_mail (thread, node, dedupe_key, kind, message) VALUES (?, ?, ?, ?, ?)",
        [thread, node, key, kind, JSON.stringify(envelope)],
      );
      if (seq === undefined) throw new Error("a message was not written");
      const { type, from } = envelope;
      const delivered = { thread, node, message: idOf(seq), messageKind: kind, type, from };
      noteEvent(this.#sql, this.#time(), { kind: "message_delivered", ...delivered });
      return { kind: "sent", message: { ...envelope, seq, id: idOf(seq) } };
    });
  }

  /** What a node sends goes under the fence of its own thread. */
  sendFrom(thread: string, letter: Letter): Sent {
    return this.send(ownFence(this.#sql, thread, this.#holder), letter);
  }

  waiting(thread: string, node: string): readonly Message[] {
    const rows = this.#sql.all(
      "SELECT seq, message FROM graph_mail WHERE thread = ? AND node = ? AND message IS NOT NULL",
      [thread, node],
    );
    return rows.map(messageOf).toSorted(byPriority);
  }

  acknowledge(thread: string, node: string, ids: readonly string[]): void {
    for (const id of ids) {
      const handled = this.#sql.run(
        `UPDATE graph_mail SET message = NULL
         WHERE seq = ? AND thread = ? AND node = ? AND message IS NOT NULL`,
        [seqOf(id), thread, node],
      );
      if (handled === 0) continue;
      noteEvent(this.#sql, this.#time(), { kind: "message_acknowledged", thread, node, message: id });
    }
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }

  /** Without the thread's state, which may be large. */
  #nodesOf(thread: string): string[] | undefined {
    const row = this.#sql.get(
      "SELECT thread, structure FROM graph_threads WHERE thread = ? AND status <> 'archived'",
      [thread],
    );
    if (row === undefined || row["thread"] !== thread) return undefined;
    const place = { table: "graph_threads", key: thread };
    return Object.keys(readRow(Structure, readJson(row["structure"], place), place).nodes);
  }

  #arrived({ thread, node }: Address, key: string): boolean {
    const row = this.#sql.get("SELECT seq FROM graph_mail WHERE thread = ? AND node = ? AND dedupe_key = ?", [
      thread,
      node,
      key,
    ]);
    return row !== undefined;
  }

  #count({ thread, node }: Address, kind: string): number {
    const row = this.#sql.get(
      `SELECT count(*) AS waiting FROM graph_mail
       WHERE thread = ? AND node = ? AND kind = ? AND message IS NOT NULL`,
      [thread, node, kind],
    );
    return Number(row?.["waiting"]);
  }
}

function checkNode(thread: string, node: string, nodes: readonly string[]): void {
  if (nodes.includes(node)) return;
  const meant = nearest(node, nodes);
  throw new CupelError("usage", `the thread ${preview(thread)} has no node ${preview(node)}`, {
    expected: meant === undefined ? `one of ${nodes.join(", ")}` : `perhaps ${meant}`,
  });
}

function messageOf(row: Row): Message {
  const place = { table: "graph_mail", key: Number(row["seq"]) };
  const { seq, message } = readRow(MailRow, row, place);
  return { ...readRow(Envelope, readJson(message, place), place), seq, id: idOf(seq) };
}

function idOf(seq: number): string {
  return `m-${seq}`;
}

function seqOf(id: string): number {
  const seq = /^m-([1-9]\d{0,15})$/.exec(id)?.[1];
  if (seq !== undefined) return Number(seq);
  throw new CupelError("usage", `${preview(id)} is no message of this mailbox`, {
    expected: "an id such as m-7",
  });
}
