// Trees of nodes, kept as what has happened to them: an event that was told before changes nothing, and one that does not fit
// is refused in the transaction that would have kept it.
import { z } from "zod";
import { canonicalJson } from "../../domain/canonical.ts";
import { CupelError } from "../../domain/error.ts";
import { NodeSpec } from "../../domain/fractal/node-spec.ts";
import { advance, type Tree, TreeEvent, treeOf } from "../../domain/fractal/tree.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import type { Fence } from "../port.ts";
import type { Sql } from "../sql.ts";
import { fenced } from "./fence.ts";
import { readJson, readRow } from "./row.ts";
import { Key } from "./stored-text.ts";

export interface TreeTable {
  /** The same tree begun again is the same tree, with everything that has happened to it. */
  begin(fence: Fence, name: string, root: NodeSpec): Promise<Tree>;
  /** `key` tells events apart: one that was kept before under it changes nothing. */
  append(fence: Fence, name: string, key: string, event: TreeEvent): Promise<Tree>;
  /** Whether an event was kept under that key. */
  isTold(name: string, key: string): Promise<boolean>;
  read(name: string): Promise<Tree | undefined>;
  /** In the order of their beginning. */
  names(): Promise<string[]>;
}

const Row = z.strictObject({ key: z.string(), event: z.string() });

export class LocalTreeTable implements TreeTable {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async begin(fence: Fence, name: string, root: NodeSpec): Promise<Tree> {
    const text = canonicalJson(parseOrThrow(NodeSpec, root, "the root of the tree"));
    return fenced(this.#sql, fence, () => {
      const found = this.#sql.get("SELECT root FROM trees WHERE name = ?", [named(name)]);
      if (found === undefined) this.#sql.run("INSERT INTO trees (name, root) VALUES (?, ?)", [name, text]);
      else if (found["root"] !== text)
        throw new CupelError("usage", `the tree ${name} has another root already`, {
          expected: "the same specification, or another attempt of the task",
        });
      return this.#grown(name) ?? treeOf(root);
    });
  }

  async isTold(name: string, key: string): Promise<boolean> {
    return this.#isTold(named(name), named(key));
  }

  #isTold(name: string, key: string): boolean {
    const known = "SELECT 1 FROM tree_events WHERE tree = ? AND key = ?";
    return this.#sql.get(known, [name, key]) !== undefined;
  }

  async append(fence: Fence, name: string, key: string, event: TreeEvent): Promise<Tree> {
    const happened = parseOrThrow(TreeEvent, event, "the event of a tree");
    return fenced(this.#sql, fence, () => {
      const tree = this.#grown(name);
      if (tree === undefined) throw new CupelError("not_found", `there is no tree ${name}`);
      if (this.#isTold(name, named(key))) return tree;
      const next = advance(tree, happened);
      const keep = "INSERT INTO tree_events (tree, key, event) VALUES (?, ?, ?)";
      this.#sql.run(keep, [name, key, canonicalJson(happened)]);
      return next;
    });
  }

  async read(name: string): Promise<Tree | undefined> {
    return this.#grown(name);
  }

  async names(): Promise<string[]> {
    return this.#sql.all("SELECT name FROM trees ORDER BY seq").map(({ name }) => String(name));
  }

  #grown(name: string): Tree | undefined {
    const found = this.#sql.get("SELECT root FROM trees WHERE name = ?", [named(name)]);
    if (found === undefined) return undefined;
    const place = { table: "trees", key: name };
    const rows = this.#sql.all("SELECT key, event FROM tree_events WHERE tree = ? ORDER BY seq", [name]);
    return rows.reduce<Tree>(
      (tree, row) => {
        const { key, event } = readRow(Row, row, place);
        const at = { table: "tree_events", key: `${name} ${key}` };
        return advance(tree, readRow(TreeEvent, readJson(event, at), at));
      },
      treeOf(readRow(NodeSpec, readJson(found["root"], place), place)),
    );
  }
}

function named(text: string): string {
  return parseOrThrow(Key, text, "the name of a tree or an event");
}
