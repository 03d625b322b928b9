import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

describe("the files that keep what must never change", () => {
  it.each(["contribution-trail.ts", "journal.ts", "pack-audit.ts"])(
    "%s has no statement that could",
    (file) => {
      const source = readFileSync(new URL(file, import.meta.url), "utf8");
      expect(source).toMatch(/INSERT INTO/);
      expect(source).not.toMatch(/\b(UPDATE|DELETE|REPLACE|DROP|ON CONFLICT)\b/i);
    },
  );
});
