import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { MessageKind } from "../domain/run/message.ts";
import { LocalLeases } from "../store/local/leases.ts";
import type { Fence } from "../store/port.ts";
import { graph, open } from "./graphs-sample.suite.ts";
import type { Ports } from "./graphs-sample.suite.ts";
import { LocalMailbox } from "./mailbox.ts";
import type { Letter } from "./mailbox.ts";

const letter = (key: string, kind: MessageKind = "TestChallenge", node = "d"): Letter => ({
  dedupe_key: key,
  kind,
  type: "NEW_TEST",
  severity: "INFO",
  route_hint: "look_at_tests",
  from: "sender",
  to: { thread: "t-1", node },
  payload_ref: `sha256:${"0".repeat(64)}`,
});

async function begun(most?: number) {
  const { sql, ...opened } = open();
  const mailbox = new LocalMailbox(sql, "us", most === undefined ? {} : { most });
  const { graphs } = open({ sql, mailbox });
  const broken: Ports = {
    async work() {
      throw new Error("not yet");
    },
  };
  await graphs.run(graph, { thread: "t-1", ports: broken });
  const leases = new LocalLeases(sql, Date.now);
  const lease = await leases.acquire("sender", "us", 60_000);
  if (lease.kind === "held") throw new Error("held");
  const fence: Fence = lease.fence;
  const waiting = (node = "d"): string[] => mailbox.waiting("t-1", node).map(({ dedupe_key }) => dedupe_key);
  return { ...opened, sql, graphs, mailbox, leases, fence, waiting };
}

const quiet: Ports = { work: async () => undefined };

describe("a mailbox", () => {
  it("delivers the most urgent first, and of one kind in the order of arrival", async () => {
    const { mailbox, fence, waiting } = await begun();
    const kinds = ["StatusQuery", "TestChallenge", "ContextShift", "SemanticCritique"] as const;
    for (const round of [1, 2])
      for (const kind of kinds) mailbox.send(fence, letter(`${kind}${round}`, kind));
    expect(waiting()).toEqual([
      "ContextShift1",
      "ContextShift2",
      "SemanticCritique1",
      "SemanticCritique2",
      "TestChallenge1",
      "TestChallenge2",
      "StatusQuery1",
      "StatusQuery2",
    ]);
    expect(waiting("e")).toEqual([]);
  });

  it("delivers once what is sent twice, also when it was handled in between", async () => {
    const { mailbox, fence, waiting } = await begun();
    const sent = mailbox.send(fence, letter("x"));
    expect(sent).toMatchObject({ kind: "sent", message: { id: "m-1", seq: 1, to: "d" } });
    expect(mailbox.send(fence, letter("x", "StatusQuery"))).toEqual({ kind: "already-sent" });
    expect(mailbox.send(fence, letter("x", "StatusQuery", "e"))).toMatchObject({ kind: "sent" });
    mailbox.acknowledge("t-1", "d", ["m-1"]);
    expect(mailbox.send(fence, letter("x"))).toEqual({ kind: "already-sent" });
    expect(waiting()).toEqual([]);
    expect(waiting("e")).toEqual(["x"]);
  });

  it("tells the journal of what came and of what was handled, each once", async () => {
    const { mailbox, fence, journal, sql } = await begun();
    const told = async () => (await journal.read(0, 99)).filter(({ kind }) => kind.startsWith("message_"));
    mailbox.send(fence, letter("x"));
    mailbox.send(fence, letter("x"));
    for (const _ of [1, 2]) mailbox.acknowledge("t-1", "d", ["m-1"]);
    const about = { runId: "t-1", thread: "t-1", node: "d", message: "m-1" };
    expect(await told()).toMatchObject([
      { kind: "message_delivered", ...about, messageKind: "TestChallenge", type: "NEW_TEST", from: "sender" },
      { kind: "message_acknowledged", ...about },
    ]);
    sql.run("CREATE TRIGGER full BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'full'); END");
    expect(() => mailbox.send(fence, letter("y"))).toThrow("full");
    expect(mailbox.waiting("t-1", "d")).toEqual([]);
  });

  it("acknowledges only the mail of the node that read it", async () => {
    const { mailbox, fence, waiting } = await begun();
    mailbox.send(fence, letter("x"));
    mailbox.acknowledge("t-1", "e", ["m-1"]);
    mailbox.acknowledge("t-2", "d", ["m-1"]);
    expect(waiting()).toEqual(["x"]);
    expect(() => mailbox.acknowledge("t-1", "d", ["1 OR 1=1"])).toThrow("no message of this mailbox");
  });

  it("takes so many of a kind, and still what is more urgent", async () => {
    const { mailbox, fence } = await begun(2);
    const sent = ["a", "b", "c"].map((key) => mailbox.send(fence, letter(key, "StatusQuery")));
    expect(sent.at(-1)).toEqual({ kind: "full", waiting: 2 });
    expect(mailbox.send(fence, letter("d", "ContextShift"))).toMatchObject({ kind: "sent" });
    mailbox.acknowledge("t-1", "d", ["m-1"]);
    expect(mailbox.send(fence, letter("c", "StatusQuery"))).toMatchObject({ kind: "sent" });
  });

  it("takes nothing from a sender that lost its lease", async () => {
    const { mailbox, leases, fence, waiting } = await begun();
    await leases.acquire("sender", "us", 60_000);
    expect(() => mailbox.send(fence, letter("x"))).toThrow(expect.objectContaining({ code: "stale_fence" }));
    expect(() => mailbox.sendFrom("t-1", letter("x"))).toThrow('the thread "t-1" does not run here');
    expect(waiting()).toEqual([]);
  });

  it.each([
    ["content in the envelope", { ...letter("x"), payload: "all of it" }, "$.payload"],
    ["a kind that is none", { ...letter("x"), kind: "Rebase" }, "$.kind"],
    ["a key with a line break", letter("a\nb"), "$.dedupe_key"],
    ["a node that is none", letter("x", "StatusQuery", "dd"), "no node"],
  ])("refuses %s", async (_, bad, why) => {
    const { mailbox, fence } = await begun();
    expect(() => mailbox.send(fence, Object(bad))).toThrow(why);
  });

  it("says when there is no receiver, and ends with the thread", async () => {
    const { sql, graphs, mailbox, fence } = await begun();
    const nobody = { ...letter("x"), to: { thread: "t-2", node: "d" } };
    expect(mailbox.send(fence, nobody)).toEqual({ kind: "no-receiver" });
    await graphs.resume(graph, { thread: "t-1", ports: quiet });
    mailbox.send(fence, letter("late"));
    await graphs.archive("t-1");
    expect(sql.all("SELECT * FROM graph_mail")).toEqual([]);
    expect(mailbox.send(fence, letter("later"))).toEqual({ kind: "no-receiver" });
  });
});

describe("a node and its mail", () => {
  it("handles each message in exactly one step, and what arrives meanwhile in the next", async () => {
    const { graphs, mailbox, fence, waiting } = await begun();
    mailbox.send(fence, letter("first"));
    const read: string[][] = [];
    const ports: Ports = {
      async work(name, { thread, mail }) {
        if (name !== "d") return;
        read.push((await mail()).map(({ dedupe_key }) => dedupe_key));
        mailbox.sendFrom(thread, letter("to-myself"));
      },
    };
    expect(await graphs.resume(graph, { thread: "t-1", ports })).toMatchObject({ kind: "finished" });
    expect(read).toEqual([["first"], ["to-myself"]]);
    expect(waiting()).toEqual([]);
  });

  it("sees the same mail when it runs again, so that what was done with it still fits", async () => {
    const { graphs, mailbox, fence, waiting } = await begun();
    mailbox.send(fence, letter("before"));
    const read: string[][] = [];
    const ports = (fail: boolean): Ports => ({
      async work(name, { mail }) {
        if (name !== "d") return;
        read.push((await mail()).map(({ dedupe_key }) => dedupe_key));
        if (fail) throw new Error("after reading");
      },
    });
    await graphs.resume(graph, { thread: "t-1", ports: ports(true) });
    mailbox.send(fence, letter("meanwhile", "ContextShift"));
    await graphs.resume(graph, { thread: "t-1", ports: ports(false) });
    expect(read).toEqual([["before"], ["before"], ["meanwhile"]]);
    expect(waiting()).toEqual([]);
  });

  it("loses nothing when many send while it reads", async () => {
    const { graphs, mailbox, fence } = await begun();
    const read: string[] = [];
    let sent = 0;
    const sending = (async () => {
      for (; sent < 200; sent++) {
        mailbox.send(fence, letter(`k-${sent}`));
        if (sent % 10 === 0) await sleep(1);
      }
    })();
    const ports: Ports = {
      async work(name, { mail }) {
        if (name !== "d" && name !== "e") return undefined;
        if (name === "d") {
          read.push(...(await mail()).map(({ dedupe_key }) => dedupe_key));
          return undefined;
        }
        return { goto: sent < 200 || read.length < 200 ? ("a" as const) : ("end" as const) };
      },
    };
    await Promise.all([sending, graphs.resume(graph, { thread: "t-1", ports })]);
    expect(read).toEqual(Array.from({ length: 200 }, (_, index) => `k-${index}`));
  });
});
