// Each way to paste an input into code is refused, and the honest way to say the same is not.
import { expect, test } from "vitest";
import { inspect } from "./inspect.ts";

async function rulesBroken(source: string, path = "src/index.ts"): Promise<string[]> {
  const files = {
    [path]: source,
    "test/a.test.ts": 'import { expect, test } from "vitest";\ntest("a", () => expect(1).toBe(1));\n',
  };
  const layout = { entry: path, sources: [path], tests: ["test/a.test.ts"], configuration: [] };
  const rules = { forbiddenImports: [], forbiddenPatterns: [], allowedPackages: undefined };
  const { findings } = await inspect({ layout, files: () => files }, rules);
  return findings
    .filter(({ rule }) => rule.endsWith("-injection"))
    .map(({ rule, line }) => `${rule}:${line}`);
}

const inFunction = (body: string) => `export function f(db, id, ids, name, element) {\n${body}\n}\n`;

test.each([
  ["sql", "return db.query(`SELECT * FROM users WHERE id = ${id}`);"],
  ["sql", 'return db.query("SELECT * FROM users WHERE id = " + id);'],
  ["sql", 'return db.get("select name from users where id = \'" + id + "\'");'],
  ["sql", "return db.prepare(`DELETE FROM ${name}`).run();"],
  ["sql", "return db.$queryRawUnsafe(`SELECT ${id}`);"],
  ["sql", "return db.run(`UPDATE ${name} SET a = 1`);"],
  ["sql", "return db.exec(`DROP TABLE IF EXISTS ${name}`);"],
  ["sql", 'return db.query(`INSERT INTO t VALUES (${ids.map((each) => each).join(",")})`);'],
])("%s pasted together: %s", async (kind, body) => {
  expect(await rulesBroken(inFunction(body))).toEqual([`${kind}-injection:2`]);
});

test("SQL that was given a name first is found where it is used", async () => {
  const body = "const text = `UPDATE t SET a = ${id}`;\nreturn db.query(text);";
  expect(await rulesBroken(inFunction(body))).toEqual(["sql-injection:3"]);
});

test.each([
  'return db.query("SELECT * FROM users WHERE id = $1", [id]);',
  "return db.query(sql`SELECT * FROM users WHERE id = ${id}`);",
  'return db.query(`SELECT * FROM users WHERE id IN (${ids.map(() => "?").join(", ")})`, ids);',
  'return db.query(`SELECT * FROM t WHERE id IN (${Array(3).fill("?").join(",")})`, ids);',
  'return db.query("SELECT a " + "FROM t");',
  'const TABLE = "users";\nreturn db.query(`SELECT * FROM ${TABLE}`);',
  'return db.query(`SELECT * FROM t ORDER BY a ${id > 0 ? "ASC" : "DESC"}`);',
  "return name.get(`user:${id}`);",
  'return db.run("with " + name);',
  'return db.run("Update " + name + " now");',
  "return db.get(`select ${name}`);",
])("SQL with its values beside it: %s", async (body) => {
  expect(await rulesBroken(inFunction(body))).toEqual([]);
});

const SHELL = 'import { exec, execFile, execSync, spawn } from "node:child_process";\n';

test.each([
  ["exec(`ls ${name}`);", 1],
  ['execSync("rm " + name);', 1],
  ["exec(name, () => undefined);", 1],
  ['spawn("ls " + name, { shell: true });', 1],
  ['exec("ls -l");', 0],
  ['execFile("ls", [name]);', 0],
  ['spawn("ls", [name], { shell: false });', 0],
])("a shell: %s", async (body, count) => {
  expect(await rulesBroken(`${SHELL}${inFunction(body)}`)).toHaveLength(count);
});

test.each([
  ["element.innerHTML = name;", 1],
  ["element.innerHTML += `<b>${name}</b>`;", 1],
  ['element["outerHTML"] = "<b>" + name;', 1],
  ['element.insertAdjacentHTML("beforeend", name);', 1],
  ["document.write(name);", 1],
  ["globalThis.document.writeln(`<p>${name}</p>`);", 1],
  ['element.innerHTML = "<b>done</b>";', 0],
  ['element.innerHTML = "";', 0],
  ["element.textContent = name;", 0],
  ["process.stdout.write(name);", 0],
  ["const html = element.innerHTML;\nreturn html;", 0],
])("HTML: %s", async (body, count) => {
  expect(await rulesBroken(inFunction(body))).toHaveLength(count);
});

test("HTML by the attribute that says that it is dangerous", async () => {
  const code = "export const A = (p) => <b dangerouslySetInnerHTML={{ __html: p.text }} />;\n";
  expect(await rulesBroken(code, "src/index.tsx")).toEqual(["html-injection:1"]);
});

test.each([
  ["return new RegExp(`^${name}$`);", 1],
  ['return new RegExp("^" + name);', 1],
  ['return RegExp("^" + name + "$", "i");', 1],
  ["return new RegExp(name);", 0],
  ["return new RegExp(`^${escapeRegExp(name)}$`);", 0],
  ["return new RegExp(`^${RegExp.escape(name)}$`);", 0],
  ['return new RegExp("^" + name.replace(/[.*+?^${}()|[\\]\\\\]/g, "\\\\$&"));', 0],
  ['const safe = escape(name);\nreturn new RegExp("^" + safe);', 0],
  ['return new RegExp(`(?:${ids.map(escapeText).join("|")})`);', 0],
  ["return new RegExp(`${/a/.source}|${/b/.source}`);", 0],
  ["return new RegExp(`^.{${name.length}}$`);", 0],
  ["const repeated = (times: number) => new RegExp(`^.{1,${times}}$`);\nreturn repeated(id);", 0],
])("a pattern: %s", async (body, count) => {
  expect(await rulesBroken(inFunction(body))).toHaveLength(count);
});
