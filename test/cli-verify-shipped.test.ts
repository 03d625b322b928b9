// The proof of a module that has shipped, reached again by anybody: from the store, and from the bundle alone elsewhere.
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ship } from "../src/engineering/ship/ship.ts";
import { sampleProject } from "./git-samples.ts";
import { CLAMP_SAMPLE, orderFor, PERCENT_SAMPLE, proposed } from "./ship-samples.ts";
import { openWorld } from "./ship-world.ts";
import { placeWith, verifyIn } from "./verify-process.ts";

test(
  "of a module with a dependency and one that is imported, until a byte changes",
  { timeout: 240_000 },
  async () => {
    const ports = await openWorld(sampleProject());
    const { project } = ports.hub;
    const quick = { debated: true, gates: ["green"] } as const;
    await ship(ports, orderFor(CLAMP_SAMPLE, { protocol: quick }), await proposed(ports, CLAMP_SAMPLE));
    const whole = {
      debated: true,
      gates: ["red-on-skeleton", "contract-coverage", "effects", "integration", "e2e"],
    } as const;
    const order = orderFor(PERCENT_SAMPLE, { protocol: whole });
    expect(await ship(ports, order, await proposed(ports, PERCENT_SAMPLE))).toMatchObject({
      kind: "shipped",
    });
    const { files } = await ports.store.modules.get("MM-percent@1.0.0");
    const path = ports.store.payloads.pathOf(files["proof/bundle.json"] ?? "");
    const bundle = readFileSync(path, "utf8");
    await ports.store.close();

    const again = await verifyIn(project, ["--proof", "MM-percent@1.0.0"]);
    expect(again.out).toMatch(/✓ integration .*4 of 4 integration tests pass[^]*\nReached again\.\n$/);
    expect(again.code).toBe(0);

    const elsewhere = await verifyIn(placeWith({ "p.json": bundle }), ["--proof", "p.json", "--json"]);
    expect(JSON.parse(elsewhere.out)).toMatchObject({ differences: [], passed: true });

    // Where the dependency in the bundle is another, the same tests say so.
    const other = bundle.replace("return value > high ? high : value", "return value > high ? value : high");
    expect(other).not.toBe(bundle);
    const refused = await verifyIn(placeWith({ "p.json": other }), ["--proof", "p.json"]);
    expect(refused.err).toContain("text with this hash");
    expect(refused.code).not.toBe(0);

    writeFileSync(path, other);
    const damaged = await verifyIn(project, ["--proof", "MM-percent@1.0.0"]);
    expect(damaged.err).toContain("are not what was stored");
    expect(damaged.code).not.toBe(0);

    const unknown = await verifyIn(project, ["--proof", "MM-nobody@1.0.0"]);
    expect(unknown.err).toContain("there is no module MM-nobody@1.0.0");
  },
);
