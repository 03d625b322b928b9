// Ships: modules that are sealed together with everything that says so, and what has to follow from each.
import { mayTransition } from "../domain/artifact/artifact-envelope.ts";
import type { ArtifactStatus } from "../domain/artifact/artifact-envelope.ts";
import { CupelError } from "../domain/error.ts";
import type { ArtifactStore } from "./artifacts.ts";
import type { NewShip, ShipTable, StoredShip } from "./local/ship-table.ts";
import type { ModuleStore } from "./modules.ts";
import type { Fence } from "./port.ts";

export interface Transition {
  artifactId: string;
  from: ArtifactStatus;
  to: ArtifactStatus;
}

export class ShipStore {
  readonly #table: ShipTable;
  readonly #artifacts: ArtifactStore;
  readonly #modules: ModuleStore;

  constructor(table: ShipTable, artifacts: ArtifactStore, modules: ModuleStore) {
    this.#table = table;
    this.#artifacts = artifacts;
    this.#modules = modules;
  }

  /** The moment of a ship. `lease` is that of the product, `run` that of whoever ships. */
  commit(run: Fence, lease: Fence, ship: NewShip & { transitions: readonly Transition[] }): Promise<boolean> {
    for (const { artifactId, from, to } of ship.transitions) {
      const decision = mayTransition(from, to);
      if (decision.kind === "allowed") continue;
      throw new CupelError(
        "illegal_transition",
        `${artifactId} cannot go from ${from} to ${to}: ${decision.reason}`,
      );
    }
    return this.#table.commit(run, lease, ship);
  }

  /** The files that follow the database; again and again, if need be. */
  async project({ record }: StoredShip): Promise<void> {
    await this.#modules.project(record.module);
    for (const id of record.artifacts) await this.#artifacts.project(id);
  }

  finish(run: Fence, module: string, commit: string): Promise<void> {
    return this.#table.finish(run, module, commit);
  }

  get(module: string): Promise<StoredShip | undefined> {
    return this.#table.get(module);
  }

  /** In the order in which they shipped. */
  list(): Promise<StoredShip[]> {
    return this.#table.list();
  }

  unfinished(): Promise<StoredShip[]> {
    return this.#table.list({ unfinished: true });
  }
}
