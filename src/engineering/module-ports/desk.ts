// What everything here works with: the factory, the module that is being made, and what it is about.
import type { EngineeringPorts, Making } from "../port.ts";
import { type Provisions, sealedProvisions } from "../provisions.ts";
import type { Subject } from "../subject.ts";

export interface Desk {
  engineering: EngineeringPorts;
  making: Making;
  subject: Subject & { module: string };
}

export function provisionsOf({ engineering, making }: Desk): Provisions {
  return making.provisions ?? sealedProvisions(engineering.store);
}
