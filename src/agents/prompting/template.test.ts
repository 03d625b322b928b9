import { describe, expect, test } from "vitest";
import { CupelError } from "../../domain/error.ts";
import { firstOf, loadTemplate, type PromptSource, promptsIn } from "./prompt-source.ts";
import { renderTemplate } from "./template.ts";

function render(text: string, context: Record<string, unknown> = {}): string {
  return renderTemplate(loadTemplate(sourceOf({ "a.jinja": text }), "a.jinja"), context);
}

function sourceOf(files: Record<string, string>): PromptSource {
  return (name) => (name in files ? { text: files[name] ?? "", file: name } : undefined);
}

function complaint(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof CupelError) return error.message;
    throw error;
  }
  return "no complaint";
}

describe("a template", () => {
  test.each<[string, string, Record<string, unknown>, string]>([
    ["prints what it is given", "a {{ b.c[1] }} d", { b: { c: [1, 2] } }, "a 2 d"],
    ["chooses", "{% if a %}yes{% else %}no{% endif %}", { a: null }, "no"],
    ["repeats", "{% for x in list %}{{ loop.index }}{{ x.n }} {% endfor %}", { list: [{ n: "a" }] }, "1a "],
    ["may ask whether a name is there", "{{ 'no' if a is undefined }}", {}, "no"],
    ["may ask whether a part is there", "{{ 1 if a.b is not defined else 2 }}", { a: {} }, "1"],
    [
      "keeps what looks like a template in a value",
      "{{ a }}",
      { a: "{{ b }}{% if %}{#" },
      "{{ b }}{% if %}{#",
    ],
    ["keeps braces in its own text", '{"a": {"b": 1}}\n', {}, '{"a": {"b": 1}}'],
  ])("%s", (_, text, context, expected) => {
    expect(render(text, context)).toBe(expected);
  });

  test.each<[string, string, Record<string, unknown>, string]>([
    ["a name that is not there", "a\nb\n{{ missing }}", {}, "a.jinja:3: nothing is called missing"],
    [
      "a part that is not there",
      "{# c #}\n\n{{ a.b.c }}",
      { a: { b: {} } },
      "a.jinja:3: nothing is called a.b.c",
    ],
    ["a name in a condition", "x\n{% if missing %}{% endif %}", {}, "a.jinja:2: nothing is called missing"],
    [
      "a name in a loop",
      "{% for a in b %}\n\n{{ a.x }}\n{% endfor %}",
      { b: [{}] },
      "a.jinja:3: nothing is called a.x",
    ],
    ["a name behind a default", "\n{{ a | default('x') }}", {}, "a.jinja:2: nothing is called a"],
    ["a name after strings", '{{ "x\\ny" }}\n{{ "a" + b }}', {}, "a.jinja:2: nothing is called b"],
    [
      "the constructor of something",
      "{{ a.constructor }}",
      { a: {} },
      "a.jinja:1: nothing is called a.constructor",
    ],
    [
      "the prototype of something",
      "{{ a.__proto__ }}",
      { a: {} },
      "a.jinja:1: nothing is called a.__proto__",
    ],
    ["the clock", "{{ strftime_now('%Y') }}", {}, "a.jinja:1: nothing is called strftime_now"],
    ["an end that is missing", "a\n{% if true %}\nb", {}, "a.jinja:3: the template ends before everything"],
    [
      "a filter that is missing",
      "a\n\n{{ 'x' | shout }}",
      {},
      "a.jinja:3: Unknown StringValue filter: shout",
    ],
    ["a control character", "\u0001", {}, "a.jinja:1: a template cannot hold control characters"],
  ])("is refused with its place: %s", (_, text, context, message) => {
    expect(complaint(() => render(text, context))).toContain(message);
  });
});

describe("partials", () => {
  test("are put in, and keep their own lines in errors", () => {
    const source = sourceOf({
      "a.jinja": 'one\n{% include "partials/b.jinja" %}\nthree {{ x }}',
      "partials/b.jinja": "two\n{{ y }}",
    });
    const template = loadTemplate(source, "a.jinja");
    expect(renderTemplate(template, { x: 1, y: 2 })).toBe("one\ntwo\n2\nthree 1");
    expect(complaint(() => renderTemplate(template, { x: 1 }))).toContain(
      "partials/b.jinja:2: nothing is called y",
    );
    expect(complaint(() => renderTemplate(template, { y: 1 }))).toContain("a.jinja:3: nothing is called x");
  });

  test.each<[string, Record<string, string>, string]>([
    ["themselves", { "a.jinja": '{% include "a.jinja" %}' }, "include each other: a.jinja → a.jinja"],
    [
      "what is outside",
      { "a.jinja": '{% include "../../etc/passwd" %}' },
      "cannot be the name of a template",
    ],
    ["what is hidden", { "a.jinja": '{% include "/a.jinja" %}' }, "cannot be the name of a template"],
    [
      "what is not there",
      { "a.jinja": '{% include "b.jinja" %}' },
      "there is no template b.jinja, which a.jinja includes",
    ],
  ])("never include %s", (_, files, message) => {
    expect(complaint(() => loadTemplate(sourceOf(files), "a.jinja"))).toContain(message);
  });

  test("a project's own come first, the others stay", () => {
    const source = firstOf(sourceOf({ "a.jinja": "mine" }), sourceOf({ "a.jinja": "yours", "b.jinja": "b" }));
    expect(["a.jinja", "b.jinja", "c.jinja"].map((name) => source(name)?.text)).toEqual([
      "mine",
      "b",
      undefined,
    ]);
    expect(promptsIn("/nowhere/at/all")("a.jinja")).toBeUndefined();
  });
});
